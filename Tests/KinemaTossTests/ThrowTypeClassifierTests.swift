import Foundation
import KinemaCore
@testable import KinemaToss
import Testing

@Suite("The type of a throw")
struct ThrowTypeClassifierTests {
    /// A standing person whose right wrist is so far above the shoulder, and whose right knee so far below the hip, in trunk
    /// lengths.
    private func told(wrist: Double, knee: Double) throws -> ThrowTypePrediction {
        let places: [JointKey: CGPoint] = [
            .leftShoulder: CGPoint(x: 0.5, y: 0.6), .rightShoulder: CGPoint(x: 0.5, y: 0.6),
            .leftHip: CGPoint(x: 0.5, y: 0.4), .rightHip: CGPoint(x: 0.5, y: 0.4),
            .leftKnee: CGPoint(x: 0.5, y: 0.24), .rightKnee: CGPoint(x: 0.55, y: 0.4 - 0.2 * knee),
            .rightWrist: CGPoint(x: 0.6, y: 0.6 + 0.2 * wrist),
        ]
        let points = places.reduce(into: [JointKey: JointPoint]()) { points, place in
            points[place.key] = JointPoint(place.key, location: place.value, confidence: 0.9)
        }
        let pose = Pose(from: points, keypoints3D: [:], id: 1, confidence: 0.9)
        return try #require(
            PostureThrowClassifier().prediction(
                of: [(time: 1, pose: pose)], release: Release(time: 1, person: 1, isLeft: false, distance: 0),
                aspectRatio: 1))
    }

    @Test(arguments: [
        (0.5, 0.8, ThrowType.overhand), (-0.6, 0.8, .underhand), (-1.4, 0.1, .underleg), (-0.6, 0.1, .underhand),
    ])
    func `clear postures are classified with confidence`(wrist: Double, knee: Double, type: ThrowType) throws {
        let told = try told(wrist: wrist, knee: knee)
        #expect(told.type == type && told.confidence > 0.9, "\(told)")
    }

    @Test
    func `the nearer to the border, the less sure`() throws {
        let confidences = try [0.4, 0.2, 0.1, 0.02].map { try told(wrist: $0, knee: 0.8).confidence }
        #expect(confidences == confidences.sorted(by: >) && confidences[3] < 0.6 && confidences[3] >= 0.5)
        #expect(try told(wrist: -1.4, knee: 0.4).confidence < 0.7)
    }
}
