import Foundation
import Kinema

// Vision's Swift API as apps for people use it.

/// A session that analyses every third buffer of a camera.
final class FormSession {
    private(set) var bodyParts: [HumanBodyPoseObservation.PoseJointName: Joint] = [:]
    private var frameCounter = 0

    func process(_ sampleBuffer: CMSampleBuffer) async {
        frameCounter += 1
        guard frameCounter % 3 == 0 else { return }
        bodyParts = await detectBody(in: sampleBuffer)
    }

    private func detectBody(
        in sampleBuffer: CMSampleBuffer
    ) async -> [HumanBodyPoseObservation.PoseJointName: Joint] {
        var request = DetectHumanBodyPoseRequest()
        request.detectsHands = false
        do {
            let results = try await request.perform(on: sampleBuffer, orientation: .none)
            if let observation = results.first {
                return observation.allJoints().filter { $0.value.confidence > 0 }
            }
        } catch {
            return [:]
        }
        return [:]
    }

    /// The angle at a joint, in degrees.
    func angle(
        _ first: HumanBodyPoseObservation.JointName, _ middle: HumanBodyPoseObservation.JointName,
        _ last: HumanBodyPoseObservation.JointName
    ) -> Double? {
        guard let a = bodyParts[first], let b = bodyParts[middle], let c = bodyParts[last],
            min(a.confidence, b.confidence, c.confidence) > 0.5
        else { return nil }
        let one = atan2(a.location.y - b.location.y, a.location.x - b.location.x)
        let other = atan2(c.location.y - b.location.y, c.location.x - b.location.x)
        let degrees = abs(one - other) * 180 / .pi
        return degrees > 180 ? 360 - degrees : degrees
    }
}

/// Fingertips of every hand, in points of a view.
func fingertips(in pixelBuffer: CVPixelBuffer, viewSize: CGSize) async throws -> [String: [CGPoint]] {
    var request = DetectHumanHandPoseRequest()
    request.maximumHandCount = 2
    var found: [String: [CGPoint]] = [:]
    for hand in try await request.perform(on: pixelBuffer) {
        let side = hand.chirality.map { $0 == .left ? "left" : "right" } ?? "unknown"
        found[side] = [HumanHandPoseObservation.JointName.thumbTip, .indexTip, .middleTip, .ringTip, .littleTip]
            .compactMap { hand.joint(for: $0) }
            .filter { $0.confidence > 0.3 }
            .map { $0.location.toImageCoordinates(viewSize, origin: .upperLeft) }
    }
    return found
}

/// Two requests about one image, and what they found as JSON for later.
func analyse(_ image: CGImage) async throws -> (people: Int, stored: Data) {
    let handler = ImageRequestHandler(image)
    let (humans, bodies) = try await handler.perform(DetectHumanRectanglesRequest(), DetectHumanBodyPoseRequest())
    return (humans.count, try JSONEncoder().encode(bodies))
}

/// How much of an image people cover, 0...1.
func coverage(of image: CIImage) async throws -> Double {
    let request = GeneratePersonSegmentationRequest()
    request.qualityLevel = .balanced
    let observation = try await request.perform(on: image)
    let values = observation.mask.values
    return Double(values.count { $0 > 127 }) / Double(values.count)
}

/// The whole person nearest to the camera, searched in one half of the image, as a rectangle for drawing.
func nearestPerson(in image: CIImage, half: NormalizedRect, size: CGSize) async throws -> CGRect? {
    var request = DetectHumanRectanglesRequest()
    request.upperBodyOnly = false
    request.regionOfInterest = half
    let people = try await request.perform(on: image)
    guard let nearest = people.max(by: { $0.boundingBox.height < $1.boundingBox.height }) else { return nil }
    let inImage = nearest.boundingBox.toImageCoordinates(from: half, imageSize: size, origin: .upperLeft)
    return inImage.applying(CGAffineTransform(scaleX: 0.5, y: 0.5).concatenating(.init(translationX: 10, y: 20)))
}
