@testable import KinemaHistory
import KinemaMotion
import KinemaLearning
import Foundation
import Kinema
import KinemaCore
import KinemaMedia
import Testing

@testable import KinemaStudio

struct ClassifyModeTests {
    /// OpenPose's 18 joints of somebody who waves, or lifts both arms; neck in the middle, y up.
    private static func points(_ label: String, angle: Double) -> [CGPoint] {
        var points: [(Double, Double)] = [
            (0, 0.35), (0, 0), (-0.35, 0), (-0.4, -0.45), (-0.4, -0.85), (0.35, 0), (0.4, -0.45), (0.4, -0.85),
            (-0.2, -1), (-0.2, -1.8), (-0.2, -2.5), (0.2, -1), (0.2, -1.8), (0.2, -2.5), (-0.06, 0.42), (0.06, 0.42),
            (-0.12, 0.38), (0.12, 0.38),
        ]
        let lift = (1 + sin(angle)) / 2
        if label == "wave" {
            (points[3], points[4]) = ((-0.6, 0.1), (-0.5 + 0.2 * sin(angle), 0.6))
        } else {
            (points[3], points[4]) = ((-0.6, -0.4 + 0.5 * lift), (-0.9, -0.8 + 1.2 * lift))
            (points[6], points[7]) = ((0.6, -0.4 + 0.5 * lift), (0.9, -0.8 + 1.2 * lift))
        }
        return points.map { CGPoint(x: 0.5 + 0.15 * $0.0, y: 0.7 + 0.15 * $0.1) }
    }

    static func pose(_ label: String, _ time: Double, tempo: Double = 1) -> Pose {
        let joints = zip(ActionSubject.body.joints, points(label, angle: 2 * .pi * tempo * time))
        var pose = Pose(
            from: joints.reduce(into: [:]) { $0[$1.0] = JointPoint($1.0, location: $1.1, confidence: 0.9) })
        pose.id = 1
        return pose
    }

    static func model() throws -> HumanActionClassifier {
        let examples = (0..<6).flatMap { person in
            ["lift", "wave"].map { label in
                let tempo = 0.8 + 0.1 * Double(person)
                let poses = (0..<120).map { frame -> (time: TimeInterval, pose: Pose?) in
                    let time = Double(frame) / 30
                    return (time, pose(label, time + 0.13 * Double(person), tempo: tempo))
                }
                return ActionTrainer.Example(
                    PoseSequence(.body, poses: poses, aspectRatio: 1), label: label, person: "\(person)")
            }
        }
        return try ActionTrainer().train(examples)
    }

    @Test func `what is done is named and told in segments however long it goes on`() async throws {
        let request = StartRequest(mode: .classify, source: .browser(name: nil))
        var mode = ClassifyMode(request, model: try Self.model(), precision: .f32)
        let grey = Bitmap(width: 8, height: 8, red: 90, green: 90, blue: 90)
        var told: [SegmentResult] = []
        func take(_ events: [AnalysisEvent]) {
            for case .segment(let segment) in events { told.append(segment) }
        }
        // Two minutes: 20 s of one, 20 s of the other, and so on.
        for frame in 0..<3600 {
            let time = Double(frame) / 30
            let label = Int(time / 20) % 2 == 0 ? "wave" : "lift"
            let picture = VideoFrame(
                bitmap: grey,
                id: TemporalSegmentIdentifier(source: "test", range: frame..<frame + 1, timescale: 30))
            take(try mode.take(PosedFrame(frame: picture, poses: [Self.pose(label, time)], hands: [])))
        }
        // Told while it goes on, not at the end only.
        #expect(told.count >= 4)
        take(mode.finish())
        #expect(told.map(\.label) == ["wave", "lift", "wave", "lift", "wave", "lift"])
        for (index, segment) in told.enumerated() {
            #expect(abs(segment.start - 20 * Double(index)) < 2 && abs(segment.end - 20 * Double(index + 1)) < 2)
        }
        var session = StoredSession(date: Date(), mode: .classify, source: "test")
        mode.summarise(&session)
        #expect(session.segments == told)
        var json = JSONText()
        json.object { mode.write(to: &$0) }
        #expect(String(decoding: json.bytes, as: UTF8.self).contains("\"label\":\"lift\""))
    }
}
