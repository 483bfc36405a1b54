public import Foundation
public import KinemaCore

/// The joints of one body or hand over time, in any unit that is the same for x and y, y up.
public struct PoseSequence: Hashable, Sendable {
    /// The subject of the sequence.
    public let subject: ActionSubject
    /// The joints of a frame, in order; the subject's, unless a classifier asked for others.
    public let joints: [JointKey]
    /// The time of each frame in seconds, increasing.
    public private(set) var times: [TimeInterval]
    /// The x, y and confidence (0...1; 0 for a joint that was not detected) of each joint in their order, for each
    /// frame.
    public private(set) var points: [Float]

    /// The confidence below which a joint counts as not seen; OpenPose's own pictures omit such joints.
    package static let minimumConfidence: Float = 0.05

    /// The largest coordinate, in pixels: a hundred times the largest picture, so that squared lengths stay exact.
    package static let maximumCoordinate: Float = 1e6

    /// The picture's position in the sequence's coordinates.
    package struct Picture: Hashable, Sendable {
        /// The picture's width; 1 for unconverted numbers of a file.
        package var width: Float = 1
        /// The y of the picture's upper edge; 0 if y points down.
        package var top: Float = 0

        package init(width: Float = 1, top: Float = 0) { (self.width, self.top) = (width, top) }
    }

    package var picture = Picture()

    /// Creates an empty sequence, of the subject's joints or of others.
    package init(_ subject: ActionSubject, joints: [JointKey]? = nil) {
        self.subject = subject
        self.joints = joints ?? subject.joints
        (times, points) = ([], [])
    }

    /// Creates a sequence from poses, nil in frames without a person; `aspectRatio` is the frame's width / height.
    public init(
        _ subject: ActionSubject, joints: [JointKey]? = nil,
        poses: some Sequence<(time: TimeInterval, pose: Pose?)>, aspectRatio: Double
    ) {
        self.init(subject, joints: joints)
        for (time, pose) in poses { append(pose, at: time, aspectRatio: aspectRatio) }
    }

    package func replacing(times: [TimeInterval] = [], points: [Float] = []) -> PoseSequence {
        var result = self
        (result.times, result.points) = (times, points)
        return result
    }

    /// The number of frames.
    public var count: Int { times.count }
    /// The number of values per frame.
    package var frameSize: Int { joints.count * 3 }
    /// The time from the first frame to the last, in seconds.
    package var duration: TimeInterval { count > 1 ? times[count - 1] - times[0] : 0 }

    /// The time for which the frames are shown, the last one as long as the others on average; 0 for a single frame.
    package var shownDuration: TimeInterval { count > 1 ? duration * Double(count) / Double(count - 1) : 0 }

    /// Appends a frame; ignored if the time is not after the last one.
    package mutating func append(_ pose: Pose?, at time: TimeInterval, aspectRatio: Double) {
        var frame: [Float] = []
        frame.reserveCapacity(frameSize)
        for key in joints {
            let joint = pose?.keypoints[key]
            frame.append(Float((joint?.location.x ?? 0) * aspectRatio))
            frame.append(Float(joint?.location.y ?? 0))
            frame.append(joint?.confidence ?? 0)
        }
        picture = Picture(width: Float(aspectRatio), top: 1)
        append(frame, at: time)
    }

    /// Appends a frame of x, y and confidence for each joint in their order.
    ///
    /// Values that are not finite or beyond `maximumCoordinate` count as not seen. Frames of another size, times not
    /// after the last one and times beyond 10^10 s are ignored.
    package mutating func append(_ frame: [Float], at time: TimeInterval) {
        guard frame.count == frameSize, TimeGrid.isValid(time), times.last.map({ time > $0 }) ?? true else { return }
        times.append(time)
        for start in stride(from: 0, to: frame.count, by: 3) {
            let isSeen =
                frame[start..<start + 3].allSatisfy { abs($0) <= Self.maximumCoordinate }
                && frame[start + 2] >= Self.minimumConfidence
            points.append(contentsOf: isSeen ? frame[start..<start + 3] : [0, 0, 0])
        }
    }

