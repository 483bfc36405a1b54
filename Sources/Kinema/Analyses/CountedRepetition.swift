import Foundation
import KinemaCore
import KinemaMotion

/// A repetition and when it became certain; the JSON of `kinema count`.
public struct CountedRepetition: Codable, Sendable, Hashable {
    /// The person's number.
    public var id: Int
    /// The repetition's number for that person, from 1: in an event in order of report, in a result by time.
    public var number: Int
    /// When the movement left the starting posture, seconds.
    public var start: Double
    /// When the movement returned to it, seconds.
    public var end: Double
    /// The probability that this was a repetition, 0...1.
    public var confidence: Double
    /// The time of the frame that made it certain, seconds.
    public var known: Double
    /// The time from its end to its report, seconds; below 0 if it was reported before it ended.
    public var delay: Double

    init(_ repetition: Repetition, id: Int, number: Int, known: TimeInterval) {
        (self.id, self.number) = (id, number)
        start = repetition.start.rounded(to: 4)
        end = repetition.end.rounded(to: 4)
        confidence = Double(repetition.confidence).rounded(to: 3)
        self.known = known.rounded(to: 4)
        delay = (known - repetition.end).rounded(to: 4)
    }
}
