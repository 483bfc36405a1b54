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
