public import Foundation
public import KinemaCore

/// How far what a frame shows has moved since the frame before, with the names of Vision.
public struct ImageTranslationAlignmentObservation: Hashable, Sendable {
    /// A number of this observation's own.
    public let uuid: UUID
    /// How sure the movement is, 0...1: near 1 where both frames show the same, near 0 after a cut, on a blank picture,
    /// and where stripes leave open how far it went along them.
    public let confidence: Float
    /// The stretch the frame covers, seconds from the stream's first frame; nil for pictures by themselves.
    public let timeRange: Range<TimeInterval>?
    /// Takes the frame before onto this one: a shift by `tx` pixels of the frame to the right and `ty` upwards.
    public let alignmentTransform: CGAffineTransform

    init(alignmentTransform: CGAffineTransform, confidence: Float, timeRange: Range<TimeInterval>?) {
        uuid = UUID()
        self.alignmentTransform = alignmentTransform
        self.confidence = confidence
        self.timeRange = timeRange
    }

    /// Two observations are equal when they are the same observation.
    public static func == (one: Self, other: Self) -> Bool { one.uuid == other.uuid }

    /// Hashes the observation's own number.
    public func hash(into hasher: inout Hasher) { hasher.combine(uuid) }
}
