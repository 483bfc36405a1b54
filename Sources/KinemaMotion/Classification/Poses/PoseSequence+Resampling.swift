import Foundation
import KinemaCore

extension PoseSequence {
    /// The longest gap of a joint that is bridged by a straight line, seconds: about half a quick repetition.
    static let longestBridge: TimeInterval = 0.5

    /// The longest pause between two frames that is kept as it is, seconds; hours of nothing are cut down to it.
    static let longestPause: TimeInterval = 60

    /// The most frames of a resampled sequence: nine hours at 30 a second, which take 220 MB.
    static let mostFrames = 1_000_000

    /// The same movement at a steady number of frames a second, from the first frame's time to the last's.
    ///
    /// Joints are interpolated between the frames that saw them, over gaps of up to half a second. Pauses longer than a
    /// minute and than two windows of so many seconds are shortened to that. Nil beyond `mostFrames`.
    func resampled(rate: Double, window: TimeInterval) -> PoseSequence? {
        guard count > 1, duration > 0 else { return self }
        let steady = shorteningPauses(to: max(Self.longestPause, 2 * window))
        return steady.grid(rate: rate).map { steady.resampled(at: $0.times) }
    }

    /// How many frames that gives; nil beyond `mostFrames`.
    func frames(rate: Double, window: TimeInterval) -> Int? {
        guard count > 1, duration > 0 else { return count }
        return shorteningPauses(to: max(Self.longestPause, 2 * window)).grid(rate: rate)?.count
    }

    private func grid(rate: Double) -> EvenGrid? {
        EvenGrid(from: times[0], to: times[count - 1], rate: rate, limit: Self.mostFrames)
    }

    private func shorteningPauses(to longest: TimeInterval) -> PoseSequence {
        var (shifted, excess) = ([TimeInterval](), 0.0)
        for (index, time) in times.enumerated() {
            if index > 0 { excess += max(0, time - times[index - 1] - longest) }
            shifted.append(time - excess)
        }
        return excess > 0 ? PoseSequence(subject, times: shifted, points: points) : self
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
