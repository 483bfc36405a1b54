package struct Performance: Sendable {
    struct Segment: Sendable {
        enum Action: Sendable {
            case rest(Movement)
            case repetition(Movement, depth: Double)
            case activity(Activity)
            case walk(from: Vector, to: Vector)
            /// Turning on the spot from one heading to another.
            case turn(from: Double, to: Double)
            /// A throw, or a practice swing.
            case swing(ThrowMotion)
            case test(MovementTest)
        }
        var start, end: Double
        var action: Action
        /// The standing place (unused for walks).
        var placement: Placement
        var faults: Set<MovementFault> = []
        /// The part of the range, 0...1, at which a rest or repetition begins and ends; 0 except after faults.
        var levels = (from: 0.0, to: 0.0)
    }

    let body: Body
    private(set) var segments: [Segment] = []
    private(set) var placement: Placement
    /// The phase of standing sway, which differs between people.
    let swayPhase: Double
    /// How every repetition deviates.
    package var change = MovementChange()

    package init(body: Body, placement: Placement = Placement(), swayPhase: Double = 0) {
        (self.body, self.placement, self.swayPhase) = (body, placement, swayPhase)
    }

    package var duration: Double { segments.last?.end ?? 0 }

    package mutating func add(_ activity: Activity, seconds: Double) {
        append(.activity(activity), seconds: seconds)
    }

    package mutating func rest(_ movement: Movement, seconds: Double) { append(.rest(movement), seconds: seconds) }

    /// Adds one repetition; depth 1 is the full range, from 0.6 it counts, below 0.4 it failed. `shallow` ones count.
    package mutating func repeatOnce(
        _ movement: Movement, seconds: Double, depth: Double = 1, faults: Set<MovementFault> = []
    ) {
        if !endsReady(for: movement) { rest(movement, seconds: movement.isOnFloor ? 2.4 : 0.7) }
        append(.repetition(movement, depth: depth), seconds: seconds)
        segments[segments.count - 1].faults = faults
        segments[segments.count - 1].levels.to = movement.reach(faults, depth: depth).rest
    }

    /// Adds a straight walk at a speed in metres per second, then faces a heading in radians.
    package mutating func walk(to position: Vector, metersPerSecond: Double = 1.2, thenFacing heading: Double = 0) {
        let displacement = position - placement.position
        guard displacement.length > 0.01 else { return }
        append(.walk(from: placement.position, to: position), seconds: displacement.length / metersPerSecond)
        placement = Placement(position: position, heading: heading)
    }

    /// Adds a turn on the spot to another heading in radians.
    package mutating func turn(to heading: Double, seconds: Double) {
        append(.turn(from: placement.heading, to: heading), seconds: seconds)
        placement.heading = heading
    }

    mutating func perform(_ test: MovementTest) { append(.test(test), seconds: test.duration) }

    mutating func swing(_ motion: ThrowMotion) { append(.swing(motion), seconds: motion.duration) }

    private mutating func append(_ action: Segment.Action, seconds: Double) {
        let start = duration
        let level = segments.last?.levels.to ?? 0
        segments.append(
            Segment(
                start: start, end: start + seconds, action: action, placement: placement, levels: (from: level, to: 0)))
    }

    private func endsReady(for movement: Movement) -> Bool {
        switch segments.last?.action {
        case .rest(movement), .repetition(movement, _): true
        default: false
        }
    }

    /// The repetitions in order, with times in seconds.
    package var repetitions: [Truth.Repetition] {
        segments.compactMap { segment in
            guard case .repetition(let movement, let depth) = segment.action else { return nil }
            return Truth.Repetition(
                start: segment.start, end: segment.end, exercise: movement.rawValue,
                depth: movement.reach(segment.faults, depth: depth).far,
                isCounted: depth >= Truth.Repetition.countedDepth, faults: segment.faults.map(\.rawValue).sorted())
        }
    }
}

extension Performance {
    /// The duration of the blend from one action into the next, in seconds.
    private static let blend = 0.45
    /// The duration of getting down to the floor or up from it, in seconds.
    private static let lyingDown = 1.8

    /// All joints at a time; before the first segment and after the last one, the person stands idle.
    func armature(at time: Double) -> Armature {
        let (posture, placement) = pose(at: time)
        return Armature(body: body, posture: posture, placement: placement)
    }

    func placement(at time: Double) -> Placement { pose(at: time).1 }

    private func pose(at time: Double) -> (Posture, Placement) {
        guard !segments.isEmpty else { return (Posture.standing(body), self.placement) }
        let index = segments.lastIndex { $0.start <= time } ?? 0
        let segment = segments[index]
        var (posture, placement) = pose(in: segment, at: min(max(time, segment.start), segment.end))
        if index > 0 { blend(&posture, &placement, into: segment, from: segments[index - 1], at: time) }
        sway(&posture, at: time)
        return (posture, placement)
    }

