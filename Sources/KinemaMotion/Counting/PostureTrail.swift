import Foundation

/// What can be said about a way out and back through postures in order of time.
extension [Posture] {
    /// The shapes a quarter, a half and three quarters of the way out, at the far end, and back, however long each took.
    func phases(from origin: Int, over far: Int, to last: Int) -> [SIMD32<Float>] {
        let (out, back) = (Axis(from: self[origin], to: self[far]), Axis(from: self[far], to: self[last]))
        var phases: [SIMD32<Float>] = []
        var index = origin
        for share in [0.25, 0.5, 0.75] as [Float] {
            while index < far, out.position(of: self[index]) < share * out.length { index += 1 }
            phases.append(self[index].shape)
        }
        phases.append(self[far].shape)
        index = far
        for share in [0.25, 0.5, 0.75] as [Float] {
            while index < last, back.position(of: self[index]) < share * back.length { index += 1 }
            phases.append(self[index].shape)
        }
        return phases
    }

    /// The shortest way over the way gone. Steps of a sixteenth of it, or a tenth of a second, leave jitter out.
    func directness(from origin: Int, over far: Int, to last: Int) -> Float {
        let step = Swift.max(0.1, (self[last].time - self[origin].time) / 16)
        var length: Float = 0
        var before = self[origin]
        for index in origin...last where self[index].time - before.time >= step || index == far || index == last {
            length += self[index].distance(to: before)
            before = self[index]
        }
        let shortest = self[far].distance(to: self[origin]) + self[far].distance(to: self[last])
        return length > 0 ? Swift.min(1, shortest / length) : 0
    }
}
