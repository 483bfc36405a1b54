public import Foundation

/// The options of the search for hands.
public struct HandPoseOptions: Sendable, Hashable {
    /// The maximum number of hands to track at once; larger hands take precedence.
    public var maximumHandCount: Int
    /// The interval between searches while fewer hands than the maximum are in view, in seconds.
    package var searchInterval: TimeInterval
    /// The numeric precision of inference.
    package var precision: ModelStore.Precision
    /// Whether to read each hand a second time from a tighter region and report that reading.
    ///
    /// It detects fingertips that touch in front of skin and costs another inference per hand.
    public var readsCloseUp: Bool

    /// Creates options; the defaults track both hands of one person.
    public init(
        maximumHandCount: Int = 2, searchInterval: TimeInterval = 0.1, precision: ModelStore.Precision = .f32,
        readsCloseUp: Bool = false
    ) {
        self.maximumHandCount = max(0, maximumHandCount)
        (self.searchInterval, self.precision, self.readsCloseUp) = (searchInterval, precision, readsCloseUp)
    }
}
