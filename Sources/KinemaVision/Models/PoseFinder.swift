import KinemaMedia

/// Finds the joints of people with a chosen model: of one in a box, or of everyone in the whole picture.
struct PoseFinder: Sendable {
    /// People in a whole picture below this score are skipped.
    static let minimumScore: Float = 0.15

    let chosen: ChosenModel
    private let model: CompiledModelHandle

    /// Throws `.unreadableInput` when the model cannot be compiled.
    init(_ chosen: ChosenModel, store: ModelStore, precision: ModelStore.Precision) throws {
        self.chosen = chosen
        model = try store.model(chosen.description, precision: precision)
    }

    /// The joints in a person's box, in pixels of the picture.
    func joints(in frame: VideoFrame, _ box: SIMD4<Double>) throws -> DecodedJoints? {
        guard case .joints(let decode) = chosen.manifest.decoder.decode else { return nil }
        let input = chosen.manifest.input
        let mapping = InputMapping(box, padding: input.padding, in: input.size)
        let outputs = try model.outputs(for: frame, mapping, input)
        return decode(.init(arrays: outputs, input: input)).map { mapping.picture($0) }
    }

    /// Everyone's joints in the whole picture, in its pixels.
    func everyone(in frame: VideoFrame) throws -> [DecodedJoints] {
        guard case .people(let decode) = chosen.manifest.decoder.decode else { return [] }
        let input = chosen.manifest.input
        let mapping = InputMapping(input.fit, of: frame.size, in: input.size)
        let outputs = try model.outputs(for: frame, mapping, input)
        return decode(.init(arrays: outputs, input: input, minimumScore: Self.minimumScore))
            .map { mapping.picture($0) }
    }
}
