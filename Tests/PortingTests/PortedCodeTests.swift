import AsyncAlgorithms
import Foundation
import Kinema
import KinemaSynth
import KinemaTestSupport
import Synchronization
import Testing

@testable import PortingSamples

struct PortedCodeTests {
    private let recording = RecordedPoses.demo

    @Test func `a view model of the first days counts what its channel carries`() async throws {
        let model = RepetitionViewModel()
        var shown = 0
        model.onShow = { _ in shown += 1 }
        model.start(with: AnyTemporalSequence(recording))
        try await model.finishShowing()
        try await model.finish()
        #expect(shown == recording.frames.count)
        #expect(model.uiCount.rounded() == Float(RecordedPoses.repetitions))
    }

    /// What the screen shows after each window: the window's end in seconds and the count.
    private func shown(
        _ recordings: AnyTemporalSequence<[Pose]>
    ) async throws -> [(time: TimeInterval, count: Float)] {
        let model = RepetitionViewModel()
        var shown: [(time: TimeInterval, count: Float)] = []
        model.onCount = { shown.append(($1.rangeInSeconds.upperBound, $0)) }
        model.start(with: recordings)
        try await model.finishShowing()
        try await model.finish()
        return shown
    }

    @Test func `the screen counts on within a set, and from 0 after a rest of three seconds`() async throws {
        // Five jumping jacks, rest, and the same five.
        let truth = SynthScene.demo.truth().people[0].repetitions.prefix(5).map { $0.end - 1 }
        let shown = try await shown(AnyTemporalSequence(recording.frames(30..<210).twice(restingFor: 100)))
        let begin = 280.0 / 30
        for (time, count) in shown where time < 7 || time > begin + 2 {
            let done = truth.count { $0 <= (time < 7 ? time : time - begin) }
            #expect(abs(count.rounded() - Float(done)) <= 1 && count > 0, "\(time) s: \(count), not \(done)")
        }
        let rest = shown.filter { (8.8..<begin + 1).contains($0.time) }.map(\.count)
        #expect(rest.count > 3 && rest.allSatisfy { $0 == 0 }, "\(rest)")
        #expect(shown.last?.count.rounded() == 5)
    }

    @Test func `a recording shorter than a window is counted`() async throws {
        let shown = try await shown(AnyTemporalSequence(recording.frames(50..<130)))
        #expect(shown.last?.count.rounded() == 2, "\(shown)")
    }

    @Test(
        .enabled(if: SharedData.isPresent, "the recordings are absent"),
        arguments: Sweep.of(
            [
                ("jacks_blue12", 11...12), ("starjump2", 2...2), ("jacks_loop3", 3...3), ("press_side2", 2...2),
                ("curl_side5", 5...5), ("pf_correct112", 14...14), ("incline_pushup12", 12...12),
                ("pushup_dumbbell5", 5...5), ("neg_plank_dark", 0...0),
            ], or: [("jacks_blue12", 11...12), ("starjump2", 2...2), ("jacks_loop3", 3...3)]))
    func `the screen shows a recording's count at its end`(name: String, truth: ClosedRange<Float>) async throws {
        let frames = try await VideoReader.read(contentsOf: SharedData.file("repetitions/\(name).mp4"))
        let poses = try await HumanBodyPoseExtractor().adaptedAsTemporal()(frames)
        let shown = try await shown(poses)
        #expect(truth.contains(try #require(shown.last).count.rounded()), "\(shown)")
        // Once the set is known, no window of it shows 0.
        let counts = shown.map(\.count).drop { $0 == 0 }
        #expect(counts.allSatisfy { $0 > 0 }, "\(counts)")
    }

    @Test func `after a flip the other camera is counted too, and the shown count begins anew`() async throws {
        let model = RepetitionViewModel()
        model.start(with: AnyTemporalSequence(recording.named("front")))
        try await model.finishShowing()
        model.flip(to: AnyTemporalSequence(recording.named("back")))
        #expect(model.position == .back)
        try await model.finishShowing()
        try await model.finish()
        #expect(abs(model.uiCount - Float(RecordedPoses.repetitions)) < 1)
    }

