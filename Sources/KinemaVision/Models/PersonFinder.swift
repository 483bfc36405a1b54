import Foundation
import KinemaCore
import KinemaMedia

/// Where the pixels of a model's input lie in the picture: `origin` + pixel x `step`, without rotation.
struct InputMapping: Sendable, Equatable {
    /// The picture's position of the input's first pixel.
    var origin: SIMD2<Double>
    /// The distance between neighbouring pixels of the input in the picture.
    var step: SIMD2<Double>

    /// The whole picture in an input; the outermost samples are half a step from the picture's edge when it is stretched.
    init(_ fit: ModelManifest.Fit, of size: SIMD2<Double>, in input: SIMD2<Double>) {
        step = size / input
        if fit == .stretch {
            origin = step / 2 - 0.5
            return
        }
        let scale = step.max()
        step = SIMD2(repeating: scale)
        let rest = fit == .letterbox ? ((input - size / scale) / 2).rounded(.down) : .zero
        origin = step / 2 - 0.5 - rest * step
    }

    /// A box with padding, widened to the input's shape about its centre.
    init(_ box: SIMD4<Double>, padding: Double, in input: SIMD2<Double>) {
        let center = SIMD2(box.x + box.z, box.y + box.w) / 2
        let scale = (SIMD2(box.z - box.x, box.w - box.y) / input).max() * padding
        step = SIMD2(repeating: max(scale, 1e-3))
        origin = center - input / 2 * step
    }

    /// The picture's position of a point of the input.
    func picture(_ point: SIMD2<Double>) -> SIMD2<Double> { origin + point * step }

    /// The picture's box of a box of the input.
    func picture(_ box: SIMD4<Double>) -> SIMD4<Double> {
        let (low, high) = (picture(SIMD2(box.x, box.y)), picture(SIMD2(box.z, box.w)))
        return SIMD4(low.x, low.y, high.x, high.y)
    }
}

extension ModelManifest.Input {
    /// The size in pixels.
    var size: SIMD2<Double> { SIMD2(Double(width), Double(height)) }
}

extension CompiledModelHandle {
    /// Runs a chosen model on a part of a frame; the outputs are in the decoder's order.
    func outputs(
        for frame: VideoFrame, _ mapping: InputMapping, _ input: ModelManifest.Input
    ) throws -> [ShapedArray<Float>] {
        try withRequest { request in
            RegionSampler.sample(
                frame, mapping, into: request.input, width: input.width, height: input.height,
                border: .level(UInt8(input.border)))
            try request.infer()
            return request.outputs.map(\.array)
        }
    }
}

/// Finds the boxes of people in the whole picture with a chosen detector.
struct PersonFinder: Sendable {
    /// Boxes below this score are not looked at: joints tell better than boxes whether there is a person. On the COCO
    /// pictures 0.15 gives the same average precision.
    static let minimumScore: Float = 0.08
    /// The same in video, where the pose model follows those found and doubtful ones would cost it time.
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
        let (input, person) = (chosen.manifest.input, chosen.manifest.personClass)
        let size = SIMD2(Double(frame.width), Double(frame.height))
        let mapping = InputMapping(input.fit, of: size, in: input.size)
        let outputs = try model.outputs(for: frame, mapping, input)
        let least = frame.isPicture ? Self.minimumScore : Self.minimumStreamScore
        let boxes =
            switch chosen.manifest.decoder {
            case .picodet:
                PersonDetectors.picoDet(
                    boxes: outputs[0], scores: outputs[1], personClass: person, minimumScore: least)
            case .yolox:
                PersonDetectors.yolox(
                    outputs[0], width: input.width, height: input.height, personClass: person,
                    minimumScore: least)
            default:
                PersonDetectors.suppressed(
                    outputs[0], labels: outputs.count > 1 ? outputs[1] : nil, personClass: person,
                    minimumScore: least)
            }
        return PersonDetectors.suppress(boxes, overlap: Self.overlap).compactMap { found in
            var found = found
            let box = mapping.picture(found.box)
            let low = pointwiseMax(SIMD2(box.x, box.y), .zero)
            let high = pointwiseMin(SIMD2(box.z, box.w), size)
            found.box = SIMD4(low.x, low.y, high.x, high.y)
            // A pixel or two show nobody.
            return high.x - low.x >= 4 && high.y - low.y >= 4 ? found : nil
        }
    }
}

/// Finds the joints of people with a chosen model: of one in a box, or of everyone in the whole picture.
struct PoseFinder: Sendable {
    /// People of a whole picture below this score are not looked at.
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
        let input = chosen.manifest.input
        let mapping = InputMapping(box, padding: input.padding, in: input.size)
        let outputs = try model.outputs(for: frame, mapping, input)
        let joints =
            chosen.manifest.decoder == .simcc
            ? PoseDecoders.simCC(x: outputs[0], y: outputs[1], width: input.width, height: input.height)
            : PoseDecoders.heatMaps(outputs[0], width: input.width, height: input.height)
        return joints.map { mapping.picture($0) }
    }

    /// Everyone's joints in the whole picture, in its pixels.
    func everyone(in frame: VideoFrame) throws -> [DecodedJoints] {
        let input = chosen.manifest.input
        let mapping = InputMapping(
            input.fit, of: SIMD2(Double(frame.width), Double(frame.height)), in: input.size)
        let outputs = try model.outputs(for: frame, mapping, input)
        let (output, least) = (outputs[0], Self.minimumScore)
        let people =
            switch chosen.manifest.decoder {
            case .rtmo: PoseDecoders.rtmo(boxes: output, joints: outputs[1], minimumScore: least)
            case .yoloPose: PoseDecoders.yoloPose(output, minimumScore: least)
            case .movenetMulti:
                PoseDecoders.moveNetMulti(output, width: input.width, height: input.height, minimumScore: least)
            default: PoseDecoders.moveNet(output, width: input.width, height: input.height)
            }
        return people.map { mapping.picture($0) }
    }
}

extension InputMapping {
    fileprivate func picture(_ joints: DecodedJoints) -> DecodedJoints {
        var joints = joints
        joints.points = joints.points.map { picture($0) }
        return joints
    }
}
