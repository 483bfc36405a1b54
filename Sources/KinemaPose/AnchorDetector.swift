import KinemaCore
package import KinemaSampling
import Foundation
package import KinemaMedia

/// A detected body or palm, in pixels of the picture with the origin at the top left.
package struct AnchorDetection: Sendable {
    package var score: Float
    /// The bounding box as left, top, right, bottom: a body's head and shoulders, or a hand's palm.
    package var box: SIMD4<Double>
    var keypoints: [SIMD2<Double>]

    func overlap(_ other: AnchorDetection) -> Double {
        DetectedBox(box: box, score: score).overlap(DetectedBox(box: other.box, score: other.score))
    }
}

extension [AnchorDetection] {
    /// Weighted non-maximum suppression: replaces overlapping boxes by their mean, weighted by score.
    func merged(overlapThreshold threshold: Double = 0.3) -> [AnchorDetection] {
        var rest = sorted { $0.score > $1.score }
        var result: [AnchorDetection] = []
        while let best = rest.first {
            let same = rest.filter { best.overlap($0) > threshold }
            rest.removeAll { best.overlap($0) > threshold }
            if same.isEmpty {
                // A box with an empty area does not even overlap itself.
                rest.removeFirst()
                continue
            }
            let total = same.reduce(0) { $0 + Double($1.score) }
            var mean = best
            mean.box = same.reduce(SIMD4()) { $0 + $1.box * Double($1.score) } / total
            for index in mean.keypoints.indices {
                mean.keypoints[index] = same.reduce(SIMD2()) { $0 + $1.keypoints[index] * Double($1.score) } / total
            }
            result.append(mean)
        }
        return result
    }
}

extension AnchorDetection {
    /// The region of a body's landmarks; the keypoints are hip centre, body rim, shoulder centre and upper body rim.
    var bodyRegion: Region { Region(middle: keypoints[0], rim: keypoints[1]) }

    /// The region of a hand's landmarks by MediaPipe's rule: the palm's box, rotated so that the wrist (keypoint 0)
    /// lies below the middle knuckle (2), shifted towards it by half its height and enlarged 2.6 times.
    var handRegion: Region {
        let line = keypoints[2] - keypoints[0]
        let angle = Double.pi / 2 - atan2(-line.y, line.x)
        let size = SIMD2(box.z - box.x, box.w - box.y)
        let center = SIMD2(box.x + box.z, box.y + box.w) / 2 + 0.5 * size.y * SIMD2(sin(angle), -cos(angle))
        return Region(center: center, side: 2.6 * size.max(), angle: angle)
    }
}

/// Detects objects with an SSD anchor model: letterbox, infer, decode the anchors, suppress overlaps.
package struct AnchorDetector: Sendable {
    /// The minimum score of a detection; MediaPipe's value for bodies and palms.
    static let threshold: Float = 0.5

    private let model: CompiledModelHandle
    private let anchors: [SIMD2<Double>]
    private let input: Int
    /// The number of values per anchor: x, y, width and height of the box, then x and y of each keypoint.
    private let stride: Int

    static func bodies(store: ModelStore, precision: ModelStore.Precision) throws -> AnchorDetector {
        try AnchorDetector(ModelCatalogue.bodyDetector, anchors: AnchorGrid.bodies, store: store, precision: precision)
    }

    static func palms(store: ModelStore, precision: ModelStore.Precision) throws -> AnchorDetector {
        try AnchorDetector(ModelCatalogue.palmDetector, anchors: AnchorGrid.palms, store: store, precision: precision)
    }

    package static func faces(store: ModelStore, precision: ModelStore.Precision) throws -> AnchorDetector {
        try AnchorDetector(ModelCatalogue.faceDetector, anchors: AnchorGrid.faces, store: store, precision: precision)
    }

    /// For faces that are nearer and larger than those that `faces` was trained for.
    static func nearFaces(store: ModelStore, precision: ModelStore.Precision) throws -> AnchorDetector {
        try AnchorDetector(
            ModelCatalogue.nearFaceDetector, anchors: AnchorGrid.nearFaces, store: store, precision: precision)
    }

    private init(
        _ description: ModelDescription, anchors: [SIMD2<Double>], store: ModelStore, precision: ModelStore.Precision
    ) throws {
        model = try store.model(description, precision: precision)
        self.anchors = anchors
        input = description.input.shape[1]
        stride = description.outputs[0].shape[2]
    }

    static func whole(of frame: VideoFrame) -> Region {
        Region(center: frame.size / 2, side: frame.size.max(), angle: 0)
    }

    /// The detections in a square part of the picture, or in the whole picture if nil, best first.
    package func detect(in frame: VideoFrame, part: Region? = nil, threshold: Float = threshold) throws
        -> [AnchorDetection]
    {
        let square = part ?? Self.whole(of: frame)
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
        // Comparing logits instead of probabilities saves about two thousand exponentials.
        let limit = -log(1 / threshold - 1)
        return (0..<scores.count).compactMap { anchor in
            guard scores[anchor] >= limit else { return nil }
            let values = (0..<stride).map { Double(boxes[anchor * stride + $0]) / side }
            guard values.allSatisfy(\.isFinite) else { return nil }
            let middle = anchors[anchor]
            let center = middle + SIMD2(values[0], values[1])
            let half = SIMD2(values[2], values[3]) / 2
            // The corners change places in a turned square.
            let corners = [square.pixel(center - half), square.pixel(center + half)].bounds
            return AnchorDetection(
                score: 1 / (1 + exp(-min(scores[anchor], 100))),
                box: SIMD4(corners.low.x, corners.low.y, corners.high.x, corners.high.y),
                keypoints: Swift.stride(from: 4, to: stride - 1, by: 2).map {
                    square.pixel(middle + SIMD2(values[$0], values[$0 + 1]))
                })
        }
    }
}

/// MediaPipe's SSD anchor centres, 0...1 of the input: offset 0.5, fixed size, layers of equal stride interleaved.
enum AnchorGrid {
    /// Bodies: five layers with strides 8, 16, 32, 32, 32 on 224 pixels, two anchors per cell and layer.
    static let bodies = grid(cells: 28, anchors: 2) + grid(cells: 14, anchors: 2) + grid(cells: 7, anchors: 6)

    /// Palms: four layers with strides 8, 16, 16, 16 on 192 pixels, two anchors per cell and layer.
    static let palms = grid(cells: 24, anchors: 2) + grid(cells: 12, anchors: 6)

    /// Faces: one layer with stride 4 on 192 pixels, one anchor per cell.
    static let faces = grid(cells: 48, anchors: 1)

    /// Near faces: four layers with strides 8, 16, 16, 16 on 128 pixels, two anchors per cell and layer.
    static let nearFaces = grid(cells: 16, anchors: 2) + grid(cells: 8, anchors: 6)

    private static func grid(cells: Int, anchors: Int) -> [SIMD2<Double>] {
        (0..<(cells * cells)).flatMap { cell -> [SIMD2<Double>] in
            let corner = SIMD2(Double(cell % cells), Double(cell / cells))
            return [SIMD2<Double>](repeating: (corner + 0.5) / Double(cells), count: anchors)
        }
    }
}