    package mutating func removeFirst(_ frames: Int) {
        times.removeFirst(frames)
        points.removeFirst(frames * frameSize)
    }

    /// The share of frames in which at least three joints are visible.
    package var visibleFraction: Double {
        guard count > 0 else { return 0 }
        let seen = (0..<count).count { frame in
            joints.indices.count { points[frame * frameSize + $0 * 3 + 2] > 0 } >= 3
        }
        return Double(seen) / Double(count)
    }

    /// Every Nth frame, from the first.
    package func every(_ step: Int) -> PoseSequence {
        picking(Array(stride(from: 0, to: count, by: step)))
    }

    /// The frames between two times, seconds.
    package func clipped(to range: Range<TimeInterval>) -> PoseSequence {
        picking((0..<count).filter { range.contains(times[$0]) })
    }

    private func picking(_ frames: [Int]) -> PoseSequence {
        replacing(times: frames.map { times[$0] }, points: frames.flatMap(frame))
    }

    /// The x, y and confidence of each joint in a frame.
    package func frame(_ index: Int) -> ArraySlice<Float> { points[index * frameSize..<(index + 1) * frameSize] }
}

extension PoseSequence {
    /// The longest gap of a joint that is interpolated, in seconds: about half a quick repetition.
    package static let maximumGap: TimeInterval = 0.5

    /// The longest pause between two frames, in seconds; longer pauses are shortened to it.
    static let maximumPause: TimeInterval = 60

    /// The maximum number of frames of a resampled sequence: nine hours at 30 fps, which take 220 MB.
    package static let maximumFrames = 1_000_000

    /// Resamples the sequence at an even frame rate; nil beyond `maximumFrames`.
    ///
    /// Joints are interpolated over gaps of up to half a second. Pauses longer than both a minute and two windows are
    /// shortened to the longer of these.
    package func resampled(rate: Double, window: TimeInterval) -> PoseSequence? {
        guard count > 1, duration > 0 else { return self }
        let shortened = shorteningPauses(to: max(Self.maximumPause, 2 * window))
        return shortened.grid(rate: rate).map { shortened.resampled(at: $0.times) }
    }

    /// The number of frames that resampling gives; nil beyond `maximumFrames`.
    package func frames(rate: Double, window: TimeInterval) -> Int? {
        guard count > 1, duration > 0 else { return count }
        return shorteningPauses(to: max(Self.maximumPause, 2 * window)).grid(rate: rate)?.count
    }

    private func grid(rate: Double) -> TimeGrid? {
        TimeGrid(from: times[0], to: times[count - 1], rate: rate, limit: Self.maximumFrames)
    }

    private func shorteningPauses(to longest: TimeInterval) -> PoseSequence {
        var (shifted, excess) = ([TimeInterval](), 0.0)
        for (index, time) in times.enumerated() {
            if index > 0 { excess += max(0, time - times[index - 1] - longest) }
            shifted.append(time - excess)
        }
        return excess > 0 ? replacing(times: shifted, points: points) : self
    }

    /// Resamples the sequence at the given times, which must increase; beyond its ends, the end values are held.
    package func resampled(at targetTimes: [TimeInterval]) -> PoseSequence {
        var result = replacing()
        var frames = [Float](repeating: 0, count: targetTimes.count * frameSize)
        for joint in joints.indices {
            let seen = (0..<count).filter { points[$0 * frameSize + joint * 3 + 2] > 0 }
            guard !seen.isEmpty else { continue }
            var next = 0
            for (index, time) in targetTimes.enumerated() {
                while next < seen.count, times[seen[next]] < time { next += 1 }
                let start = (index * frameSize) + joint * 3
                let value = point(
                    joint, at: time, before: next > 0 ? seen[next - 1] : nil, after: seen.dropFirst(next).first)
                for axis in 0..<3 { frames[start + axis] = value[axis] }
            }
        }
        for (index, time) in targetTimes.enumerated() {
            result.append(Array(frames[index * frameSize..<(index + 1) * frameSize]), at: time)
        }
        return result
    }

