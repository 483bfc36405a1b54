import Foundation

/// Changes a window as another body, another camera and another tempo would.
struct Augmentation: Sendable, Hashable, Codable {
    /// Whether left and right may change places.
    var mirrors = true
    /// Turning in the picture, degrees (one standard deviation): a camera held askew, a body that leans.
    var rotation: Float = 8
    /// Stretching of width and of height each, as a logarithm (one standard deviation): limbs, camera height.
    var scale: Float = 0.1
    /// Faster or slower by up to this, as a logarithm.
    var tempo: Float = 0.15
    /// The chance that a joint is not seen.
    var dropped: Float = 0.03

    /// The window changed at random; `mirrored` says whether it is turned about.
    func changed(_ window: MotionWindow, mirrored: Bool, _ random: inout SeededSource) -> MotionWindow {
        var result = window
        let angle = random.normal(deviation: rotation) * .pi / 180
        let (sine, cosine) = (sin(angle), cos(angle))
        let width = exp(random.normal(deviation: scale)) * (mirrored ? -1 : 1)
        let height = exp(random.normal(deviation: scale))
        let (start, step) = pace(window.length, &random)
        let partners = window.subject.mirrored
        for joint in 0..<partners.count {
            let isDropped = random.chance(dropped) && joint != window.subject.centre
            for frame in 0..<window.length {
                let moment = start + Float(frame) * step
                let before = min(Int(moment), max(window.length - 2, 0))
                let share = min(1, moment - Float(before))
                let source = mirrored ? partners[joint] : joint
                let (low, high) = (window[before, source], window[min(before + 1, window.length - 1), source])
                let place = (low + (high - low) * share) * SIMD2(width, height)
                result[frame, joint] =
                    isDropped
                    ? SIMD2(.nan, .nan)
                    : SIMD2(place.x * cosine - place.y * sine, place.x * sine + place.y * cosine)
            }
        }
        return result
    }

    /// Where in the window to begin and how far to go each frame; a window can only be slowed, since beyond it is
    /// nothing, so half of the changes of tempo stretch a part of it.
    private func pace(_ length: Int, _ random: inout SeededSource) -> (start: Float, step: Float) {
        let step = min(1, exp(random.between(-tempo, tempo)))
        let slack = Float(length - 1) * (1 - step)
        return (random.between(0, slack), step)
    }
}