    private func blend(
        _ posture: inout Posture, _ placement: inout Placement, into segment: Segment, from previous: Segment,
        at time: Double
    ) {
        let liesDown = previous.action.isOnFloor != segment.action.isOnFloor
        let window = min(liesDown ? Self.lyingDown : Self.blend, (segment.end - segment.start) * 0.8)
        let since = time - segment.start
        // Repetitions begin and end in the start posture, where a blend would only falsify their truth.
        guard since < window, !joinsSmoothly(previous, segment) else { return }
        let (before, from) = pose(in: previous, at: previous.end)
        let share = smoothstep(since / window)
        posture = liesDown ? byCrouching(before, posture, share) : mix(before, posture, share)
        placement = Placement(
            position: mix(from.position, placement.position, share),
            heading: from.heading + turn(from: from.heading, to: placement.heading) * share)
    }

    /// Blends between standing and lying through a crouch instead of tipping over like a board.
    private func byCrouching(_ from: Posture, _ to: Posture, _ share: Double) -> Posture {
        let crouch = Movement.crouch(body)
        return share < 0.5 ? mix(from, crouch, smoothstep(share * 2)) : mix(crouch, to, smoothstep(share * 2 - 1))
    }

    private func joinsSmoothly(_ first: Segment, _ second: Segment) -> Bool {
        switch (first.action, second.action) {
        case (.rest(let a), .repetition(let b, _)), (.repetition(let a, _), .rest(let b)),
            (.repetition(let a, _), .repetition(let b, _)), (.rest(let a), .rest(let b)):
            a == b
        default: false
        }
    }

    private func pose(in segment: Segment, at time: Double) -> (Posture, Placement) {
        let elapsed = time - segment.start
        let length = segment.end - segment.start
        switch segment.action {
        case .rest(let movement):
            // Eases out the level the previous repetition ended at, in less than half a second.
            let level = segment.levels.from * (1 - smoothstep(elapsed / Performance.blend))
            return (movement.posture(depth: level, body: body), segment.placement)
        case .repetition(let movement, let depth):
            // Out and back as a raised cosine: at rest at both ends, fastest halfway.
            let part = 0.5 - 0.5 * cosine(2 * Double.pi * elapsed / length)
            let level = elapsed < length / 2 ? segment.levels.from : segment.levels.to
            let far = movement.reach(segment.faults, depth: depth).far
            var posture = movement.posture(depth: level + (far - level) * part, body: body, faults: segment.faults)
            change.apply(to: &posture, of: movement, depth: part, body: body)
            return (posture, segment.placement)
        case .activity(let activity):
            return (activity.posture(time: elapsed, duration: length, body: body), segment.placement)
        case .swing(let motion):
            return (motion.posture(time: elapsed, body: body), segment.placement)
        case .test(let test):
            let ahead = Rotation.yaw(segment.placement.heading).z * test.travel(at: elapsed)
            let heading = segment.placement.heading + test.turn(at: elapsed)
            return (
                test.posture(at: elapsed, body: body),
                Placement(position: segment.placement.position + ahead, heading: heading)
            )
        case .walk(let from, let to):
            let displacement = to - from
            let share = elapsed / length
            let placement = Placement(
                position: from + displacement * share, heading: arcTangent(displacement.x, displacement.z))
            return (Gait(body: body).posture(distance: displacement.length * share), placement)
        case .turn(let from, let to):
            let heading = from + turn(from: from, to: to) * smoothstep(elapsed / length)
            // One step on the spot every 0.4 s.
            return (
                Gait(body: body).treading(steps: elapsed / 0.4),
                Placement(position: segment.placement.position, heading: heading)
            )
        }
    }

    private func sway(_ posture: inout Posture, at time: Double) {
        let slow = sine(0.9 * time + swayPhase)
        let fast = sine(1.7 * time + 2 * swayPhase)
        posture.sideLean += degrees(0.5) * slow
        posture.spine += degrees(0.6) * fast
        posture.headTurn += degrees(2.5) * sine(0.6 * time + swayPhase)
        posture.left.raise += degrees(0.7) * fast
        posture.right.raise += degrees(0.7) * slow
    }

    private func turn(from: Double, to: Double) -> Double {
        let turns = ((to - from) / (2 * Double.pi)).rounded()
        return to - from - turns * 2 * Double.pi
    }
}

extension Performance.Segment.Action {
    fileprivate var isOnFloor: Bool {
        switch self {
        case .rest(let movement), .repetition(let movement, _): movement.isOnFloor
        case .activity(let activity): activity == .plank
        case .walk, .turn, .swing, .test: false
        }
    }
}
