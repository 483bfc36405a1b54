import Foundation
import KinemaCore

/// Data augmentation: varies a window as another body, camera or tempo would.
struct Augmentation: Sendable {
    /// The standard deviation of rotation in the picture, in degrees: a tilted camera or a leaning body.
    private let rotation: Float
    /// The standard deviation of the logarithm of width and height scales: limb lengths, camera height.
    private let scale: Float
    /// The largest change of tempo, as a logarithm.
    private let tempo: Float
    private let dropped: Float, droppedFrames: Float
    /// The standard deviation of a joint's position in a frame, in torso lengths.
    private let jitter: Float

    init(_ options: AugmentationOptions) {
        rotation = options.contains(.rotate) ? 8 : 0
        scale = options.contains(.scale) ? 0.1 : 0
        tempo = options.contains(.interpolateFrames) ? 0.15 : 0
        dropped = options.contains(.dropJoints) ? 0.03 : 0
        droppedFrames = options.contains(.dropFrames) ? 0.1 : 0
        jitter = options.contains(.jitter) ? 0.02 : 0
    }

    func augmented(_ window: MotionWindow, mirrored: Bool, _ random: inout RandomSource) -> MotionWindow {
        var result = window
        let angle = random.normal(deviation: rotation) * .pi / 180
        let (sine, cosine) = (sin(angle), cos(angle))
        let width = exp(random.normal(deviation: scale)) * (mirrored ? -1 : 1)
        let height = exp(random.normal(deviation: scale))
        let (start, step) = tempoChange(window.length, &random)
        let partners = window.subject.mirrored
        for joint in 0..<partners.count {
            let isDropped = random.chance(dropped) && joint != window.subject.centre
            for frame in 0..<window.length {
                let time = start + Float(frame) * step
                let before = min(Int(time), max(window.length - 2, 0))
                let share = min(1, time - Float(before))
                let source = mirrored ? partners[joint] : joint
                let (low, high) = (window[before, source], window[min(before + 1, window.length - 1), source])
                let position = (low + (high - low) * share) * SIMD2(width, height)
                result[frame, joint] =
                    isDropped
                    ? SIMD2(.nan, .nan)
                    : SIMD2(position.x * cosine - position.y * sine, position.x * sine + position.y * cosine)
            }
        }
        if droppedFrames > 0 { dropFrames(of: &result, &random) }
        if jitter > 0 { shake(&result, &random) }
        return result
    }

    /// Drops frames, but neither the first nor the last, and fills in between the frames before and after.
    private func dropFrames(of window: inout MotionWindow, _ random: inout RandomSource) {
        let kept = (0..<window.length).filter { frame in
            frame == 0 || frame == window.length - 1 || !random.chance(droppedFrames)
        }
        let original = window
        for (before, after) in zip(kept, kept.dropFirst()) {
            for frame in before + 1..<after {
                let share = Float(frame - before) / Float(after - before)
                for joint in 0..<window.subject.joints.count {
                    let (low, high) = (original[before, joint], original[after, joint])
                    window[frame, joint] = low + (high - low) * share
                }
            }
        }
    }

    private func shake(_ window: inout MotionWindow, _ random: inout RandomSource) {
        for frame in 0..<window.length {
            for joint in 0..<window.subject.joints.count {
                let shift = SIMD2(random.normal(deviation: jitter), random.normal(deviation: jitter))
                window[frame, joint] += shift
            }
        }
    }

    /// The start in the window and the step per frame; half of the tempo changes stretch only a part of the window.
    private func tempoChange(_ length: Int, _ random: inout RandomSource) -> (start: Float, step: Float) {
        let step = min(1, exp(random.between(-tempo, tempo)))
        let slack = Float(length - 1) * (1 - step)
        return (random.between(0, slack), step)
    }
}
