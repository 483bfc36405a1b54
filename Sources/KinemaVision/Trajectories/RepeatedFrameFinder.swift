import Foundation

/// Finds frames that show the previous one once more. Converting a recording to a higher frame rate repeats every
/// fourth or fifth frame. An object in flight would seem to stop there.
struct RepeatedFrameFinder: Sendable {
    private var last: PlanePicture?
    private var lastTime = -TimeInterval.infinity
    /// The mean differences of the last frames from those before them, without repetitions.
    private var differences: [Double] = []

    /// The largest difference of a repeated pixel in levels of 255: an encoder's changes in pictures of a sixteenth of
    /// the pixels are 3 to 7, and those of the smallest movements 40 and more.
    private static let largestDifference = 8
    /// The largest mean difference of a repeated frame, as a share of that of other frames.
    private static let largestShare = 0.5
    /// The longest time without a frame that differs, in seconds; a scene at rest is no repetition.
    private static let longestRepetition = 0.07
    /// The number of frames that a repeated one is compared with.
    private static let memory = 8

    /// Takes the next frame, strongly reduced; whether it repeats the previous one.
    mutating func repeats(_ picture: PlanePicture, at time: TimeInterval) -> Bool {
        defer { last = picture }
        guard let last, last.width == picture.width, last.height == picture.height else {
            (differences, lastTime) = ([], time)
            return false
        }
        let difference = picture.difference(from: last)
        if difference.largest <= Self.largestDifference, time - lastTime < Self.longestRepetition,
            !differences.isEmpty, difference.mean < Self.largestShare * differences.sorted()[differences.count / 2]
        {
            return true
        }
        lastTime = time
        differences = Array(differences.suffix(Self.memory - 1)) + [difference.mean]
        return false
    }
}
