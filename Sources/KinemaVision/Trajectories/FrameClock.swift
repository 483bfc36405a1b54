import Foundation

/// The times at which frames were taken, at equal intervals. A conversion to a higher rate shows frames up to one
/// period late; a line through number and time of the last frames gives the capture times.
struct FrameClock: Sendable {
    private var times: [TimeInterval] = []
    private var lastRepetition = -TimeInterval.infinity

    /// The number of frames in the line, two seconds at 30 frames a second.
    private static let memory = 60
    /// Times that are off the line by less are exact, in seconds, unless a frame was repeated recently.
    private static let exactness = 0.002
    /// The time for which a repetition makes times uncertain, in seconds.
    private static let uncertainty = 2.0

    /// The capture time of the next frame, by equal intervals: `shown` where that agrees; nil for a repetition.
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
