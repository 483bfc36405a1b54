@testable import KinemaPose
import Foundation
import KinemaCore
import KinemaMedia
import KinemaTestSupport
import Testing

/// Whole models: tiny ones that always answer the same, and the shared pair on real pictures.
struct ModelTrackerTests {
    private static let more = SharedData.folder.appending(path: "models/more")
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func frame(_ index: Int, width: Int = 200, height: Int = 100) -> VideoFrame {
        let id = TemporalSegmentIdentifier(source: "test", range: index..<(index + 1), timescale: 30)
        return VideoFrame(bitmap: Bitmap(width: width, height: height, red: 90, green: 90, blue: 90), id: id)
    }

    private func store() -> ModelStore { ModelStore(cache: folder.url.appending(path: "cache")) }

    @Test func `a detector in ONNX and SimCC find joints where their formulas say`() throws {
        // RTMDet's corner letterbox: a picture of 200x100 fills the upper half of 320x320, 1.6 pixels for one.
        let boxes = TinyModels.Output(name: "dets", shape: [1, 1, 5], values: [32, 16, 128, 144, 0.9])
        try Data(TinyModels.onnx([boxes])).write(to: folder.file("rtmdet.onnx"))
        // The joints fill two thirds of the crop, which its margins make up for, so that who is followed stays in it.
        func peaks(_ count: Int, _ size: Int) -> [Float] {
            (0..<(count * size)).map { (index: Int) -> Float in
                let place = 1.0 / 6 + 2.0 / 3 * Double(2 * (index / size) + 1) / 34
                return index % size == Int(Double(size) * place) ? 0.8 : 0
            }
        }
        try TinyModels.writeIR(
            folder.file("simcc.xml"), input: [1, 3, 256, 192],
            outputs: [
                .init(name: "x", shape: [1, 17, 384], values: peaks(17, 384)),
                .init(name: "y", shape: [1, 17, 512], values: peaks(17, 512)),
            ])
        var options = try ChosenModelOptions(
            model: ChosenModel(contentsOf: folder.file("simcc.xml")),
            detector: ChosenModel(contentsOf: folder.file("rtmdet.onnx")))
        options.detectEvery = 1
        var tracker = try ModelTracker(options: options, store: store())
        let frames = try (0..<5).map { try tracker.update(frame($0)) }
        #expect(frames.allSatisfy { $0.map(\.id) == [1] }, "\(frames.map { $0.map(\.id) })")
        let pose = try #require(frames.first?.first)
        #expect(pose.keypoints.count == 19 && abs(pose.confidence - 0.7457) < 1e-3)
        // The box is (20, 10) to (80, 90): the crop is 100 high and 75 wide about (50, 50), its pixel 0.390625 large.
        let knee = try #require(pose.keypoints[.rightKnee])
        #expect(abs(knee.location.x * 200 - (12.5 + 141 * 0.390625)) < 0.6)
        #expect(abs((1 - knee.location.y) * 100 - 188 * 0.390625) < 0.6)
    }

    @Test func `a whole-frame model keeps numbers, and nobody comes of low scores`() throws {
        func poses(_ score: Float) -> [Float] {
            (0..<(20 * 51)).map { (index: Int) -> Float in
                let (person, value) = (index / 51, index % 51)
                return value % 3 == 2 ? score : Float(person * 90 + value * 2 + value % 3 * 40)
            }
        }
        for (score, count) in [(Float(0.9), 2), (0.05, 0)] {
            let url = folder.file("rtmo\(count).xml")
            let boxes = (0..<100).map { (index: Int) -> Float in
                index % 5 != 4 ? Float(index) : index < 10 ? score : 0
            }
            try TinyModels.writeIR(
                url, input: [1, 3, 320, 320],
                outputs: [
                    .init(name: "dets", shape: [1, 20, 5], values: boxes),
                    .init(name: "joints", shape: [1, 20, 17, 3], values: poses(score)),
                ])
            var tracker = try ModelTracker(
                options: ChosenModelOptions(model: ChosenModel(contentsOf: url)), store: store())
            for index in 0..<3 { #expect(try tracker.update(frame(index)).count == count) }
        }
    }

    @Test func `the detector runs when it is due, when nobody is in view and when someone was lost`() {
        var schedule = DetectionSchedule(every: nil)
        var due: [Int] = []
        for index in 0..<60 {
            let time = Double(index) / 30
            if schedule.isDue(at: time) { due.append(index) }
            schedule.record(
                inView: index < 3 ? 0 : 1, lost: index == 40, isDoubtful: false, searched: due.last == index, at: time)
        }
        #expect(due == [0, 1, 2, 3, 18, 33, 41, 47, 53, 59])
        var fixed = DetectionSchedule(every: 4)
        #expect((0..<9).filter { fixed.isDue(at: Double($0)) } == [0, 4, 8])
    }

    @Test(
        .enabled(
            if: FileManager.default.fileExists(atPath: more.path), "needs the shared models; KINEMA_SHARED says where"))
    func `the shared pair finds the couple in a picture, and follows a man with few detections`() async throws {
        let detector = try ChosenModel(contentsOf: Self.more.appending(path: "picodet_s_320_ped.xml"))
        let model = try ChosenModel(contentsOf: Self.more.appending(path: "tinypose_256_192.xml"))
        #expect(detector.manifest.decoder == .picodet && model.manifest.decoder == .heatmap)
        #expect(throws: KinemaError.self) { try ChosenModelOptions(model: detector) }
        #expect(throws: KinemaError.self) { try ChosenModelOptions(model: model, detector: model) }
        let options = try ChosenModelOptions(model: model, detector: detector)
        let couple = try ImageReader.read(
            contentsOf: SharedData.folder.appending(path: "models/posenet/test_couple.jpg"))
        var tracker = try ModelTracker(options: options)
        let people = try tracker.update(couple).filter { $0.confidence > 0.4 }
        let noses = people.compactMap { $0.keypoints[.nose]?.location.x }.sorted()
        #expect(noses.count == 2 && abs(noses[0] - 0.423) < 0.01 && abs(noses[1] - 0.536) < 0.01, "\(noses)")

        var counts: [Int] = []
        var follower = try ModelTracker(options: options)
        for try await element in try await VideoReader.read(
            contentsOf: SharedData.file("repetitions/squat_timer12.mp4"))
        {
            counts.append(try follower.update(element.feature).filter { $0.id == 1 }.count)
            if counts.count == 90 { break }
        }
        #expect(counts.reduce(0, +) >= 88, "\(counts)")
    }
}
