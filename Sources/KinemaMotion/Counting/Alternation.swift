import Foundation

/// How movements that alternate sides are counted, such as lunges, marching or curls of one arm after the other.
///
/// It has no effect on movements that do not alternate.
public enum Alternation: String, Sendable, Hashable, Codable, CaseIterable {
    /// Left and right together are one repetition; a side left over at the end is one too.
    case pairs
    /// Each side is a repetition.
    case each
}
