import KinemaCore

/// What one person does over time, segment after segment, with the repetitions it contains.
package struct Performance: Sendable {
    /// Something done from one moment to another.
    struct Segment: Sendable {
        enum Action: Sendable {
            /// Holding a movement's start posture.
            case rest(Movement)
            case repetition(Movement, depth: Double)
            case activity(Activity)
            case walk(from: Vector, to: Vector)
            /// On the spot, from one heading to another.
            case turn(from: Double, to: Double)
            /// A throw, or a swing of the arm as for one.
            case swing(ThrowMotion)
        }
        var start: Double
        var end: Double
        var action: Action
        /// Where the person stands (not for walks).
        var placement: Placement
        /// What is done wrong in a repetition.
        var faults: Set<MovementFault> = []
        /// The part of the range, 0...1, at which a rest or repetition begins and ends: 0 but after faults.
        var levels = (from: 0.0, to: 0.0)
    }

    let body: Body
    private(set) var segments: [Segment] = []
    private(set) var placement: Placement
    /// Standing sway differs between people.
    let swayPhase: Double

    /// Starts an empty timeline for a person standing at a place; `swayPhase` tells people's small sway apart.
    package init(body: Body, placement: Placement = Placement(), swayPhase: Double = 0) {
        self.body = body
        self.placement = placement
        self.swayPhase = swayPhase
    }

    /// How many seconds are filled.
    package var duration: Double { segments.last?.end ?? 0 }

    /// Adds something that is no exercise.
    package mutating func add(_ activity: Activity, seconds: Double) {
        append(.activity(activity), seconds: seconds)
    }

    /// Holds a movement's start posture.
    package mutating func rest(_ movement: Movement, seconds: Double) {
        append(.rest(movement), seconds: seconds)
    }

    /// Adds one repetition; depth 1 is the full range, from 0.6 on it counts, below 0.4 it is a failed one.
    ///
    /// One with the fault `shallow` counts, as it is meant as a repetition.
    package mutating func repeatOnce(
        _ movement: Movement, seconds: Double, depth: Double = 1, faults: Set<MovementFault> = []
    ) {
        if !endsReady(for: movement) { rest(movement, seconds: movement.isOnFloor ? 2.4 : 0.7) }
        append(.repetition(movement, depth: depth), seconds: seconds)
        segments[segments.count - 1].faults = faults
        segments[segments.count - 1].levels.to = movement.reach(faults, depth: depth).rest
    }

    /// Walks straight to another place at the given speed in metres a second, then faces the given heading.
    package mutating func walk(to position: Vector, metersPerSecond: Double = 1.2, thenFacing heading: Double = 0) {
        let way = position - placement.position
        guard way.length > 0.01 else { return }
        append(.walk(from: placement.position, to: position), seconds: way.length / metersPerSecond)
        placement = Placement(position: position, heading: heading)
    }

    /// Turns on the spot to another heading in radians.
    package mutating func turn(to heading: Double, seconds: Double) {
        append(.turn(from: placement.heading, to: heading), seconds: seconds)
        placement.heading = heading
    }

    /// Adds a throw, or a swing as for one.
    mutating func swing(_ motion: ThrowMotion) {
        append(.swing(motion), seconds: motion.duration)
    }

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

    /// The repetitions in order, in seconds.
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

/// Postures over time.
extension Performance {
    /// How long one action takes to pass into the next, seconds.
    private static let blend = 0.45
    /// How long getting down to the floor or up from it takes, seconds.
    private static let lyingDown = 1.8

    /// Every joint at a moment; before the first and after the last segment the person stands about.
    func armature(at time: Double) -> Armature {
        let (posture, placement) = pose(at: time)
        return Armature(body: body, posture: posture, placement: placement)
    }

    private func pose(at time: Double) -> (Posture, Placement) {
        guard !segments.isEmpty else { return (Posture.standing(body), placement) }
        let index = segments.lastIndex { $0.start <= time } ?? 0
        let segment = segments[index]
        var (posture, place) = pose(in: segment, at: min(max(time, segment.start), segment.end))
        let since = time - segment.start
        guard index > 0 else {
            sway(&posture, at: time)
            return (posture, place)
        }
        let previous = segments[index - 1]
        let liesDown = previous.action.isOnFloor != segment.action.isOnFloor
        let window = min(
            liesDown ? Performance.lyingDown : Performance.blend, (segment.end - segment.start) * 0.8)
        if since < window {
            // Repetitions begin and end in the start posture, so a blend would only blur their truth.
            if !joinsSmoothly(previous, segment) {
                let (before, from) = pose(in: previous, at: previous.end)
                let share = eased(since / window)
                posture = liesDown ? byCrouching(before, posture, share) : mix(before, posture, share)
                place = Placement(
                    position: mix(from.position, place.position, share),
                    heading: from.heading + turn(from: from.heading, to: place.heading) * share)
            }
        }
        sway(&posture, at: time)
        return (posture, place)
    }

    /// From standing to lying and back nobody tips over like a board.
    private func byCrouching(_ from: Posture, _ to: Posture, _ share: Double) -> Posture {
        let crouch = Movement.crouch(body)
        return share < 0.5 ? mix(from, crouch, eased(share * 2)) : mix(crouch, to, eased(share * 2 - 1))
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
            // What the repetition before left to go, in less than half a second.
            let level = segment.levels.from * (1 - eased(elapsed / Performance.blend))
            return (movement.posture(depth: level, body: body), segment.placement)
        case .repetition(let movement, let depth):
            // Out and back as one raised cosine: still at both ends, fastest half-way.
            let part = 0.5 - 0.5 * cosine(2 * Double.pi * elapsed / length)
            let level = elapsed < length / 2 ? segment.levels.from : segment.levels.to
            let far = movement.reach(segment.faults, depth: depth).far
            let posture = movement.posture(
                depth: level + (far - level) * part, body: body, faults: segment.faults)
            return (posture, segment.placement)
        case .activity(let activity):
            return (activity.posture(time: elapsed, duration: length, body: body), segment.placement)
        case .swing(let motion):
            return (motion.posture(time: elapsed, body: body), segment.placement)
        case .walk(let from, let to):
            let way = to - from
            let share = elapsed / length
            let place = Placement(position: from + way * share, heading: arcTangent(way.x, way.z))
            return (Gait(body: body).posture(distance: way.length * share), place)
        case .turn(let from, let to):
            let heading = from + turn(from: from, to: to) * eased(elapsed / length)
            // A step on the spot every 0.4 s.
            return (
                Gait(body: body).treading(steps: elapsed / 0.4),
                Placement(position: segment.placement.position, heading: heading)
            )
        }
    }

    /// Nobody stands quite still.
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
    /// Whether the body lies on the floor.
    fileprivate var isOnFloor: Bool {
        switch self {
        case .rest(let movement), .repetition(let movement, _): movement.isOnFloor
        case .activity(let activity): activity == .plank
        case .walk, .turn, .swing: false
        }
    }
}
