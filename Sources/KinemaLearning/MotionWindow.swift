import KinemaMotion
import KinemaCore
import Foundation

/// A window of movement of fixed length in body coordinates.
///
/// The origin is the median position of the centre (neck or wrist), the unit the length of the torso or hand, y up.
struct MotionWindow: Sendable {
    let subject: ActionSubject
    let length: Int
    /// The x and y of each joint in each frame; NaN in every frame for a joint that was not seen at all.
    var positions: [Float]

    private var joints: Int { subject.joints.count }

    /// Cuts a window from an evenly sampled sequence, reflected in time if too short; nil if too little is seen.
    init?(_ sequence: PoseSequence, from start: Int, length: Int) {
        subject = sequence.subject
        self.length = length
        let joints = subject.joints.count
        guard sequence.count > 0, length > 0, sequence.joints == subject.joints else { return nil }
        positions = [Float](repeating: .nan, count: length * joints * 2)
        let frames = (0..<length).map { Self.reflect(start + $0, in: sequence.count) }
        for joint in 0..<joints { fill(joint, from: sequence, frames: frames) }
        guard normalise() else { return nil }
    }

    /// The first frames of half-overlapping windows in a sequence of `count` frames; the last one ends with the sequence.
    static func starts(in count: Int, length: Int) -> [Int] {
        guard count > length else { return [0] }
        let step = max(1, length / 2)
        var starts = Array(stride(from: 0, through: count - length, by: step))
        if let last = starts.last, count - length - last > step / 2 { starts.append(count - length) }
        return starts
    }

    /// 0, 1, 2, 1, 0, 1 … for a count of 3.
    static func reflect(_ index: Int, in count: Int) -> Int {
        guard count > 1 else { return 0 }
        let position = index % (2 * (count - 1))
        return position < count ? position : 2 * (count - 1) - position
    }

    /// The number of frames that must see a joint for it to count: fewer are likely to be false detections.
    static func minimumSightings(of length: Int) -> Int { max(1, length / 20) }

    /// Fills in a joint's positions, interpolated linearly over missing frames and held at both ends.
    private mutating func fill(_ joint: Int, from sequence: PoseSequence, frames: [Int]) {
        let size = sequence.frameSize
        func isSeen(_ index: Int) -> Bool { sequence.points[frames[index] * size + joint * 3 + 2] > 0 }
        let seen = (0..<length).filter(isSeen)
        guard seen.count >= Self.minimumSightings(of: length) else { return }
        var next = 0
        for index in 0..<length {
            while next < seen.count, seen[next] < index { next += 1 }
            let after = seen[min(next, seen.count - 1)]
            let before = next < seen.count && seen[next] == index ? index : seen[max(next - 1, 0)]
            let share = after > before ? min(1, max(0, Float(index - before) / Float(after - before))) : 0
            for axis in 0..<2 {
                let (low, high) = (
                    sequence.points[frames[before] * size + joint * 3 + axis],
                    sequence.points[frames[after] * size + joint * 3 + axis]
                )
                positions[(index * joints + joint) * 2 + axis] = low + (high - low) * share
            }
        }
    }

    subscript(frame: Int, joint: Int) -> SIMD2<Float> {
        get {
            let index = (frame * joints + joint) * 2
            return SIMD2(positions[index], positions[index + 1])
        }
        set {
            let index = (frame * joints + joint) * 2
            (positions[index], positions[index + 1]) = (newValue.x, newValue.y)
        }
    }

    func isSeen(_ joint: Int) -> Bool { !positions[joint * 2].isNaN }
}

extension MotionWindow {
    /// Moves the centre to the origin and scales the torso to length 1; false if either cannot be measured.
    private mutating func normalise() -> Bool {
        removeOutliers()
        let centres = isSeen(subject.centre) ? [subject.centre] : subject.centreSubstitutes.filter(isSeen)
        guard !centres.isEmpty, let scale = size(), scale > 0 else { return false }
        let path = (0..<length).map { mean(of: centres, in: $0) }
        let centre = SIMD2(path.map(\.x).quantile(0.5) ?? 0, path.map(\.y).quantile(0.5) ?? 0)
        for frame in 0..<length {
            for joint in 0..<subject.joints.count { self[frame, joint] = (self[frame, joint] - centre) / scale }
        }
        return true
    }

    /// A median filter over five frames, which removes the short jumps of a joint that was mistaken for another.
    private mutating func removeOutliers() {
        let original = self
        for joint in 0..<subject.joints.count where isSeen(joint) {
            for frame in 0..<length {
                func near(_ offset: Int) -> SIMD2<Float> { original[min(max(frame + offset, 0), length - 1), joint] }
                let (a, b, c, d, e) = (near(-2), near(-1), near(0), near(1), near(2))
                self[frame, joint] = SIMD2(Self.median(a.x, b.x, c.x, d.x, e.x), Self.median(a.y, b.y, c.y, d.y, e.y))
            }
        }
    }

    /// The length of the torso or hand: the longest of the visible measures, each by its median over the window.
    private func size() -> Float? {
        let lengths = subject.measures.compactMap { measure -> Float? in
            let (from, to) = (measure.from.filter(isSeen), measure.to.filter(isSeen))
            guard !from.isEmpty, !to.isEmpty else { return nil }
            let distances = (0..<length).map { frame in
                let displacement = mean(of: from, in: frame) - mean(of: to, in: frame)
                return (displacement * displacement).sum().squareRoot()
            }
            return measure.factor * (distances.quantile(0.5) ?? 0)
        }
        return lengths.max()
    }

    private func mean(of joints: [Int], in frame: Int) -> SIMD2<Float> {
        joints.reduce(.zero) { $0 + self[frame, $1] } / Float(joints.count)
    }

    private static func median(_ a: Float, _ b: Float, _ c: Float, _ d: Float, _ e: Float) -> Float {
        let low = max(min(a, b), min(c, d))
        let high = min(max(a, b), max(c, d))
        return max(min(low, high), min(max(low, high), e))
    }
}
