package import KinemaMedia

/// The inputs of the landmark models, as RGB bytes, for calibration by `script/quantise`. Each region appears as
/// detected and as tracked.
package struct LandmarkInputs {
    package let model: ModelDescription
    private let sampler: CompiledModelHandle
    private let regions: (VideoFrame) throws -> [Region]

    private static let mostOfFrame = 3

    /// The inputs of the body landmarks, or of the hand landmarks; always in 32 bits.
    package init(hands: Bool, store: ModelStore = .shared) throws {
        model = hands ? ModelCatalogue.handLandmarks : ModelCatalogue.bodyLandmarks
        sampler = try store.model(model, precision: .f32)
        if hands {
            let search = HandSearch(
                detector: try .palms(store: store, precision: .f32),
                landmarker: try HandLandmarker(store: store, precision: .f32))
            regions = { frame in
                try search.hands(in: frame, maximumCount: Self.mostOfFrame).flatMap {
                    [$0.region, $0.nextRegion, $0.closeUpRegion]
                }
            }
        } else {
            let detector = try AnchorDetector.bodies(store: store, precision: .f32)
            let landmarker = try BodyLandmarker(store: store, precision: .f32)
            regions = { frame in
                try detector.detect(in: frame).prefix(Self.mostOfFrame).flatMap { found in
                    let first = Region(middle: found.keypoints[0], rim: found.keypoints[1])
                    let body = try landmarker.body(in: frame, first, isTracked: false)
                    return [first] + (body.map { [Region(middle: $0.middle, rim: $0.rim)] } ?? [])
                }
            }
        }
    }

    /// The inputs in a frame, each the model's side x side x RGB bytes, top row first.
    package func inputs(of frame: VideoFrame) throws -> [[UInt8]] {
        try regions(frame).filter { $0.isValid(for: frame.size) }.map { region in
            try sampler.withRequest { request in
                RegionSampler.sample(frame, region, into: request.input, side: model.input.shape[1], border: .repeated)
                return Array(request.input)
            }
        }
    }
}
