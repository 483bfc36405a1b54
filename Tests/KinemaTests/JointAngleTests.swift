@testable import KinemaFormats
import KinemaMeasuring
import Foundation
import KinemaTestSupport
import Testing

@testable import Kinema

/// Angles of a stick figure whose posture is known, in Sports2D's names and signs.
struct JointAngleTests {
    /// A figure of a metre's thighs and so on that faces the picture's right; degrees of flexion of the right side.
    private func figure(
        knee: Double = 0, hip: Double = 0, ankle: Double = 0, shoulder: Double = 0, elbow: Double = 0,
        lean: Double = 0, turn: Double = 0
    ) -> [JointKey: SIMD3<Double>] {
        // Each segment by its direction in the side view: degrees from hanging down, positive ahead.
        func direction(_ degrees: Double) -> SIMD2<Double> {
            SIMD2(sin(degrees * .pi / 180), -cos(degrees * .pi / 180))
        }
        var side: [JointKey: (SIMD2<Double>, Double)] = [:]
        let neck = -direction(-lean)
        for (across, hipKey, kneeKey, ankleKey, heel, tip, shoulderKey, elbowKey, wristKey) in [
            (
                0.15, JointKey.rightHip, JointKey.rightKnee, JointKey.rightAnkle, JointKey.rightHeel,
                JointKey.rightFootTip, JointKey.rightShoulder, JointKey.rightElbow, JointKey.rightWrist
            ),
            (
                -0.15, .leftHip, .leftKnee, .leftAnkle, .leftHeel, .leftFootTip, .leftShoulder, .leftElbow, .leftWrist
            ),
        ] {
            let isRight = across > 0
            let thigh = direction(-lean + (isRight ? hip : 0))
            let shank = direction(-lean + (isRight ? hip - knee : 0))
            let foot = direction(-lean + (isRight ? hip - knee + ankle : 0) + 90)
            let arm = direction(-lean + (isRight ? shoulder : 0))
            let forearm = direction(-lean + (isRight ? shoulder + elbow : 0))
            side[hipKey] = (.zero, across)
            side[kneeKey] = (thigh, across)
            side[ankleKey] = (thigh + shank, across)
            side[heel] = (thigh + shank - foot * 0.1, across)
            side[tip] = (thigh + shank + foot * 0.2, across)
            side[shoulderKey] = (neck, across)
            side[elbowKey] = (neck + arm, across)
            side[wristKey] = (neck + arm + forearm, across)
        }
        side[.root] = (.zero, 0)
        side[.neck] = (neck, 0)
        // Facing the picture's right, the person's right side is nearest the camera: z.
        let (c, s) = (cos(turn * .pi / 180), sin(turn * .pi / 180))
        return side.mapValues { place, across in
            SIMD3(c * place.x + s * across, place.y, -s * place.x + c * across)
        }
    }

    private func angles(_ figure: [JointKey: SIMD3<Double>]) throws -> [String: Double] {
        let view = try #require(SideView(figure))
        return Dictionary(
            uniqueKeysWithValues: zip(JointAngles.names, JointAngles.angles(view.position(of:))).compactMap {
                name, angle in
                angle.map { (name, $0) }
            })
    }

    private func expect(_ found: [String: Double], _ name: String, _ angle: Double) {
        #expect(abs((found[name] ?? .infinity) - angle) < 1e-9, "\(name) \(found[name] as Any), not \(angle)")
    }

    @Test func `who stands upright has no angle in any joint`() throws {
        let found = try angles(figure())
        // The lines across, pelvis and shoulders, have no length exactly from the side.
        #expect(found.count == JointAngles.names.count - 2)
        for joint in ["ankle", "knee", "hip", "shoulder", "elbow"] {
            for side in ["Right", "Left"] { expect(found, "\(side) \(joint)", 0) }
        }
        for (name, angle) in [
            ("Trunk", 90.0), ("Right thigh", -90), ("Right shank", -90), ("Right foot", 0), ("Right arm", -90),
        ] { expect(found, name, angle) }
    }

