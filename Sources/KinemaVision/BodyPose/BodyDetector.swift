import Foundation
import KinemaCore
import KinemaMedia

/// Finds bodies in a picture or a part of it: letterbox, infer, decode the anchors, suppress.
struct BodyDetector: Sendable {
    /// Detections below this score are dropped; MediaPipe's value.
    static let threshold: Float = 0.5

    private static let input = 224

    private let model: CompiledModelHandle

    init(store: ModelStore, precision: ModelStore.Precision) throws {
        model = try store.model(ModelCatalogue.bodyDetector, precision: precision)
    }

    /// The bodies in a square part of the picture, best first; `nil` looks at the whole picture.
    func detect(in frame: VideoFrame, part: Region? = nil, threshold: Float = threshold) throws -> [BodyDetection] {
        let size = SIMD2(Double(frame.width), Double(frame.height))
        let square = part ?? Region(center: size / 2, side: max(size.x, size.y), angle: 0)
        return try model.withRequest { request in
            RegionSampler.sample(frame, square, into: request.input, side: Self.input, border: .black)
            try request.infer()
            return decode(boxes: request.outputs[0], scores: request.outputs[1], square, threshold).merged()
        }
    }

    private func decode(
        boxes: TensorView, scores: TensorView, _ square: Region, _ threshold: Float
    ) -> [BodyDetection] {
        let side = Double(Self.input)
        // Comparing before the logistic function saves 2254 exponentials.
        let limit = -log(1 / threshold - 1)
        return (0..<scores.count).compactMap { anchor in
            guard scores[anchor] >= limit else { return nil }
            let values = (0..<12).map { Double(boxes[anchor * 12 + $0]) / side }
            guard values.allSatisfy(\.isFinite) else { return nil }
            let middle = DetectorAnchors.centers[anchor]
            let center = middle + SIMD2(values[0], values[1])
            let half = SIMD2(values[2], values[3]) / 2
            let (low, high) = (square.pixel(center - half), square.pixel(center + half))
            return BodyDetection(
                score: 1 / (1 + exp(-min(scores[anchor], 100))),
                box: SIMD4(low.x, low.y, high.x, high.y),
                keypoints: (0..<4).map { square.pixel(middle + SIMD2(values[4 + 2 * $0], values[5 + 2 * $0])) })
        }
    }
}
