import Dispatch

/// Time series of several channels, the input of feature extraction.
struct SeriesWindow: Sendable {
    let channels: Int
    let length: Int
    var values: [Float]
}

extension MotionWindow {
    /// The joint positions and the distances between linked joints; `missing` replaces joints that were not seen.
    func series(missing: [SIMD2<Float>]) -> SeriesWindow {
        let count = subject.joints.count
        let links = subject.links
        let channels = 2 * count + links.count
        var values = [Float](repeating: 0, count: channels * length)
        var complete = self
        for joint in 0..<count where !isSeen(joint) {
            for frame in 0..<length { complete[frame, joint] = missing[joint] }
        }
        for frame in 0..<length {
            for joint in 0..<count {
                let position = complete[frame, joint]
                values[2 * joint * length + frame] = position.x
                values[(2 * joint + 1) * length + frame] = position.y
            }
            for (index, link) in links.enumerated() {
                let displacement = complete[frame, link.0] - complete[frame, link.1]
                values[(2 * count + index) * length + frame] = (displacement * displacement).sum().squareRoot()
            }
        }
        return SeriesWindow(channels: channels, length: length, values: values)
    }

    /// The mean position of each joint over the windows that saw it; replaces joints that were not seen.
    static func meanPositions(in windows: [MotionWindow], of subject: ActionSubject) -> [SIMD2<Float>] {
        (0..<subject.joints.count).map { joint in
            var (sum, count) = (SIMD2<Double>.zero, 0.0)
            for window in windows where window.isSeen(joint) {
                for frame in 0..<window.length {
                    sum += SIMD2(Double(window[frame, joint].x), Double(window[frame, joint].y))
                    count += 1
                }
            }
            return count > 0 ? SIMD2(Float(sum.x / count), Float(sum.y / count)) : .zero
        }
    }
}
