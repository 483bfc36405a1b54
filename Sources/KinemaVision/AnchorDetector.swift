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

/// Something a detector sees; pixels of the picture, origin at the top left.
struct AnchorDetection: Sendable {
    /// 0...1.
    var score: Float
    /// Left, top, right, bottom of the box: of a body head and shoulders, of a hand the palm.
    var box: SIMD4<Double>
    /// The model's own points, in its order.
    var keypoints: [SIMD2<Double>]

    var area: Double {
        max(0, box.z - box.x) * max(0, box.w - box.y)
    }

    /// Intersection over union of the two boxes.
    func overlap(_ other: AnchorDetection) -> Double {
        let width = min(box.z, other.box.z) - max(box.x, other.box.x)
        let height = min(box.w, other.box.w) - max(box.y, other.box.y)
        guard width > 0, height > 0 else { return 0 }
        return width * height / (area + other.area - width * height)
    }
}

extension [AnchorDetection] {
    /// Weighted suppression: boxes that overlap by more than `threshold` become their mean, weighted by score.
    func merged(overlapThreshold threshold: Double = 0.3) -> [AnchorDetection] {
        var rest = sorted { $0.score > $1.score }
        var result: [AnchorDetection] = []
        while let best = rest.first {
            let same = rest.filter { best.overlap($0) > threshold }
            rest.removeAll { best.overlap($0) > threshold }
            if same.isEmpty {
                // A box without an area overlaps nothing, not even itself.
                rest.removeFirst()
                continue
            }
            let total = same.reduce(0) { $0 + Double($1.score) }
            var mean = best
            mean.box = same.reduce(SIMD4()) { $0 + $1.box * Double($1.score) } / total
            for index in mean.keypoints.indices {
                mean.keypoints[index] =
                    same.reduce(SIMD2()) { $0 + $1.keypoints[index] * Double($1.score) } / total
            }
            result.append(mean)
        }
        return result
    }
}

/// The places at which a detector looks: the middles of its anchors, in 0...1 of its input.
///
/// SSD anchors as MediaPipe makes them: offset 0.5, fixed size; layers of one stride follow each other cell by cell.
enum AnchorGrid {
    /// Bodies: five layers with strides 8, 16, 32, 32, 32 on 224 pixels, two anchors a cell and layer.
    static let bodies = grid(cells: 28, anchors: 2) + grid(cells: 14, anchors: 2) + grid(cells: 7, anchors: 6)

    /// Palms: four layers with strides 8, 16, 16, 16 on 192 pixels, two anchors a cell and layer.
    static let palms = grid(cells: 24, anchors: 2) + grid(cells: 12, anchors: 6)

    private static func grid(cells: Int, anchors: Int) -> [SIMD2<Double>] {
        (0..<(cells * cells)).flatMap { cell -> [SIMD2<Double>] in
            let corner = SIMD2(Double(cell % cells), Double(cell / cells))
            return [SIMD2<Double>](repeating: (corner + 0.5) / Double(cells), count: anchors)
        }
    }
}
