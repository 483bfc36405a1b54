@testable import KinemaFormats
import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

@testable import Kinema

/// The names of joints in tables, and those that are none.
struct JointNameTests: PoseFormatSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [
        ("hip_left", JointKey.leftHip), ("hip_l", .leftHip), ("hipL", .leftHip), ("HipR", .rightHip),
        ("LHip", .leftHip), ("l_hip", .leftHip), ("knee.right", .rightKnee), ("ankle_r", .rightAnkle),
        ("heel_l", .leftHeel), ("bigtoe_r", .rightFootTip), ("foot_index_left", .leftFootTip), ("ear_R", .rightEar),
        ("hip", .root), ("hip1", .rightHip), ("LHEE", .leftHeel),
    ]) func `the side may be anywhere in a name`(name: String, key: JointKey) {
        #expect(JointNames.joint(name) == key)
    }

    @Test(arguments: ["heel", "knee", "HEEL", "shoulder", "tail", "toe"])
    func `a joint without a side is none`(name: String) { #expect(JointNames.joint(name) == nil) }

    /// A table whose joints have the names that `rename` gives them, in one line or as DeepLabCut has them.
    private func table(isDeepLabCuts: Bool = false, _ rename: (JointKey) -> String?) throws -> URL {
        let joints = StandingFigure.joints().sorted { $0.key.rawValue < $1.key.rawValue }
            .compactMap { key, place in rename(key).map { (name: $0, place: place) } }
        let row = joints.map { "\($0.place.x),\($0.place.y),0.9" }.joined(separator: ",")
        let head: [String]
        if isDeepLabCuts {
            head = [
                "scorer" + String(repeating: ",DLC", count: 3 * joints.count),
                "bodyparts," + joints.map { "\($0.name),\($0.name),\($0.name)" }.joined(separator: ","),
                "coords," + joints.map { _ in "x,y,likelihood" }.joined(separator: ","),
            ]
        } else {
            head = ["frame," + joints.map { "\($0.name)_x,\($0.name)_y,\($0.name)_confidence" }.joined(separator: ",")]
        }
        let lines = head + (0..<20).map { "\($0),\(row)" }
        return try write("n.csv", Data(lines.joined(separator: "\n").utf8))
    }

    /// The name with the side last: hipL, or hip_left.
    private static func sideLast(_ key: JointKey, _ side: (String) -> String) -> String {
        for name in ["left", "right"] where key.rawValue.hasPrefix(name) {
            let joint = key.rawValue.dropFirst(name.count)
            return joint.prefix(1).lowercased() + joint.dropFirst() + side(name)
        }
        return key.rawValue
    }

    @Test(arguments: [false, true]) func `sides that come last are read`(isDeepLabCuts: Bool) async throws {
        for side in [{ $0.prefix(1).uppercased() }, { "_" + $0 }, { "_" + $0.prefix(1) }] as [(String) -> String] {
            let file = try table(isDeepLabCuts: isDeepLabCuts) { Self.sideLast($0, side) }
            try expectFigure(try await read(file).frames.first?.poses.first)
        }
    }

    @Test(arguments: [false, true]) func `a table without a body's joints names what is unknown`(
        isDeepLabCuts: Bool
    ) throws {
        let head: Set<JointKey> = [.nose, .leftEye, .rightEye, .leftEar, .rightEar]
        let headOnly = try table(isDeepLabCuts: isDeepLabCuts) {
            head.contains($0) ? $0.rawValue : "Gelenk" + $0.rawValue
        }
        expectRefusal(of: headOnly, "GelenkleftAnkle, GelenkleftElbow")
        // Elbows and wrists alone have no trunk.
        let arms: Set<JointKey> = head.union([.leftElbow, .rightElbow, .leftWrist, .rightWrist])
        let noTrunk = try table(isDeepLabCuts: isDeepLabCuts) { arms.contains($0) ? $0.rawValue : "g_" + $0.rawValue }
        expectRefusal(of: noTrunk, "g_leftAnkle, g_leftFootTip")
        let oneSide = try table(isDeepLabCuts: isDeepLabCuts) { key in
            [JointKey.leftShoulder: "shoulder", .leftHip: "hip", .leftKnee: "knee", .leftAnkle: "ankle"][key]
        }
        expectRefusal(of: oneSide, "no known joints (ankle, knee, shoulder); name them with their side")
    }

    @Test func `joints that are missing beside others are in the note`() async throws {
        let knees: Set<JointKey> = [.leftKnee, .rightKnee]
        let found = try await read(try table { knees.contains($0) ? "x" + $0.rawValue : $0.rawValue })
        #expect(found.note.contains("no joints: xleftKnee, xrightKnee"), "\(found.note)")
        #expect(try await read(try table(\.rawValue)).note.isEmpty)
    }
}
