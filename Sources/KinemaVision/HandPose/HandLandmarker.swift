import Foundation
import KinemaCore
import KinemaMedia

/// Finds the landmarks of a hand in a region: sample, infer, map back to the picture.
struct HandLandmarker: Sendable {
    /// The minimum probability that the region shows a hand; MediaPipe's value.
    static let minimumPresence: Float = 0.5

    private static let input = 224

    private let model: CompiledModelHandle

    init(store: ModelStore, precision: ModelStore.Precision) throws {
        model = try store.model(ModelCatalogue.handLandmarks, precision: precision)
    }

    func hand(in frame: VideoFrame, _ region: Region) throws -> HandLandmarks? {
        guard region.isValid(for: frame.size) else { return nil }
        let hand = try model.withRequest { request in
            RegionSampler.sample(frame, region, into: request.input, side: Self.input, border: .repeated)
            try request.infer()
            return decode(request.outputs, region)
        }
        guard hand.presence >= Self.minimumPresence else { return nil }
        return hand.points.allSatisfy { $0.x.isFinite && $0.y.isFinite } ? hand : nil
    }

    private func decode(_ outputs: [TensorView], _ region: Region) -> HandLandmarks {
        let raw = outputs[0]
        return HandLandmarks(
            region: region, presence: outputs[1][0],
            // The model expects mirrored pictures, so its "left" is the right hand here.
            rightness: outputs[2][0],
            points: (0..<HandLandmarks.count).map {
                region.pixel(SIMD2(Double(raw[3 * $0]), Double(raw[3 * $0 + 1])) / Double(Self.input))
            }, world: region.world(outputs[3], count: HandLandmarks.count))
    }
}