    private func point(_ joint: Int, at time: TimeInterval, before: Int?, after: Int?) -> SIMD3<Float> {
        func seen(_ frame: Int) -> SIMD3<Float> {
            let start = frame * frameSize + joint * 3
            return SIMD3(points[start], points[start + 1], points[start + 2])
        }
        switch (before, after) {
        case (let before?, let after?) where times[after] - times[before] <= Self.maximumGap:
            let share = Float((time - times[before]) / (times[after] - times[before]))
            return seen(before) * (1 - share) + seen(after) * share
        case (let before?, let after?):
            // In a gap too long to interpolate, only times close to a sighting count as seen.
            let nearest = time - times[before] < times[after] - time ? before : after
            return abs(times[nearest] - time) <= Self.maximumGap / 4 ? seen(nearest) : .zero
        case (let nearest?, nil), (nil, let nearest?):
            return abs(times[nearest] - time) <= Self.maximumGap / 4 ? seen(nearest) : .zero
        case (nil, nil): return .zero
        }
    }
}

/// The subject of an action: a body of 18 joints or a hand of 21, in the joint orders of Create ML's classifiers.
public enum ActionSubject: String, Hashable, Sendable, Codable, CaseIterable {
    /// A body: OpenPose's 18 joints.
    case body
    /// A hand: its 21 joints.
    case hand

    /// The joints in the order of a window's columns.
    public var joints: [JointKey] { self == .body ? Pose.arrayJoints : HandSkeleton.joints }

    /// For each joint, the index of its mirror partner; a hand's joints map to themselves.
    package var mirrored: [Int] {
        self == .body ? [0, 1, 5, 6, 7, 2, 3, 4, 11, 12, 13, 8, 9, 10, 15, 14, 17, 16] : Array(0..<21)
    }

    /// The joint that is the origin of coordinates: the neck or the wrist.
    package var centre: Int { self == .body ? 1 : 0 }

    /// The joints whose mean replaces a missing centre: shoulders or knuckles.
    package var centreSubstitutes: [Int] { self == .body ? [2, 5] : [5, 9, 13, 17] }

    /// The lengths that give the size: from the mean of some joints to that of others, with the factor to torso
    /// lengths.
    ///
    /// The longest counts, because turning and leaning only shorten a length. The shoulders are about 0.8 torso lengths
    /// apart: Winter, Biomechanics and Motor Control of Human Movement, table of segment lengths (0.259 of the height
    /// from shoulder to shoulder, 0.288 + 0.03 from hip to neck).
    package var measures: [(from: [Int], to: [Int], factor: Float)] {
        switch self {
        case .body: [(from: [1], to: [8, 11], factor: 1), (from: [2], to: [5], factor: 1.2)]
        case .hand: [(from: [0], to: [9], factor: 1), (from: [5], to: [17], factor: 1.6)]
        }
    }

    /// Pairs of joints whose distance is a feature: hands to each other, to the face and to the trunk.
    package var links: [(Int, Int)] {
        switch self {
        case .body:
            [
                (4, 7), (4, 0), (7, 0), (4, 2), (7, 5), (4, 8), (7, 11), (4, 5), (7, 2), (3, 6), (10, 13), (4, 6),
                (7, 3), (8, 10), (11, 13),
            ]
        case .hand:
            [
                (4, 8), (8, 12), (12, 16), (16, 20), (4, 20), (0, 4), (0, 8), (0, 12), (0, 16), (0, 20), (4, 5),
                (4, 17),
            ]
        }
    }
}
