@testable import KinemaFormats
import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

@testable import Kinema

/// A figure that stands in the picture and bends its knees, in the orders and formats of other programs.
enum StandingFigure {
    /// The places of the joints in shares of the picture, y downwards; `bend` from 0 to 1.
    static func joints(bend: Double = 0) -> [JointKey: SIMD2<Double>] {
        let drop = 0.15 * bend
        var joints: [JointKey: SIMD2<Double>] = [
            .nose: [0.5, 0.15 + drop], .neck: [0.5, 0.27 + drop], .root: [0.5, 0.55 + drop],
        ]
        let sides: [(left: JointKey, right: JointKey, x: Double, y: Double)] = [
            (.leftEye, .rightEye, 0.02, 0.13 + drop), (.leftEar, .rightEar, 0.035, 0.14 + drop),
            (.leftShoulder, .rightShoulder, 0.08, 0.27 + drop), (.leftElbow, .rightElbow, 0.12, 0.4 + drop),
            (.leftWrist, .rightWrist, 0.13, 0.52 + drop), (.leftHip, .rightHip, 0.05, 0.55 + drop),
            (.leftKnee, .rightKnee, 0.06, 0.75 + drop / 2), (.leftAnkle, .rightAnkle, 0.055, 0.95),
            (.leftHeel, .rightHeel, 0.055, 0.97), (.leftFootTip, .rightFootTip, 0.07, 0.98),
        ]
        for side in sides {
            joints[side.left] = [0.5 + side.x, side.y]
            joints[side.right] = [0.5 - side.x, side.y]
        }
        return joints
    }

    /// A frame's numbers in an order; points that have no joint lie in the middle of the body.
    static func row(
        _ order: JointOrder, bend: Double = 0, third: Double? = nil, _ place: (SIMD2<Double>) -> SIMD2<Double> = { $0 }
    ) -> [Double] {
        let joints = joints(bend: bend)
        return order.keys.flatMap { key -> [Double] in
            let point = place(key.flatMap { joints[$0] } ?? [0.5, 0.4])
            return [point.x, point.y] + [third].compactMap(\.self)
        }
    }
}

/// What tests of pose files share: files in a folder of their own, reading, and what is expected.
protocol PoseFormatSuite {
    var folder: TemporaryFolder { get }
}

extension PoseFormatSuite {
    func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> URL {
        try FileManager.default.createDirectory(
            at: folder.file(name).deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: folder.file(name))
        return folder.file(name)
    }

    /// The frames of a file, what its numbers were taken for, and what was noticed.
    func read(
        _ url: URL, of subject: ActionSubject = .body
    ) async throws -> (frames: [PosedFrame], note: String, findings: [Diagnostic]) {
        #expect(PoseSequenceReader.isSequence(url))
        var reader = PoseSequenceReader(subject: subject, rate: 10)
        let diagnostics = DiagnosticCollector()
        reader.diagnostics = diagnostics
        let frames = try reader.frames(contentsOf: url)
        var all: [PosedFrame] = []
        for try await element in frames { all.append(element.feature) }
        return (all, frames.note ?? "", diagnostics.diagnostics)
    }

    /// Whether a pose is the figure's; `scale` is how large it is in the picture.
    func expectFigure(
        _ pose: Pose?, bend: Double = 0, joints: Int = 17, within tolerance: Double = 1e-3,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let pose = try #require(pose, sourceLocation: sourceLocation)
        #expect(pose.keypoints.count >= joints, sourceLocation: sourceLocation)
        for (key, place) in StandingFigure.joints(bend: bend) {
            guard let joint = pose.keypoints[key] else { continue }
            let distance = max(abs(joint.location.x - place.x), abs(joint.location.y - (1 - place.y)))
            #expect(distance < tolerance, "\(key.rawValue): \(joint.location)", sourceLocation: sourceLocation)
        }
    }

    /// Expects that a file is refused with these words.
    func expectRefusal(
        of url: URL, _ words: String, limits: PoseFileLimits = PoseFileLimits(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var reader = PoseSequenceReader()
        reader.limits = limits
        let error = #expect(throws: KinemaError.self, sourceLocation: sourceLocation) {
            _ = try reader.frames(contentsOf: url)
        }
        let message = error?.message ?? ""
        #expect(message.contains(words), "\(message)", sourceLocation: sourceLocation)
    }
}
