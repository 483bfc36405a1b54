import Foundation

/// Finds the postures where a movement turns: a zigzag through the space of postures.
struct PivotTracker {
    /// The postures where movement turned, oldest first; the first one is where the watching began.
    private(set) var pivots: [Posture] = []
    /// The farthest posture from the last pivot so far.
    private(set) var extreme: Posture?
    /// How many pivots were dropped from the front.
    private(set) var dropped = 0

    static let memory = 24

    mutating func reset() {
        pivots = []
        extreme = nil
        dropped = 0
    }

    /// Takes the next posture; true when it shows that movement turned at the extreme.
    mutating func append(_ posture: Posture, hysteresis: Float) -> Bool {
        guard let last = pivots.last, let extreme else {
            pivots = [posture]
            self.extreme = posture
            return false
        }
        let reach = extreme.distance(to: last)
        let distance = posture.distance(to: last)
        if distance >= reach {
            self.extreme = posture
            if distance < hysteresis { rest(at: posture) }
            return false
        }
        guard reach >= hysteresis else {
            rest(at: posture)
            return false
        }
        guard reach - posture.progress(from: last, towards: extreme) >= hysteresis else { return false }
        pivots.append(extreme)
        self.extreme = posture
        if pivots.count > Self.memory {
            pivots.removeFirst()
            dropped += 1
        }
        return true
    }

    /// Nothing moved yet since the watching began: the first posture follows slow drift.
    private mutating func rest(at posture: Posture) {
        guard pivots.count == 1, dropped == 0 else { return }
        let share = Float(min(1, (posture.time - pivots[0].time) / 1.5))
        pivots[0].shape += (posture.shape - pivots[0].shape) * share
        pivots[0].weight = posture.weight
        pivots[0].time = posture.time
        pivots[0].centre = posture.centre
        extreme = pivots[0]
    }
}
