import KinemaSampling
import Foundation
import KinemaMedia

/// Finds the landmarks of a body in a region: sample, infer, refine with the heatmap, map back to the picture.
struct BodyLandmarker: Sendable {
    /// The minimum probability that the region shows a person; MediaPipe's value.
    static let minimumPresence: Float = 0.5
    /// The minimum probability for a tracked person; it is lower so that a blurred frame does not end a track.
    static let minimumTrackedPresence: Float = 0.4

    /// The side of the model's input, pixels.
    static let input = 256
    private static let grid = 64
    private static let channels = 39
    /// The radius in cells of the heatmap window that refines a landmark (MediaPipe: kernel 7).
    private static let windowRadius = 3
    /// The minimum peak of a heatmap window that refines a landmark (MediaPipe).
    private static let minimumPeak: Float = 0.5

    private let model: CompiledModelHandle

    init(store: ModelStore, precision: ModelStore.Precision, findsMasks: Bool = false) throws {
        model = try store.model(
            findsMasks ? ModelCatalogue.bodyMask : ModelCatalogue.bodyLandmarks, precision: precision)
    }

    func body(in frame: VideoFrame, _ region: Region, isTracked: Bool) throws -> BodyLandmarks? {
        guard region.isValid(for: frame.size) else { return nil }
        let body = try landmarks(in: frame, region)
        return body.isPresent(isTracked: isTracked) ? body : nil
    }

    /// A tracked person's body with its view, or nil; held without inference if nothing has moved in the last view.
    func body(in frame: VideoFrame, following track: PersonTrack) throws -> BodyLandmarks? {
        try model.withRequest { request in
            func view(of region: Region) -> PersonView {
                RegionSampler.sample(frame, region, into: request.input, side: Self.input, border: .repeated)
                return PersonView(request.input, of: region, at: frame.time)
            }
            if let last = track.restingView(at: frame.time), last.isStill(view(of: last.region)) {
                return track.body.held
            }
            let region = track.nextRegion
            guard region.isValid(for: frame.size) else { return nil }
            let view = view(of: region)
            try request.infer()
            var body = decode(request.outputs, region)
            body.view = view
            return body.isPresent(isTracked: true) ? body : nil
        }
    }

    /// The landmarks in the region; they are meaningless if `presence` is low.
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
            region: region, presence: outputs[1][0], points: Array(points.prefix(BodyLandmarks.count)),
            visibility: (0..<BodyLandmarks.count).map { logistic(raw[5 * $0 + 3]) },
            pointPresence: (0..<BodyLandmarks.count).map { logistic(raw[5 * $0 + 4]) },
            world: region.world(outputs[3], count: BodyLandmarks.count), score: outputs[1][0],
            middle: points[BodyLandmarks.count], rim: points[BodyLandmarks.count + 1],
            mask: outputs.count < 5
                ? nil : (0..<outputs[4].count).map { UInt8(255 * logistic(max(-20, min(20, outputs[4][$0])))) })
    }

    /// The landmark moved to the heatmap's weighted mean around it, if the heatmap is confident there.
    private func refined(_ point: SIMD2<Double>, _ index: Int, _ heatmap: TensorView) -> SIMD2<Double> {
        let cell = point * Double(Self.grid)
        guard cell.x >= 0, cell.y >= 0, cell.x < Double(Self.grid), cell.y < Double(Self.grid) else { return point }
        let (column, row) = (Int(cell.x), Int(cell.y))
        var total: Float = 0
        var sum = SIMD2<Float>()
        var peak: Float = 0
        for y in max(0, row - Self.windowRadius)...min(Self.grid - 1, row + Self.windowRadius) {
            for x in max(0, column - Self.windowRadius)...min(Self.grid - 1, column + Self.windowRadius) {
                let weight = logistic(heatmap[(y * Self.grid + x) * Self.channels + index])
                total += weight
                sum += SIMD2(Float(x), Float(y)) * weight
                peak = max(peak, weight)
            }
        }
        guard peak >= Self.minimumPeak else { return point }
        return SIMD2(Double(sum.x / total), Double(sum.y / total)) / Double(Self.grid)
    }

    private func logistic(_ value: Float) -> Float { 1 / (1 + exp(-value)) }
}
