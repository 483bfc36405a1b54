import KinemaMedia

/// Finds people with a chosen model: their boxes, the joints of one person in a box, or everyone's in the whole
/// picture.
struct ModelFinder: Sendable {
    /// The minimum score of a box in a picture; on COCO 0.15 gives the same average precision.
    private static let minimumPictureScore: Float = 0.08
    /// The minimum score of a box in video, where the pose model follows known people, and of everyone's joints.
    private static let minimumScore: Float = 0.15
    /// Among boxes that overlap by more than this, the best is kept (intersection over union; MMDetection's value).
    private static let overlap = 0.6

    let chosen: ChosenModel
    private let model: CompiledModelHandle

    /// Throws `.unreadableInput` when the model cannot be compiled.
    init(_ chosen: ChosenModel, store: ModelStore, precision: ModelStore.Precision) throws {
        self.chosen = chosen
        model = try store.model(chosen.description, precision: precision)
    }

    /// The boxes in pixels of the picture, best first.
    func boxes(in frame: VideoFrame) throws -> [DetectedBox] {
        guard case .boxes(let decode) = chosen.manifest.decoder.decode else { return [] }
        let mapping = InputMapping(input.fit, of: frame.size, in: input.size)
        let minimum = frame.isPicture ? Self.minimumPictureScore : Self.minimumScore
        let boxes = decode(try outputs(for: frame, mapping, minimumScore: minimum))
        return DetectedBox.suppress(boxes, overlap: Self.overlap).compactMap { found in
            let (low, high) = (
                mapping.picture(SIMD2(found.box.x, found.box.y)), mapping.picture(SIMD2(found.box.z, found.box.w))
            )
            return DetectedBox(box: SIMD4(low.x, low.y, high.x, high.y), score: found.score).clipped(to: frame.size)
        }
    }

    /// The joints in a person's box, in pixels of the picture.
    func joints(in frame: VideoFrame, _ box: SIMD4<Double>) throws -> DecodedJoints? {
        guard case .joints(let decode) = chosen.manifest.decoder.decode else { return nil }
        let mapping = InputMapping(box, padding: input.padding, in: input.size)
        return decode(try outputs(for: frame, mapping)).map { mapping.picture($0) }
    }

    /// Everyone's joints in the whole picture, in its pixels.
    func everyone(in frame: VideoFrame) throws -> [DecodedJoints] {
        guard case .people(let decode) = chosen.manifest.decoder.decode else { return [] }
        let mapping = InputMapping(input.fit, of: frame.size, in: input.size)
        return decode(try outputs(for: frame, mapping, minimumScore: Self.minimumScore)).map { mapping.picture($0) }
    }

    private var input: ModelManifest.Input { chosen.manifest.input }

    /// The model's outputs for a part of a frame, in the decoder's order.
    private func outputs(
        for frame: VideoFrame, _ mapping: InputMapping, minimumScore: Float = 0
    ) throws -> ModelDecoder.Outputs {
        let arrays = try model.withRequest { request in
            RegionSampler.sample(
                frame, mapping, into: request.input, width: input.width, height: input.height,
                border: .level(UInt8(input.border)))
            try request.infer()
            return request.outputs.map(\.array)
        }
        return .init(
            arrays: arrays, input: input, personClass: chosen.manifest.personClass, minimumScore: minimumScore)
    }
}
