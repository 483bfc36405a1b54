package import Foundation

/// A time segment of one action.
package struct ActionSegment: Hashable, Sendable, Codable {
    /// When it begins and ends, seconds from the first frame.
    package var start, end: TimeInterval
    /// The class; nil if it is none of them.
    package var label: String?
    /// The mean probability of the class over the segment, 0...1; of the most likely class if it is none of them.
    package var confidence: Double
}
