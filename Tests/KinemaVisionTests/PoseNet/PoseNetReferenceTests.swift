@testable import KinemaPose
import Foundation
import KinemaCore
import KinemaMedia
import KinemaTestSupport
import Testing

/// The published models with what Google's own decoder makes of a picture.
enum PoseNetFiles {
    static let folder = SharedData.folder.appending(path: "models/posenet")
    static let picture = folder.appending(path: "test_couple.jpg")
    static var arePresent: Bool { FileManager.default.fileExists(atPath: picture.path) }

    static func model(_ size: String) throws -> PoseNetModel {
        try PoseNetModel(contentsOf: folder.appending(path: "posenet_mobilenet_v1_075_\(size)_quant.tflite"))
    }

    /// The reference poses: score, and position (pixels of the input) with score by joint.
    static func reference(_ size: String) throws -> [(score: Float, joints: [JointKey: (SIMD2<Double>, Float)])] {
        let text = try String(contentsOf: folder.appending(path: "reference_\(size).csv"), encoding: .utf8)
        var poses: [(score: Float, joints: [JointKey: (SIMD2<Double>, Float)])] = []
        for row in text.split(whereSeparator: \.isNewline).dropFirst() {
            let cells = row.split(separator: ",")
            let (number, score) = (try #require(Int(cells[0])), try #require(Float(cells[1])))
            let words = cells[2].split(separator: "_").map { $0.lowercased() }
            let key = JointKey(rawValue: words[0] + words.dropFirst().map(\.capitalized).joined())
            if number == poses.count { poses.append((score, [:])) }
            let place = SIMD2(try #require(Double(cells[4])), try #require(Double(cells[5])))
            poses[number].joints[key] = (place, try #require(Float(cells[3])))
        }
        return poses
    }
}

/// Real inference on real pictures.
@Suite(
    .serialized,
    .enabled(
        if: PoseNetFiles.arePresent && SharedData.isPresent, "needs the models and recordings; KINEMA_SHARED says where"
    ))
struct PoseNetReferenceTests {
    private func poses(
        _ frame: VideoFrame, _ model: PoseNetModel, _ change: (inout PoseBuilderConfiguration) -> Void = { _ in }
    ) throws -> [Pose] {
        var configuration = PoseBuilderConfiguration()
        change(&configuration)
        var tracker = try ModelTracker(options: PoseNetOptions(model: model, configuration: configuration))
        return try tracker.update(frame)
    }

    /// How far each joint that the reference is sure of lies from it, in pixels of the model's input.
    private func distances(
        _ pose: Pose, _ joints: [JointKey: (SIMD2<Double>, Float)], _ model: PoseNetModel
    ) -> [Double] {
        joints.filter { $0.value.1 > 0.5 }.map { key, value in
            guard let location = pose.keypoints[key]?.location else { return .infinity }
            let place = SIMD2(location.x, 1 - location.y)
            return (place * SIMD2(Double(model.inputWidth), Double(model.inputHeight)) - value.0).length
        }
    }

    @Test(arguments: ["353_481", "481_641"]) func `the couple is where Google's decoder sees it`(size: String) throws {
        let model = try PoseNetFiles.model(size)
        let numbers = size.split(separator: "_").compactMap { Int($0) }
        #expect([model.inputHeight, model.inputWidth] == numbers && model.outputStride == 16)
        let poses = try poses(ImageReader.read(contentsOf: PoseNetFiles.picture), model)
        let reference = try PoseNetFiles.reference(size)
        try #require(poses.count == 2 && reference.count == 2)
        #expect(poses.map(\.id) == [1, 2] && poses.allSatisfy { $0.keypoints.count == 19 })
        var all: [Double] = []
        for (pose, expected) in zip(poses, reference) {
            #expect(abs(pose.confidence - expected.score) < 0.03)
            all += distances(pose, expected.joints, model)
        }
        #expect(all.count >= 29)
        #expect(RenderedPeople.quantile(0.5, of: all) < 1.2, "\(all.sorted())")
        #expect(RenderedPeople.quantile(1, of: all) < 4, "\(all.sorted())")
    }

    /// A quarter of the picture, the model's own size, high and narrow, low and wide: all stretched again by the model.
    @Test(arguments: [(480, 320), (481, 353), (320, 640), (1500, 300)])
    func `the couple is found in pictures of other sizes and shapes`(width: Int, height: Int) throws {
        let model = try PoseNetFiles.model("353_481")
        let whole = try ImageReader.read(contentsOf: PoseNetFiles.picture)
        let frame = VideoFrame(bitmap: try whole.bitmap(width: width, height: height), id: whole.id)
        let poses = try poses(frame, model)
        let reference = try PoseNetFiles.reference("353_481")
        try #require(poses.count == 2)
        var all: [Double] = []
        for (pose, expected) in zip(poses, reference) {
            #expect(abs(pose.confidence - expected.score) < 0.05)
            all += distances(pose, expected.joints, model)
        }
        // The reference saw the picture in full: what is lost on the way moves joints by a pixel or two.
        #expect(RenderedPeople.quantile(0.5, of: all) < 2.2 && RenderedPeople.quantile(0.9, of: all) < 5, "\(all)")
    }

    /// Pictures of one person in good view; the two ways of decoding walk differently to the same joints.
    @Test(arguments: ["353_481", "481_641"]) func `both ways of decoding agree on one person`(size: String) throws {
        let model = try PoseNetFiles.model(size)
        let input = SIMD2(Double(model.inputWidth), Double(model.inputHeight))
        var all: [Double] = []
        for name in ["084533", "037666", "234748", "030752", "183872", "368402", "574769"] {
            let url = SharedData.file("people/coco_train_subset/images/000000\(name).jpg")
            let frame = try ImageReader.read(contentsOf: url)
            let everyone = try poses(frame, model)
            let single = try poses(frame, model) { $0.algorithm = .single }
            try #require(everyone.count == 1 && single.count == 1, "\(name)")
            var together: [Float] = []
            for (key, joint) in single[0].keypoints where key != .neck && key != .root {
                guard let other = everyone[0].keypoints[key] else { continue }
                let way = SIMD2(joint.location.x - other.location.x, joint.location.y - other.location.y)
                let distance = (way * input).length
                // A hidden joint has more than one peak: there the highest of all need not be the one next to the hip.
                if distance < 4 { together.append(joint.confidence - other.confidence) }
                if joint.confidence > 0.5, other.confidence > 0.5 { all.append(distance) }
            }
            // Where both see the same place they see the same there.
            #expect(together.count >= 11, "\(name)")
            let apart = together.reduce(0, +) / Float(together.count)
            #expect(abs(apart) < 0.02, "\(name): \(together)")
        }
        #expect(all.count > 90)
        #expect(RenderedPeople.quantile(0.5, of: all) < 0.3 && RenderedPeople.quantile(0.95, of: all) < 4, "\(all)")
    }

    @Test func `three dancers keep their numbers`() async throws {
        var tracker = try ModelTracker(options: PoseNetOptions(model: try PoseNetFiles.model("353_481")))
        var frames: [[Pose]] = []
        for try await element in try await VideoReader.read(contentsOf: SharedData.file("crowds/aerobics3.avi")) {
            frames.append(try tracker.update(element.feature))
            if frames.count == 60 { break }
        }
        #expect(Set(frames.flatMap { $0.compactMap(\.id) }) == [1, 2, 3])
        #expect(frames.count { $0.count == 3 } >= 57)
        // They stay in their places, so the order from left to right is the same throughout.
        let orders = frames.filter { $0.count == 3 }.map { poses in
            poses.sorted { ($0.keypoints[.neck]?.location.x ?? 0) < ($1.keypoints[.neck]?.location.x ?? 0) }
                .compactMap(\.id)
        }
        #expect(Set(orders).count == 1)
    }
}
