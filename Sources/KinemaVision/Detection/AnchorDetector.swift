import Foundation
import KinemaCore
import KinemaMedia

/// Finds things in a picture or a part of it with an anchor model: letterbox, infer, decode the anchors, suppress.
struct AnchorDetector: Sendable {
    /// Detections below this score are dropped; MediaPipe's value for bodies and for palms.
    static let threshold: Float = 0.5

    private let model: CompiledModelHandle
    private let anchors: [SIMD2<Double>]
    private let input: Int
    /// The numbers of an anchor: x, y, width, height of the box, then x and y of each keypoint.
    private let stride: Int

    /// A detector from a model of the catalogue, whose shapes tell the rest.
    init(_ description: ModelDescription, anchors: [SIMD2<Double>], store: ModelStore, precision: ModelStore.Precision)
        throws
    {
        model = try store.model(description, precision: precision)
        self.anchors = anchors
        input = description.input.shape[1]
        stride = description.outputs[0].shape[2]
    }

    /// What is in a square part of the picture, best first; `nil` looks at the whole picture.
    func detect(
        in frame: VideoFrame, part: Region? = nil, threshold: Float = threshold
    ) throws -> [AnchorDetection] {
        let size = SIMD2(Double(frame.width), Double(frame.height))
        let square = part ?? Region(center: size / 2, side: max(size.x, size.y), angle: 0)
        return try model.withRequest { request in
            RegionSampler.sample(frame, square, into: request.input, side: input, border: .black)
            try request.infer()
            return decode(boxes: request.outputs[0], scores: request.outputs[1], square, threshold).merged()
        }
    }

    private func decode(
        boxes: TensorView, scores: TensorView, _ square: Region, _ threshold: Float
    ) -> [AnchorDetection] {
        let side = Double(input)
        // Comparing before the logistic function saves some two thousand exponentials.
        let limit = -log(1 / threshold - 1)
        return (0..<scores.count).compactMap { anchor in
            guard scores[anchor] >= limit else { return nil }
            let values = (0..<stride).map { Double(boxes[anchor * stride + $0]) / side }
            guard values.allSatisfy(\.isFinite) else { return nil }
            let middle = anchors[anchor]
            let center = middle + SIMD2(values[0], values[1])
            let half = SIMD2(values[2], values[3]) / 2
            let (low, high) = (square.pixel(center - half), square.pixel(center + half))
            return AnchorDetection(
                score: 1 / (1 + exp(-min(scores[anchor], 100))),
                box: SIMD4(low.x, low.y, high.x, high.y),
                keypoints: Swift.stride(from: 4, to: stride - 1, by: 2).map {
                    square.pixel(middle + SIMD2(values[$0], values[$0 + 1]))
                })
        }
    }
}
