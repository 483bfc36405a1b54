public import Foundation
public import KinemaCore

/// One recording from which an exercise is learnt: the poses of a person who repeats it correctly, or with a named
/// fault.
///
/// Give it every pose in order of time, then call `finish()`.
public struct Demonstration: Sendable {
    /// The fault that every repetition shows; nil if they are correct.
    package let fault: String?
    /// The repetitions to learn from, by number from 1; nil for all.
    package var kept: ClosedRange<Int>?
    /// The repetitions found, in order of time.
    package private(set) var repetitions: [Repetition] = []
    private var counter: RepetitionCounter
    private var follower: BodyFollower
    /// The number of cuts in the recording.
    package private(set) var cuts = 0

    /// The longest recording for which readings are kept, seconds.
    static let memory: TimeInterval = 300

    /// Creates a demonstration without poses, in pictures of the given width divided by height.
    public init(aspectRatio: Double, fault: String? = nil, kept: ClosedRange<Int>? = nil) {
        (self.fault, self.kept) = (fault, kept)
        counter = RepetitionCounter(aspectRatio: aspectRatio, expecting: .exercise)
        follower = BodyFollower(aspectRatio: aspectRatio, memory: Self.memory)
    }

    /// Adds the pose of the next frame, nil when the person is not seen, at a time in seconds.
    public mutating func append(_ pose: Pose?, at time: TimeInterval) {
        repetitions += counter.append(pose, at: time)
        if case .reading(_, let isCut) = follower.follow(pose, at: time), isCut { cuts += 1 }
    }

    /// Ends the recording.
    public mutating func finish() {
        _ = counter.finish()
        repetitions = counter.repetitions
    }

    /// The chosen repetitions on the common phase.
    var courses: [RepetitionCourse] { chosen.compactMap { course(of: $0.element) } }
    /// The numbers of the chosen repetitions that show too little of the body to learn from.
    package var unseen: [Int] { chosen.filter { course(of: $0.element) == nil }.map { $0.offset + 1 } }

    private var chosen: [(offset: Int, element: Repetition)] {
        repetitions.enumerated().filter { kept?.contains($0.offset + 1) ?? true }
    }

    private func course(of one: Repetition) -> RepetitionCourse? {
        RepetitionCourse(follower.trail, from: one.start, to: one.end)
    }
}
