internal import KinemaCore

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
