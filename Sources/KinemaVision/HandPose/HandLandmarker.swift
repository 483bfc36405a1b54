import Foundation
import KinemaCore
import KinemaMedia

/// Finds the landmarks of the hand in a region: sample, infer, turn back into the picture.
struct HandLandmarker: Sendable {
    /// Below this probability of a hand none is there; MediaPipe's value.
    static let minimumPresence: Float = 0.5

    private static let input = 224

    private let model: CompiledModelHandle

    init(store: ModelStore, precision: ModelStore.Precision) throws {
        model = try store.model(ModelCatalogue.handLandmarks, precision: precision)
    }

    /// The hand in the region; nil when there is none.
    func hand(in frame: VideoFrame, _ region: Region) throws -> HandLandmarks? {
        guard region.isSound(for: SIMD2(Double(frame.width), Double(frame.height))) else { return nil }
        let hand = try model.withRequest { request in
            RegionSampler.sample(frame, region, into: request.input, side: Self.input, border: .repeated)
            try request.infer()
            return decode(request.outputs, region)
        }
        guard hand.presence >= Self.minimumPresence else { return nil }
        return hand.points.allSatisfy { $0.x.isFinite && $0.y.isFinite } ? hand : nil
    }

    private func decode(_ outputs: [TensorView], _ region: Region) -> HandLandmarks {
        let (raw, world) = (outputs[0], outputs[3])
        let (c, s) = (Float(cos(region.angle)), Float(sin(region.angle)))
        return HandLandmarks(
            region: region, presence: outputs[1][0],
            // The model's "left" is meant for mirrored pictures, so it is the right hand in a picture as it is.
            rightness: outputs[2][0],
            points: (0..<HandLandmarks.count).map {
                region.pixel(SIMD2(Double(raw[3 * $0]), Double(raw[3 * $0 + 1])) / Double(Self.input))
            },
            // Turned back by the region's angle; the model's y points down and z away from the camera.
            world: (0..<HandLandmarks.count).map {
                let (x, y, z) = (world[3 * $0], world[3 * $0 + 1], world[3 * $0 + 2])
                return SIMD3(c * x - s * y, -(s * x + c * y), -z)
            })
    }
}