    @Test(
        .enabled(if: SharedData.isPresent, "the recordings are absent"),
        arguments: Sweep.of([("strangers/chest_row3", 3), ("press_side2", 2)], or: [("press_side2", 2)]))
    func `a pipeline counts a recording, upright or wide, as the command does`(name: String, truth: Float) async throws
    {
        let frames = try await VideoReader.read(contentsOf: SharedData.file("repetitions/\(name).mp4"))
        let total = try await jumpingJacks(in: frames)
        #expect(total.rounded() == truth, "\(total)")
    }

    @Test func `a camera that cannot be read throws when it is opened`() async throws {
        await #expect(throws: KinemaError.self) {
            _ = try await VideoReader.readCamera(configuration: VideoReader.CameraConfiguration(device: "/dev/null"))
        }
        let configuration = VideoReader.CameraConfiguration()
        #expect(configuration.position == .front && configuration.pixelFormat == .bgra32)
        #expect(configuration.resolution == .high && configuration.frameRate == 30)
        #expect(VideoReader.CameraConfiguration(position: .back, frameRate: 60).position == .back)
    }

    @Test func `a main actor's model feeds two consumers`() async throws {
        let model = MainActorModel()
        try await model.run(recording)
        #expect(await model.shownFrames == recording.frames.count)
        // The end may reveal more and send the last total again.
        let windows = (recording.frames.count - 90 + 4) / 5 + 1
        #expect([windows, windows + 1].contains(await model.totals.count))
        #expect(await model.totals.last?.rounded() == Float(RecordedPoses.repetitions))
        #expect(await model.wristHeights.count == recording.frames.count)
    }

    @Test func `two readers of one channel share its elements`() async throws {
        let channel = AsyncChannel<TemporalFeature<[Pose]>>()
        let readers = (0..<2).map { _ in
            Task {
                let sequence = AnyTemporalSequence<[Pose]>(channel, count: nil)
                return try await PreprocessedFeatureSequence(sequence).features.map(\.id.range.lowerBound)
            }
        }
        for try await element in recording { await channel.send(element) }
        channel.finish()
        let seen = try await readers[0].value + readers[1].value
        #expect(seen.sorted() == Array(recording.frames.indices))
    }

    @Test func `a pipeline stored under its protocol counts`() async throws {
        let total = try await StoredPipeline().lastTotal(of: AnyTemporalSequence(recording))
        #expect(total.rounded() == Float(RecordedPoses.repetitions))
    }

    @Test func `lazily built pipelines infer their inputs`() async throws {
        let pipeline = LazyPipeline()
        let lengths = try await pipeline.windowLengths(of: AnyTemporalSequence(recording))
        #expect(lengths == Array(repeating: 30, count: recording.frames.count / 30))
        let totals = try await pipeline.totals(of: AnyTemporalSequence(recording))
        #expect(totals.first?.id.range == 0..<90)
        #expect(totals.last?.feature.rounded() == Float(RecordedPoses.repetitions))
    }

    @Test func `the period of the first second of jumping jacks is a second`() async throws {
        let predictions = try await periods(of: AnyTemporalSequence(recording))
        #expect(predictions.count == recording.frames.count / 90 * 90)
        let moving = predictions[60..<170].map(\.period).filter { $0 > 0 }.sorted()
        #expect(moving.count > 80)
        #expect(abs(moving[moving.count / 2] - 31) < 3)
    }

    @Test func `your own transformers go wherever the library's go`() async throws {
        let heights = Mirror().appending(PoseSelector()).appending(WristHeight(key: .rightWrist))
        let values: [Double?] = try await heights(recording.frames)
        #expect(values.count == recording.frames.count)
        #expect(values.compactMap(\.self).max().map { $0 > 0.8 } == true)

        let differences = Downsampler(factor: 1)
            .appending(PoseSelector())
            .appending(SlidingWindowTransformer<Pose>(stride: 5, length: 90))
            .appending(HumanBodyActionCounter())
            .appending(Differences())
        var sum: Float = 0
        for try await difference in try await differences(recording) {
            #expect(difference.feature >= 0)
            sum += difference.feature
        }
        #expect(sum.rounded() == Float(RecordedPoses.repetitions))

        let events = Mutex<[Event]>([])
        let sparse = Every<[Pose]>(seconds: 1).appending(PoseSelector()).appending(WristHeight())
        let seconds = try await PreprocessedFeatureSequence(
            sparse(recording) { event in events.withLock { $0.append(event) } })
        #expect(seconds.features.count == (recording.frames.count + 29) / 30)
        #expect(events.withLock { $0.contains { $0.metrics[.source] as? String == "demo" } })
    }
}
