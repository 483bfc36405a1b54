import Foundation

extension PoseSequence {
    /// The longest gap of a joint that is bridged by a straight line, seconds: about half a quick repetition.
    static let longestBridge: TimeInterval = 0.5

    /// The same movement at a steady number of frames a second, from the first frame's time to the last's.
    ///
    /// Joints are interpolated between the frames that saw them, over gaps of up to half a second.
    func resampled(rate: Double) -> PoseSequence {
        guard count > 1, duration > 0 else { return self }
        // A thousandth of a frame: a recording at the very rate keeps its last frame.
        let frames = Int(duration * rate + 1.001)
        return resampled(at: (0..<frames).map { times[0] + Double($0) / rate })
    }

    /// The same movement at the given times, which must increase; outside the sequence its ends are held.
    func resampled(at moments: [TimeInterval]) -> PoseSequence {
        var result = PoseSequence(subject)
        var frames = [Float](repeating: 0, count: moments.count * frameSize)
        for joint in 0..<subject.joints.count {
            let seen = (0..<count).filter { points[$0 * frameSize + joint * 3 + 2] > 0 }
            guard !seen.isEmpty else { continue }
            var next = 0
            for (index, moment) in moments.enumerated() {
                while next < seen.count, times[seen[next]] < moment { next += 1 }
                let place = (index * frameSize) + joint * 3
                let value = point(
                    joint, at: moment, before: next > 0 ? seen[next - 1] : nil, after: seen.dropFirst(next).first)
                for axis in 0..<3 { frames[place + axis] = value[axis] }
            }
        }
        for (index, moment) in moments.enumerated() {
            result.append(Array(frames[index * frameSize..<(index + 1) * frameSize]), at: moment)
        }
        return result
    }

    private func point(_ joint: Int, at moment: TimeInterval, before: Int?, after: Int?) -> SIMD3<Float> {
        func seen(_ frame: Int) -> SIMD3<Float> {
            let place = frame * frameSize + joint * 3
            return SIMD3(points[place], points[place + 1], points[place + 2])
        }
        switch (before, after) {
        case (let before?, let after?) where times[after] - times[before] <= Self.longestBridge:
            let share = Float((moment - times[before]) / (times[after] - times[before]))
            return seen(before) * (1 - share) + seen(after) * share
        case (let before?, let after?):
            // A gap too long to bridge: only what is next to a sighting counts as seen.
            let nearest = moment - times[before] < times[after] - moment ? before : after
            return abs(times[nearest] - moment) <= Self.longestBridge / 4 ? seen(nearest) : .zero
        case (let nearest?, nil), (nil, let nearest?):
            return abs(times[nearest] - moment) <= Self.longestBridge / 4 ? seen(nearest) : .zero
        case (nil, nil): return .zero
        }
    }
}
