public import Foundation

/// How hands are looked for.
public struct HandPoseOptions: Sendable, Hashable {
    /// The most hands that are followed at once; the largest are found first.
    public var maximumHandCount: Int
    /// How often hands are looked for while fewer than that are in view, seconds.
    public var searchInterval: TimeInterval
    /// How exact the arithmetic is.
    public var precision: ModelStore.Precision

    /// Makes options; the defaults follow both hands of one person.
    public init(
        maximumHandCount: Int = 2, searchInterval: TimeInterval = 0.1, precision: ModelStore.Precision = .f32
    ) {
        self.maximumHandCount = max(0, maximumHandCount)
        self.searchInterval = searchInterval
        self.precision = precision
    }
}