    @Test(arguments: [0.0, 45, 90, 180, -120]) func `flexion is positive in every direction`(turn: Double) throws {
        let found = try angles(
            figure(knee: 80, hip: 70, ankle: 15, shoulder: 100, elbow: 60, lean: 0, turn: turn))
        for (name, angle) in [("knee", 80.0), ("hip", 70), ("ankle", 15), ("shoulder", 100), ("elbow", 60)] {
            expect(found, "Right \(name)", angle)
            expect(found, "Left \(name)", 0)
        }
        expect(found, "Right thigh", -20)
        expect(found, "Right shank", -100)
    }

    @Test func `the picture of who faces left is turned around`() throws {
        for turn in [0.0, 180] {
            let body = figure(knee: 80, hip: 70, ankle: 15, shoulder: 170, elbow: 60, lean: 10, turn: turn)
            let seen = JointAngles.angles { key in body[key].map { SIMD2($0.x, $0.y) } }
            let view = try #require(SideView(body))
            #expect(abs(view.sideways - 1) < 1e-9)
            let found = turn == 0 ? seen : JointAngles.mirrored(seen)
            for (name, (a, b)) in zip(JointAngles.names, zip(found, JointAngles.angles(view.position(of:)))) {
                // Lines across have no length in this view.
                guard name != "Pelvis", name != "Shoulders", let a, let b else { continue }
                #expect(abs(remainder(a - b, 360)) < 1e-9, "\(name) \(a), not \(b)")
            }
        }
    }

    @Test func `a trunk that leans ahead stands below ninety`() throws {
        let found = try angles(figure(lean: 30))
        expect(found, "Trunk", 60)
        expect(found, "Right hip", 0)
    }

    @Test func `arms behind the back have negative angles`() throws {
        expect(try angles(figure(shoulder: -40)), "Right shoulder", -40)
    }

    @Test func `who lies on the side has no side view`() {
        let standing = figure()
        let lying = standing.mapValues { SIMD3($0.x, $0.z, -$0.y) }
        #expect(SideView(lying) == nil && SideView([:]) == nil)
    }

    @Test func `an arm that goes over the top does not jump`() throws {
        let folder = try TemporaryFolder()
        var export = PoseExportFormat.mot.makeExport(to: folder.file("a.mot"), source: "film.mp4")
        for (index, shoulder) in stride(from: 150.0, through: 200, by: 10).enumerated() {
            var pose = Pose(from: [:])
            pose.id = 1
            pose.keypoints = Dictionary(
                uniqueKeysWithValues: figure(shoulder: shoulder).map { key, place in
                    let location = CGPoint(x: 0.5 + place.x / 10, y: 0.5 + place.y / 10)
                    return (key, JointPoint(key, location: location, confidence: 1))
                })
            pose.keypoints3D = Dictionary(
                uniqueKeysWithValues: figure(shoulder: shoulder).map { key, place in
                    (key, JointPoint3D(key, position: SIMD3<Float>(place), confidence: 1))
                })
            try export.add(
                ExportedFrame(index: index, time: Double(index) / 30, width: 9, height: 9, poses: [pose]))
        }
        try export.finish()
        let lines = try String(contentsOf: folder.file("a.mot"), encoding: .utf8).split(separator: "\n")
            .map { $0.split(separator: "\t").map(String.init) }
        let head = try #require(lines.firstIndex { $0[0] == "time" })
        let column = try #require(lines[head].firstIndex(of: "Right shoulder"))
        let values = lines[(head + 1)...].compactMap { Double($0[column]) }
        #expect(values.count == 6)
        for (index, value) in values.enumerated() {
            #expect(abs(value - Double(150 + 10 * index)) < 0.01, "\(values)")
        }
        // Time and all angles but those of the lines across.
        #expect(lines.contains(["nRows=6"]) && lines.contains(["nColumns=\(JointAngles.names.count - 1)"]))
    }
}
