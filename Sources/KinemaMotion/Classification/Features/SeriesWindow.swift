/// Numbers over time, all of one channel after the other: what features are taken from.
struct SeriesWindow: Sendable {
    let channels: Int
    let length: Int
    /// Channel by channel.
    var values: [Float]
}

extension MotionWindow {
    /// The joints' places and the distances between linked joints; what was not seen takes its usual place.
    func series(usual: [SIMD2<Float>]) -> SeriesWindow {
        let count = subject.joints.count
        let links = subject.links
        let channels = 2 * count + links.count
        var values = [Float](repeating: 0, count: channels * length)
        var whole = self
        for joint in 0..<count where !isSeen(joint) {
            for frame in 0..<length { whole[frame, joint] = usual[joint] }
        }
        for frame in 0..<length {
            for joint in 0..<count {
                let place = whole[frame, joint]
                values[2 * joint * length + frame] = place.x
                values[(2 * joint + 1) * length + frame] = place.y
            }
            for (index, link) in links.enumerated() {
                let step = whole[frame, link.0] - whole[frame, link.1]
                values[(2 * count + index) * length + frame] = (step * step).sum().squareRoot()
            }
        }
        return SeriesWindow(channels: channels, length: length, values: values)
    }

    /// The mean place of each joint over the windows that saw it: where it is taken to be when it is not seen.
    static func usualPlaces(in windows: [MotionWindow], of subject: ActionSubject) -> [SIMD2<Float>] {
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
