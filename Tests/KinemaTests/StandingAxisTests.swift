import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

@testable import Kinema

/// The axis along which bodies stand, over a whole file.
struct StandingAxisTests: PoseFormatSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func rows(_ place: (SIMD2<Double>) -> SIMD2<Double>) -> [Double] {
        (0..<40).flatMap { frame in
            StandingFigure.row(.coco17, bend: 2 * (0.5 - abs(0.5 - Double(frame % 20) / 20)), third: 0.9, place)
        }
    }

    @Test(arguments: [[40, 1, 1, 17, 3], [40, 17, 3]]) func `y may come first`(shape: [Int]) async throws {
        let squats = rows { [$0.y, $0.x] }
        let found = try await read(try write("t.npy", NumpyFile.bytes(squats, shape: shape)))
        #expect(found.note.contains("y before x"), "\(found.note)")
        try expectFigure(found.frames.first?.poses.first)
        let plain = try await read(try write("p.npy", NumpyFile.bytes(rows { $0 }, shape: [40, 17, 3])))
        #expect(!plain.note.contains("y before x") && !plain.note.contains("lies"))
        try expectFigure(plain.frames.first?.poses.first)
    }

    /// A push-up: the body lies along x, and the shoulders move across.
    @Test func `who lies is not turned`() async throws {
        let lying = (0..<40).flatMap { frame -> [Double] in
            let dip = 0.15 * abs(sin(Double(frame) / 6))
            return StandingFigure.row(.coco17, third: 0.9) { [$0.y, $0.x / 3 + 0.5 + dip * (1 - $0.y)] }
        }
        let found = try await read(try write("t.npy", NumpyFile.bytes(lying, shape: [40, 17, 3])))
        #expect(!found.note.contains("y before x") && found.note.contains("exchange x and y"), "\(found.note)")
    }

    /// Markers in millimetres with the height in one of the three columns.
    private func markers(_ place: (Double, Double) -> [Double]) throws -> URL {
        let names: [(String, JointKey)] = [
            ("Nose", .nose), ("Neck", .neck), ("RShoulder", .rightShoulder), ("LShoulder", .leftShoulder),
            ("RHip", .rightHip), ("LHip", .leftHip), ("RKnee", .rightKnee), ("LKnee", .leftKnee),
            ("RAnkle", .rightAnkle), ("LAnkle", .leftAnkle),
        ]
        let head = [
            "PathFileType\t4\t(X/Y/Z)\tt.trc", "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits",
            "24\t24\t20\t\(names.count)\tmm",
            "Frame#\tTime\t" + names.map { "\($0.0)\t\t" }.joined(separator: "\t"), "", "",
        ]
        let joints = StandingFigure.joints()
        let lines = (0..<20).map { frame in
            "\(frame + 1)\t\(Double(frame) / 24)\t"
                + names.flatMap { _, key in
                    joints[key].map { place(1800 * $0.x, 1800 * (1 - $0.y)) } ?? []
                }.map { "\($0)" }.joined(separator: "\t")
        }
        return try write("t.trc", Data((head + lines).joined(separator: "\n").utf8))
    }

    @Test(arguments: [("z upwards", 1.0), ("z downwards", -1)]) func `markers may have z along the body`(
        words: String, sign: Double
    ) async throws {
        let found = try await read(try markers { [$0, -140, sign * $1] })
        let plain = try await read(try markers { [$0, $1, 140] })
        #expect(found.note.contains(words) && plain.note.isEmpty, "\(found.note), \(plain.note)")
        let (turned, upright) = (found.frames.first?.poses.first, plain.frames.first?.poses.first)
        for key in [JointKey.nose, .leftHip, .rightAnkle] {
            let (one, other) = (try #require(turned?.keypoints[key]), try #require(upright?.keypoints[key]))
            #expect(abs(one.location.y - other.location.y) < 1e-4 && abs(one.location.x - other.location.x) < 1e-4)
        }
    }

    @Test(arguments: [("y downwards", 1.0), ("", -1)]) func `markers may have y downwards`(
        words: String, sign: Double
    ) async throws {
        let found = try await read(try markers { [$0, -sign * $1, 140] })
        #expect(words.isEmpty ? found.note.isEmpty : found.note.contains(words), "\(found.note)")
        try #expect(#require(found.frames.first?.poses.first?.keypoints[.nose]).location.y > 0.8)
    }

    /// A table of a room in metres whose columns name x, y and z.
    private func room(bend: Bool, _ place: (SIMD2<Double>) -> [Double]) throws -> URL {
        let keys = StandingFigure.joints().keys.sorted { $0.rawValue < $1.rawValue }
        let head = keys.flatMap { key in "xyz".map { "\(key.rawValue)_\($0)" } }
        let lines = (0..<40).map { frame in
            let joints = StandingFigure.joints(bend: bend ? abs(sin(Double(frame) / 6)) : 0)
            return keys.flatMap { place(joints[$0] ?? .zero) }.map { "\($0)" }.joined(separator: ",")
        }
        return try write("room.csv", Data(([head.joined(separator: ",")] + lines).joined(separator: "\n").utf8))
    }

    @Test func `a table may have z upwards, but a depth from the hips is none`() async throws {
        let found = try await read(try room(bend: true) { [2 + $0.x, 3 + 0.01 * $0.x, 1.8 * (1 - $0.y)] })
        #expect(found.note.contains("z upwards"), "\(found.note)")
        let nose = try #require(found.frames.first?.poses.first?.keypoints[.nose])
        let ankle = try #require(found.frames.first?.poses.first?.keypoints[.leftAnkle])
        #expect(nose.location.y > ankle.location.y + 0.5)
        // Somebody who lies with the head towards the camera: MediaPipe counts z from the hips.
        let lying = try await read(try room(bend: false) { [0.4 + $0.x / 5, 0.5 + $0.y / 20, 0.8 * ($0.y - 0.55)] })
        #expect(!lying.note.contains("z "), "\(lying.note)")
    }

    /// A push-up along z with y upwards: hands and feet rest.
    @Test func `who is propped on hands and feet is not turned`() async throws {
        let names = ["Nose", "RShoulder", "LShoulder", "RHip", "LHip", "RAnkle", "LAnkle", "RWrist", "LWrist"]
        let along = [1.6, 1.4, 1.4, 0.9, 0.9, 0, 0, 1.4, 1.4]
        let head = [
            "PathFileType\t4\t(X/Y/Z)\tt.trc", "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits",
            "24\t24\t40\t9\tm", "Frame#\tTime\t" + names.map { "\($0)\t\t" }.joined(separator: "\t"), "", "",
        ]
        let lines = (0..<40).map { frame in
            let rise = 0.15 + 0.35 * abs(sin(Double(frame) / 6))
            let cells = along.indices.flatMap {
                [0.1 * Double($0 % 2), $0 > 4 ? 0.05 : rise * along[$0] / 1.4, along[$0]]
            }
            return "\(frame + 1)\t\(Double(frame) / 24)\t" + cells.map { "\($0)" }.joined(separator: "\t")
        }
        let found = try await read(try write("t.trc", Data((head + lines).joined(separator: "\n").utf8)))
        #expect(found.note.isEmpty, "\(found.note)")
    }

    /// An array of a room, a person in metres times `unit`; the nose is in the plane where the depth is 0.
    private func array(_ unit: Double, moving: Bool, _ place: (SIMD3<Double>) -> SIMD3<Double>) -> [UInt8] {
        let numbers = (0..<40).flatMap { frame -> [Double] in
            let joints = StandingFigure.joints(bend: abs(sin(Double(frame) / 6)))
            return JointOrder.coco17.keys.flatMap { key -> [Double] in
                let key = key ?? .nose
                let (point, name) = (joints[key] ?? .zero, key.rawValue)
                let depth = name.hasPrefix("left") ? -0.15 : name.hasPrefix("right") ? 0.15 : 0
                let across = (point.x - 0.5) / 3 + (moving ? 0.05 * Double(frame) - 0.5 : 0.7)
                let turned = place(SIMD3(across, 1.8 * (0.98 - point.y), depth)) * unit
                return [turned.x, turned.y, turned.z]
            }
        }
        return Array(NumpyFile.bytes(numbers, shape: [40, 17, 3]))
    }

    @Test(arguments: [1.0, 100, 1000], [true, false])
    func `an array in space may have y or z upwards, in any unit`(unit: Double, moving: Bool) async throws {
        let turns: [(SIMD3<Double>) -> SIMD3<Double>] = [
            { $0 }, { SIMD3($0.x, $0.z, $0.y) }, { SIMD3($0.z, $0.x, $0.y) },
        ]
        for (number, turn) in turns.enumerated() {
            let found = try await read(try write("a\(number).npy", array(unit, moving: moving, turn)))
            #expect(found.note.contains("lengths") && found.note.contains("upwards"), "\(number): \(found.note)")
            for frame in found.frames {
                let pose = try #require(frame.poses.first)
                let (nose, knee) = (try #require(pose.keypoints[.nose]), try #require(pose.keypoints[.leftKnee]))
                let ankle = try #require(pose.keypoints[.leftAnkle])
                #expect(nose.location.y > knee.location.y && knee.location.y > ankle.location.y, "\(number)")
                #expect((0.0...1).contains(nose.location.y) && (0.0...1).contains(ankle.location.y), "\(number)")
            }
        }
    }

    /// MediaPipe's landmarks in the picture, whose depth is counted from the hips.
    @Test func `a depth from the hips is no height`() async throws {
        let numbers = (0..<40).flatMap { frame -> [Double] in
            StandingFigure.row(.blazePose33, bend: abs(sin(Double(frame) / 6)), third: 0).enumerated().map {
                $0.offset % 3 == 2 ? ($0.offset % 2 == 0 ? -0.2 : 0.2) : $0.element
            }
        }
        let found = try await read(try write("m.npy", NumpyFile.bytes(numbers, shape: [40, 33, 3])))
        #expect(found.note.contains("fractions of the frame") && !found.note.contains("upwards"), "\(found.note)")
        try expectFigure(found.frames.first?.poses.first)
    }
}
