import Foundation
import KinemaCore
import KinemaMedia

/// Finds the landmarks of the body in a region: sample, infer, refine by the heatmap, turn back into the picture.
struct BodyLandmarker: Sendable {
    /// Below this probability of a person nobody is there; MediaPipe's value.
    static let minimumPresence: Float = 0.5

    private static let input = 256
    private static let grid = 64
    private static let channels = 39
    /// Half the window around a landmark's cell whose heatmap refines it, in cells (MediaPipe: kernel 7).
    private static let reach = 3
    /// The heatmap is trusted when its best cell in the window is at least this likely (MediaPipe).
    private static let minimumPeak: Float = 0.5

    private let model: CompiledModelHandle

    init(store: ModelStore, precision: ModelStore.Precision) throws {
        model = try store.model(ModelCatalogue.bodyLandmarks, precision: precision)
    }

    /// A person who is followed already is held on to down to this probability, so that a blurred frame loses nobody.
    static let heldPresence: Float = 0.4

    /// The body in the region; nil when nobody is there, which needs less doubt of somebody who is followed already.
    func body(in frame: VideoFrame, _ region: Region, isFollowed: Bool) throws -> BodyLandmarks? {
        guard region.isSound(for: SIMD2(Double(frame.width), Double(frame.height))) else { return nil }
        let body = try landmarks(in: frame, region)
        let least = isFollowed ? Self.heldPresence : Self.minimumPresence
        return body.presence >= least && body.middle.x.isFinite && body.rim.x.isFinite ? body : nil
    }

    /// The landmarks of the person in the region; look at `presence` before believing them.
    func landmarks(in frame: VideoFrame, _ region: Region) throws -> BodyLandmarks {
        try model.withRequest { request in
            RegionSampler.sample(frame, region, into: request.input, side: Self.input, border: .repeated)
            try request.infer()
            return decode(request.outputs, region)
        }
    }

    private func decode(_ outputs: [TensorView], _ region: Region) -> BodyLandmarks {
        let raw = outputs[0]
        let points = (0..<(BodyLandmarks.count + 2)).map { index in
            let start = SIMD2(Double(raw[5 * index]), Double(raw[5 * index + 1])) / Double(Self.input)
            return region.pixel(refined(start, index, outputs[2]))
        }
        return BodyLandmarks(
            region: region, presence: outputs[1][0],
            points: Array(points.prefix(BodyLandmarks.count)),
            visibility: (0..<BodyLandmarks.count).map { logistic(raw[5 * $0 + 3]) },
            pointPresence: (0..<BodyLandmarks.count).map { logistic(raw[5 * $0 + 4]) },
            world: world(outputs[3], angle: region.angle), score: outputs[1][0],
            middle: points[BodyLandmarks.count], rim: points[BodyLandmarks.count + 1])
    }

    /// The landmark moved to the heatmap's weighted middle around it, where the heatmap is sure.
    private func refined(_ point: SIMD2<Double>, _ index: Int, _ heatmap: TensorView) -> SIMD2<Double> {
        let cell = point * Double(Self.grid)
        guard cell.x >= 0, cell.y >= 0, cell.x < Double(Self.grid), cell.y < Double(Self.grid) else { return point }
        let (column, row) = (Int(cell.x), Int(cell.y))
        var total: Float = 0
        var sum = SIMD2<Float>()
        var peak: Float = 0
        for y in max(0, row - Self.reach)...min(Self.grid - 1, row + Self.reach) {
            for x in max(0, column - Self.reach)...min(Self.grid - 1, column + Self.reach) {
                let weight = logistic(heatmap[(y * Self.grid + x) * Self.channels + index])
                total += weight
                sum += SIMD2(Float(x), Float(y)) * weight
                peak = max(peak, weight)
            }
        }
        guard peak >= Self.minimumPeak else { return point }
        return SIMD2(Double(sum.x / total), Double(sum.y / total)) / Double(Self.grid)
    }

    /// World landmarks turned back by the region's angle; the model's y points down and z away from the camera.
    private func world(_ raw: TensorView, angle: Double) -> [SIMD3<Float>] {
        let (c, s) = (Float(cos(angle)), Float(sin(angle)))
        return (0..<BodyLandmarks.count).map { index in
            let (x, y, z) = (raw[3 * index], raw[3 * index + 1], raw[3 * index + 2])
            return SIMD3(c * x - s * y, -(s * x + c * y), -z)
        }
    }

    private func logistic(_ value: Float) -> Float {
        1 / (1 + exp(-value))
    }
}
