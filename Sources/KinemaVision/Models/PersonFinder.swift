import KinemaCore
import KinemaMedia

struct PersonFinder: Sendable {
    /// The minimum score of a box in a picture; on COCO 0.15 gives the same average precision.
    static let minimumScore: Float = 0.08
    /// The minimum score of a box in video, where the pose model follows known people.
    static let minimumStreamScore: Float = 0.15
    /// Of boxes that overlap by more than this, the best stays (intersection over union; MMDetection's value).
    static let overlap = 0.6

    private let chosen: ChosenModel
    private let model: CompiledModelHandle

    /// Throws `.unreadableInput` when the model cannot be compiled.
    init(_ chosen: ChosenModel, store: ModelStore, precision: ModelStore.Precision) throws {
        self.chosen = chosen
        model = try store.model(chosen.description, precision: precision)
    }

    /// The boxes in pixels of the picture, best first.
    func boxes(in frame: VideoFrame) throws -> [DetectedBox] {
        guard case .boxes(let decode) = chosen.manifest.decoder.decode else { return [] }
        let input = chosen.manifest.input
        let size = frame.size
        let mapping = InputMapping(input.fit, of: size, in: input.size)
        let boxes = decode(
            .init(
                arrays: try model.outputs(for: frame, mapping, input), input: input,
                personClass: chosen.manifest.personClass,
                minimumScore: frame.isPicture ? Self.minimumScore : Self.minimumStreamScore))
        return DetectedBox.suppress(boxes, overlap: Self.overlap).compactMap { found in
            var found = found
            found.box = mapping.picture(found.box)
            return found.clipped(to: size)
        }
    }
}
