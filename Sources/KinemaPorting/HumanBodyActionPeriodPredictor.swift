import Foundation
public import KinemaCore
import KinemaMotion

/// Predicts for each frame of a window of poses how long a repetition takes, if the movement is periodic.
public struct HumanBodyActionPeriodPredictor: Transformer, Sendable, Codable {
    /// The prediction for one frame.
    public struct Prediction: Hashable, Sendable, Codable {
        /// How long a repetition takes, frames; 0 where nothing repeats.
        public var period: Float
        /// The confidence that the frame belongs to a periodic movement, 0...1.
        public var periodicity: Float

        /// Makes a prediction from a period in frames and a score (0...1).
        public init(period: Float, periodicity: Float) {
            self.period = period
            self.periodicity = periodicity
        }
    }

    /// Width divided by height of the pictures; nil for that of the poses (`Pose.imageSize`), 4 : 3 if they know none.
    package var aspectRatio: Double?

    /// Predicts in pictures of the given width divided by height; nil for that of the poses.
    public init(aspectRatio: Double? = nil) { self.aspectRatio = aspectRatio }

    /// One prediction for each pose of a window.
    public func applied(to input: [Pose], eventHandler: EventHandler? = nil) async throws -> [Prediction] {
        let shape = Float(aspectRatio ?? input.aspectRatio ?? 4.0 / 3)
        return SelfSimilarity(PostureDistances(input, aspectRatio: shape)).predictions
    }
}

extension [Pose] {
    /// Width divided by height of the picture that the first pose knows; nil if none does.
    var aspectRatio: Double? {
        lazy.compactMap(\.imageSize).first { $0.width > 0 && $0.height > 0 }.map { $0.width / $0.height }
    }
}
