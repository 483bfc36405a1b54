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
        }
        var start: Double
        var end: Double
        var action: Action
        /// Where the person stands (not for walks).
        var placement: Placement
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
    package mutating func repeatOnce(_ movement: Movement, seconds: Double, depth: Double = 1) {
        if !endsReady(for: movement) { rest(movement, seconds: movement.isOnFloor ? 2.4 : 0.7) }
        append(.repetition(movement, depth: depth), seconds: seconds)
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

    private mutating func append(_ action: Segment.Action, seconds: Double) {
        let start = duration
        segments.append(Segment(start: start, end: start + seconds, action: action, placement: placement))
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
                start: segment.start, end: segment.end, exercise: movement.rawValue, depth: depth,
                isCounted: depth >= Truth.Repetition.countedDepth)
        }
    }
}
