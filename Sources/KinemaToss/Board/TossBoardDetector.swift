public import Foundation
public import KinemaMedia

/// Tells roughly where the board is: what the sample's trained object detector does; plug in one of your own.
public protocol TossBoardDetector: Sendable {
    /// The box around the board (normalised, origin at the lower left) and how sure it is (0...1); nil without a board.
    func box(in frame: VideoFrame) async throws -> (box: CGRect, confidence: Float)?
}

/// A box that is known beforehand.
public struct KnownBoardBox: TossBoardDetector {
    /// Normalised, origin at the lower left.
    public let box: CGRect

    /// Makes a detector that always says the same box (normalised, origin at the lower left).
    public init(_ box: CGRect) {
        self.box = box
    }

    /// The box, for certain.
    public func box(in frame: VideoFrame) -> (box: CGRect, confidence: Float)? { (box, 1) }
}
