import Foundation

/// Finds frames that show the previous one once more.
///
/// Converting a recording to a higher frame rate repeats every fourth or fifth frame. An object in flight would seem
/// to stop there.
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

/// The times at which frames were taken, if they were taken at even distances.
///
/// A recording converted to a higher frame rate shows its frames up to one of its own periods late; a line through number
/// and time of the last ones tells when they were taken. One that repeats frames because others were lost shows the rest
/// in time.
struct FrameClock: Sendable {
    private var times: [TimeInterval] = []
    private var lastRepetition = -TimeInterval.infinity

    /// The number of frames in the line, two seconds at 30 frames a second.
    private static let memory = 60
    /// Times that are off the line by less are as exact as it is, in seconds, unless a frame was repeated of late.
    private static let exactness = 0.002
    /// How long a repetition makes times uncertain, in seconds.
    private static let uncertainty = 2.0

    /// When the next frame was taken, for all that even distances tell: `shown` where that agrees; nil for a repetition.
    mutating func evenTime(of shown: TimeInterval, isRepeated: Bool) -> TimeInterval? {
        if isRepeated {
            lastRepetition = shown
            return nil
        }
        times = Array(times.suffix(Self.memory - 1)) + [shown]
        guard times.count >= 3 else { return shown }
        let count = Double(times.count)
        let (middle, mean) = ((count - 1) / 2, times.reduce(0, +) / count)
        var (products, squares) = (0.0, 0.0)
        for (index, time) in times.enumerated() {
            products += (Double(index) - middle) * (time - mean)
            squares += (Double(index) - middle) * (Double(index) - middle)
        }
        let even = mean + products / squares * (count - 1 - middle)
        let isExact = abs(even - shown) < Self.exactness && shown - lastRepetition > Self.uncertainty
        return isExact ? shown : even
    }
}
