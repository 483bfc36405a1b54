public import KinemaCore
public import KinemaMedia
public import KinemaMotion
public import KinemaVision

/// From frames to a drawing in the air: `VideoReader` → hand tracker → `PinchDrawing`.
public struct GesturePipeline: Sendable {
    /// How hands are looked for.
    public var options: HandPoseOptions
    /// What counts as a pinch.
    public var rule: PinchRule

    /// Makes a pipeline; the defaults follow both hands of one person and draw while the tips really meet.
    public init(options: HandPoseOptions = HandPoseOptions(), rule: PinchRule = .strict()) {
        self.options = options
        self.rule = rule
    }

    /// How frames become hands: as the model gives them, since smoothing would make the tips meet late.
    public var hands: PosePipeline { .handsOnly(options, smooths: false) }

    /// The frames with their hands and the drawing so far, one element a frame, in order.
    public func callAsFunction(_ frames: VideoReader.AsyncFrames) -> DrawnFrames {
        DrawnFrames(frames: hands(frames), rule: rule)
    }
}

/// A frame, the hands in it, and what they drew so far.
public struct DrawnFrame: Sendable {
    /// The picture.
    public let frame: VideoFrame
    /// The hands in it.
    public let hands: [HumanHandPoseObservation]
    /// What each hand does.
    public let states: [PinchDrawing.HandState]
    /// Pinches and lines up to this frame.
    public let drawing: PinchDrawing
}

/// Frames with the drawing so far; can be iterated once, as the frames can.
public struct DrawnFrames: TemporalSequence {
    /// A frame with the drawing so far.
    public typealias Feature = DrawnFrame

    let frames: PosedFrames
    let rule: PinchRule

    /// Unknown before reading.
    public var count: Int? { frames.count }

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator {
        Iterator(frames: frames.makeAsyncIterator(), rule: rule)
    }

    /// Reads one frame after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private var frames: PosedFrames.Iterator
        private let rule: PinchRule
        private var drawing: PinchDrawing?

        init(frames: PosedFrames.Iterator, rule: PinchRule) {
            self.frames = frames
            self.rule = rule
        }

        /// The next frame with the drawing so far; nil after the last.
        ///
        /// Throws what reading throws, and `.missingComponent` when the inference library or a model is not installed.
        public mutating func next() async throws -> TemporalFeature<DrawnFrame>? {
            guard let element = try await frames.next() else { return nil }
            let (frame, hands) = (element.feature.frame, element.feature.hands)
            var drawing =
                drawing ?? PinchDrawing(rule: rule, aspectRatio: Double(frame.width) / Double(frame.height))
            let states = drawing.append(hands, at: frame.time)
            self.drawing = drawing
            return TemporalFeature(
                id: element.id, feature: DrawnFrame(frame: frame, hands: hands, states: states, drawing: drawing))
        }
    }
}
