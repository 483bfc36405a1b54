public import KinemaCore

/// Tells for each frame of a window of poses how long a repetition takes there, if the movement is periodic.
public struct HumanBodyActionPeriodPredictor: Transformer, Sendable, Codable {
    /// What is known about one frame.
    public struct Prediction: Hashable, Sendable, Codable {
        /// How long a repetition takes, frames; 0 where nothing repeats.
        public var period: Float
        /// How sure it is that the frame belongs to a periodic movement, 0...1.
        public var periodicity: Float

        /// Makes a prediction from a period in frames and a score (0...1).
        public init(period: Float, periodicity: Float) {
            self.period = period
            self.periodicity = periodicity
        }
    }

    /// Width divided by height of the pictures.
    public var aspectRatio: Double

    /// Predicts in pictures of common shape, 4 : 3.
    public init() {
        self.init(aspectRatio: 4.0 / 3)
    }

    /// Predicts in pictures of the given width divided by height.
    public init(aspectRatio: Double) {
        self.aspectRatio = aspectRatio
    }

    /// One prediction for each pose of a window.
    public func applied(to input: [Pose], eventHandler: EventHandler? = nil) async throws -> [Prediction] {
        var reader = PostureReader(aspectRatio: aspectRatio)
        // Only the order matters here; thirty a second is what the reader's smoothing was chosen for.
        let postures = input.enumerated().map { index, pose in reader.read(pose, at: Double(index) / 30) }
        return SelfSimilarity(postures).predictions
    }
}
