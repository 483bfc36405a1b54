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
        #expect(!plain.note.contains("y before x"))
        try expectFigure(plain.frames.first?.poses.first)
    }

    /// A push-up: the body lies along x, and the shoulders move across.
    @Test func `who lies is not turned`() async throws {
        let lying = (0..<40).flatMap { frame -> [Double] in
            let dip = 0.15 * abs(sin(Double(frame) / 6))
            return StandingFigure.row(.coco17, third: 0.9) { [$0.y, $0.x / 3 + 0.5 + dip * (1 - $0.y)] }
        }
        let found = try await read(try write("t.npy", NumpyFile.bytes(lying, shape: [40, 17, 3])))
        #expect(!found.note.contains("y before x"), "\(found.note)")
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
}
