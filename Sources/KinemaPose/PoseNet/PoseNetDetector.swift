import KinemaSampling
public import Foundation
public import KinemaCore
public import KinemaMedia

/// Finds all people in a picture with a PoseNet model: stretch, infer, dequantize the maps, build the poses.
struct PoseNetDetector: Sendable {
    let options: PoseNetOptions
    private let model: CompiledModelHandle

    /// Throws `.missingComponent` without the library, `.unreadableInput` for a bad model, `.invalidArgument`.
    init(options: PoseNetOptions, store: ModelStore) throws {
        try options.configuration.validate()
        self.options = options
        model = try store.model(options.model.description, precision: options.precision)
    }

    func people(in frame: VideoFrame) throws -> [DecodedPose] {
        try PoseBuilder(output: output(for: frame), configuration: options.configuration).decode()
    }

    func output(for frame: VideoFrame) throws -> PoseNetOutput {
        try PoseNetOutput(
            prediction: prediction(for: frame), modelInputSize: options.model.modelInputSize,
            modelOutputStride: options.model.outputStride)
    }

    func prediction(for frame: VideoFrame) throws -> PoseNetPrediction {
        let poseNet = options.model
        let maps = try model.withRequest { request in
            let (width, height) = (poseNet.inputWidth, poseNet.inputHeight)
            let mapping = InputMapping(.stretch, of: frame.size, in: SIMD2(Double(width), Double(height)))
            RegionSampler.sample(frame, mapping, into: request.input, width: width, height: height, border: .repeated)
            try request.infer()
            return zip(request.outputs, poseNet.maps).map { view, tensor in
                (0..<view.count).map { (view[$0] - tensor.zeroPoint) * tensor.scale }
            }
        }
        // A map for both directions has 32 forward channels, then 32 backward ones.
        return PoseNetPrediction(
            heatmap: poseNet.maps[0].isLogistic ? maps[0] : maps[0].map { 1 / (1 + exp(-$0)) }, offsets: maps[1],
            displacementFwd: maps.count == 3 ? Self.channels(0..<32, of: 64, in: maps[2]) : maps[2],
            displacementBwd: maps.count == 3 ? Self.channels(32..<64, of: 64, in: maps[2]) : maps[3],
            gridWidth: poseNet.grid.width, gridHeight: poseNet.grid.height)
    }

    private static func channels(_ range: Range<Int>, of count: Int, in map: [Float]) -> [Float] {
        var result: [Float] = []
        result.reserveCapacity(map.count / count * range.count)
        for cell in stride(from: 0, to: map.count, by: count) {
            result += map[(cell + range.lowerBound)..<(cell + range.upperBound)]
        }
        return result
    }
}

/// An image stretched to the size of a PoseNet model's input.
public struct PoseNetInput: Sendable {
    let image: VideoFrame
    /// The size to stretch it to, pixels: the model's `modelInputSize`.
    let size: CGSize

    /// Takes a frame and the size of the model's input.
    public init(image: VideoFrame, size: CGSize) { (self.image, self.size) = (image, size) }

    /// Takes an image in memory and the size of the model's input.
    public init(image: Bitmap, size: CGSize) {
        self.init(image: VideoFrame(bitmap: image, id: .inMemory), size: size)
    }
}

/// A PoseNet model's maps for one image, each of shape [rows, columns, channels] with the top row first.
public struct PoseNetPrediction: Sendable {
    /// The probability of each of the 17 joints in a cell, 0...1.
    let heatmap: [Float]
    /// From a cell to each joint near it, pixels of the input: 17 y, 17 x.
    let offsets: [Float]
    /// From parent joint to child along each of the 16 edges, pixels of the input: 16 y, 16 x.
    let displacementFwd: [Float]
    /// From child joint to parent along each of the 16 edges, pixels of the input: 16 y, 16 x.
    let displacementBwd: [Float]
    let gridWidth: Int
    let gridHeight: Int
}

extension PoseNetModel {
    /// The size of the model's input, pixels.
    public var modelInputSize: CGSize { CGSize(width: inputWidth, height: inputHeight) }

    /// Runs the model; the first call compiles it.
    ///
    /// Throws `.invalidArgument` for an input of another size, `.missingComponent` without the inference library,
    /// `.unreadableInput` when the model cannot be compiled.
    public func prediction(from input: PoseNetInput) throws -> PoseNetPrediction {
        guard input.size == modelInputSize else {
            throw KinemaError(
                .invalidArgument, "this PoseNet takes \(inputWidth)x\(inputHeight) pixels; make the input of that size",
                file: file.path)
        }
        return try PoseNetDetector(options: PoseNetOptions(model: self), store: .shared).prediction(for: input.image)
    }
}

/// A joint with the members that it has in Apple's PoseNet sample.
public struct PoseNetJoint: Hashable, Sendable {
    /// The joint's name.
    public let name: JointKey
    /// The position in pixels of the image, origin at the upper left; (0, 0) if the joint was not found.
    public let position: CGPoint
    /// The probability that the joint is at `position`, 0...1; 0 below the builder's threshold.
    public let confidence: Double
    /// Whether the joint was found, as `JointPoint.isValid`.
    public let isValid: Bool
}

extension Pose {
    /// PoseNet's 17 joints, in pixels of the image that `PoseBuilder` was given; without an image in shares of it, 0...1.
    public var joints: [JointKey: PoseNetJoint] {
        let size = imageSize ?? CGSize(width: 1, height: 1)
        return PoseNetSkeleton.joints.reduce(into: [:]) { joints, key in
            let point = keypoints[key].map {
                CGPoint(x: $0.location.x * size.width, y: (1 - $0.location.y) * size.height)
            }
            joints[key] = PoseNetJoint(
                name: key, position: point ?? .zero, confidence: Double(self[key].confidence),
                isValid: self[key].isValid)
        }
    }
}
