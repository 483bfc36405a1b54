import KinemaPose
import Foundation
import KinemaCore
import KinemaMedia
import KinemaSynth
import KinemaTestSupport
import Testing

@testable import Kinema

@Suite struct PartPlanTests {
    private static let keys = Array(stride(from: 0, to: 3600, by: 2.0))

    @Test(arguments: [1, 2, 3, 16]) func `every core has equally many parts`(workers: Int) throws {
        let plan = PartPlan(duration: 600, keyTimes: Self.keys, workers: workers)
        guard workers > 1 else { return #expect(plan == nil) }
        let starts = try #require(plan).starts
        #expect(starts.count % workers == 0 && starts.count >= 30 && starts[0] == 0)
        #expect(zip(starts, starts.dropFirst()).allSatisfy { (17...23).contains($1 - $0) })
    }

    @Test func `parts are longer where no picture waits for them, and of the same length where they are kept`() throws {
        func starts(_ length: TimeInterval?, _ usual: TimeInterval) -> Int? {
            PartPlan(duration: 600, keyTimes: Self.keys, workers: 2, length: length, usual: usual)?.starts.count
        }
        #expect(starts(nil, PartPlan.longLength) == 10 && starts(nil, PartPlan.usualLength) == 30)
        #expect(PartPlan(duration: 60, keyTimes: [0, 19, 40], workers: 2, length: 20)?.starts == [0, 20, 40])
    }

    @Test func `short files and those with few key frames are read in one piece`() {
        #expect(PartPlan(duration: 7.9, keyTimes: Self.keys, workers: 2) == nil)
        #expect(PartPlan(duration: 8, keyTimes: [0], workers: 16)?.starts == [0, 4])
        #expect(PartPlan(duration: 130, keyTimes: [0, 61], workers: 2) == nil)
        #expect(PartPlan(duration: 110, keyTimes: [0, 50, 100], workers: 2)?.starts.count == 6)
        #expect(PartPlan(duration: 100, keyTimes: [], workers: 2) == nil)
    }
}

@Suite struct PartedPipelineTests {
    /// Four squats in some nine seconds.
    private static let scene = SynthScene.exercise(
        .squat, repetitions: 4, seed: 4, view: .front, secondsPerRepetition: 1.8,
        settings: SynthScene.Settings(width: 480, height: 360, frameRate: FrameRate(timescale: 10)))

    private let folder: TemporaryFolder
    private let film: URL

    init() throws {
        folder = try TemporaryFolder()
        let rendered = folder.file("rendered.mp4")
        film = folder.file("film.mp4")
        try RenderedVideo.write(Self.scene, to: rendered)
        try Tool.ffmpeg("-i \(rendered.path) -c:v libx264 -g 10", film)
    }

    private func poses(
        _ url: URL, jobs: Int, pictures: Bool = false, parts: URL? = nil, report: DiagnosticCollector? = nil,
        options: BodyPoseOptions = BodyPoseOptions(), orientation: PixelOrientation = .upright
    ) async throws -> [PosedFrame] {
        var pipeline = PosePipeline(options: options)
        pipeline.partFolder = parts
        (pipeline.jobs, pipeline.partLength, pipeline.needsPictures) = (jobs, 2, pictures)
        let frames = try await VideoReader.read(
            .file(url), isolation: .none, orientation: orientation, diagnostics: report)
        var result: [PosedFrame] = []
        for try await element in pipeline(frames) { result.append(element.feature) }
        return result
    }

    @Test(arguments: [true, false]) func `parts give the same person in the same frames`(pictures: Bool) async throws {
        let whole = try await poses(film, jobs: 1)
        let parts = try await poses(film, jobs: 3, pictures: pictures)
        #expect(whole.map(\.frame.id) == parts.map(\.frame.id))
        #expect(whole.map { $0.poses.map(\.id) } == parts.map { $0.poses.map(\.id) })
        #expect(Set(parts.flatMap(\.poses).map(\.id)) == [1] && Set(parts.flatMap(\.poses).map(\.shot)) == [0])
        let distances = zip(whole, parts).flatMap { one, other in
            zip(one.poses, other.poses).compactMap { $0.distance(to: $1) }
        }
        #expect(distances.count > 60 && distances.max() ?? 1 < 0.05)
        // A joint does not jump where parts meet.
        let heights = parts.compactMap { $0.poses.first?[.neck].location.y }
        let steps = zip(heights, heights.dropFirst()).map { abs($1 - $0) }
        #expect(steps.max() ?? 1 < 0.05)
        let hasPictures = try parts[50].frame.bitmap().pixels.contains { $0 != 0 && $0 != 255 }
        #expect(hasPictures == pictures)
    }

    /// A head that is covered keeps a person who is known, but hides one who is new.
    @Test func `a person whom a part cannot find at its start is followed into it`() async throws {
        let covered = folder.file("covered.mp4")
        let box = "drawbox=x=0:y=0:w=480:h=160:color=gray:t=fill:enable='between(t,0.8,3.6)'"
        try Tool.ffmpeg("-i \(film.path) -vf \(box) -c:v libx264 -g 10", covered)
        let parts = try folderOfParts()
        let whole = try await poses(covered, jobs: 1).map { $0.poses.map(\.id) }
        #expect(whole.allSatisfy { $0 == [1] })
        #expect(try await poses(covered, jobs: 2).map { $0.poses.map(\.id) } == whole)
        #expect(try await poses(covered, jobs: 2, parts: parts).map { $0.poses.map(\.id) } == whole)
    }

    @Test func `parts that are kept are the same to the last bit`() async throws {
        let direct = try await poses(film, jobs: 3)
        let parts = try folderOfParts()
        for known in [0, 5] {
            let report = DiagnosticCollector()
            let kept = try await poses(film, jobs: 3, parts: parts, report: report)
            #expect(kept.map(\.frame.id) == direct.map(\.frame.id) && kept.map(\.poses) == direct.map(\.poses))
            let files = try FileManager.default.contentsOfDirectory(atPath: parts.path)
            #expect(files.count { $0.hasSuffix(".json") } == 5)
            let expected = known == 0 ? [] : ["5 of 5 parts were analysed before, or by another process"]
            #expect(report.diagnostics.map(\.message) == expected)
        }
        // What is no part of this file is made again.
        try Data("{}".utf8).write(to: parts.appending(path: "1.json"))
        try FileManager.default.moveItem(at: parts.appending(path: "3.json"), to: parts.appending(path: "2.json.old"))
        try FileManager.default.removeItem(at: parts.appending(path: "2.json"))
        try FileManager.default.moveItem(at: parts.appending(path: "2.json.old"), to: parts.appending(path: "2.json"))
        let report = DiagnosticCollector()
        #expect(try await poses(film, jobs: 2, parts: parts, report: report).map(\.poses) == direct.map(\.poses))
        #expect(report.diagnostics.map(\.message) == ["2 of 5 parts were analysed before, or by another process"])
        // Nor do parts join that were analysed with other options.
        let other = DiagnosticCollector()
        _ = try await poses(
            film, jobs: 2, parts: parts, report: other, options: BodyPoseOptions(maximumPeople: 2))
        let turned = PixelOrientation(degreesClockwise: 180)
        _ = try await poses(film, jobs: 2, parts: parts, report: other, orientation: turned)
        #expect(other.diagnostics.isEmpty)
    }

    @Test func `cuts to a picture without people count in parts too`() async throws {
        let cut = folder.file("cut.mp4")
        let graph =
            "[0]split[a][b];[a]trim=0:4,setpts=PTS-STARTPTS[x];[b]trim=4:8,setpts=PTS-STARTPTS[z]"
            + ";smptebars=s=480x360:r=10:d=2,format=yuv420p[y];[x]format=yuv420p[v];[z]format=yuv420p[w];[v][y][w]concat=n=3"
        try Tool.ffmpeg("-i \(film.path) -filter_complex \(graph) -c:v libx264 -g 10", cut)
        let (whole, parts) = (try await poses(cut, jobs: 1), try await poses(cut, jobs: 2))
        #expect(Set(whole.flatMap(\.poses).map(\.shot)) == [0, 2])
        #expect(whole.map { $0.poses.first?.shot } == parts.map { $0.poses.first?.shot })
    }

    private func folderOfParts() throws -> URL {
        let parts = folder.url.appending(path: "parts", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: parts, withIntermediateDirectories: true)
        return parts
    }

    @Test func `a part with numbers that no part has is analysed again`() async throws {
        let parts = try folderOfParts()
        let direct = try await poses(film, jobs: 2, parts: parts).map(\.poses)
        let file = parts.appending(path: "1.json")
        let text = try String(contentsOf: file, encoding: .utf8)
        let lies = [
            (#""id":1,"#, #""id":9223372036854775807,"#), (#""shot":0"#, #""shot":-9223372036854775808"#),
            (#""width":480"#, #""width":4611686018427387904"#), (#""points":\[0"#, #""points":[9e300"#),
            (#""begin":[0-9]+"#, #""begin":-9223372036854775808"#), (#""end":[0-9]+"#, #""end":9223372036854775807"#),
            (#""ticks":[0-9]+"#, #""ticks":1"#),
        ]
        for (truth, lie) in Sweep.of(lies, or: [lies[0], lies[4]]) {
            let lying = text.replacing(try Regex(truth), with: lie)
            #expect(lying != text, "\(lie)")
            try lying.write(to: file, atomically: true, encoding: .utf8)
            let report = DiagnosticCollector()
            #expect(try await poses(film, jobs: 2, parts: parts, report: report).map(\.poses) == direct, "\(lie)")
            #expect(report.diagnostics.first?.message.hasPrefix("4 of 5 parts") == true, "\(lie)")
        }
    }

    @Test func `parts of another recording of the same size and times do not join`() async throws {
        let parts = try folderOfParts()
        _ = try await poses(film, jobs: 2, parts: parts)
        var bytes = try Data(contentsOf: film)
        let place = try #require(bytes.range(of: Data("Lavf".utf8)))
        bytes.replaceSubrange(place, with: Data("Lave".utf8))
        try bytes.write(to: film)
        let report = DiagnosticCollector()
        _ = try await poses(film, jobs: 2, parts: parts, report: report)
        #expect(report.diagnostics.isEmpty)
    }

    @Test func `a link in the folder of parts is not written through`() async throws {
        let (parts, other) = (try folderOfParts(), folder.file("other"))
        try Data("kept".utf8).write(to: other)
        try FileManager.default.createSymbolicLink(
            at: parts.appending(path: "1.json.partial"), withDestinationURL: other)
        let error = await #expect(throws: KinemaError.self) { _ = try await poses(film, jobs: 2, parts: parts) }
        #expect(error?.message == "is a link that is not followed; remove it")
        #expect(try String(contentsOf: other, encoding: .utf8) == "kept")
    }

    @Test func `damage in the middle is reported once and loses no frame`() async throws {
        var bytes = try Data(contentsOf: film)
        for offset in bytes.count / 2..<bytes.count / 2 + 300 { bytes[offset] ^= 0x5a }
        try bytes.write(to: film)
        let (one, several) = (DiagnosticCollector(), DiagnosticCollector())
        let whole = try await poses(film, jobs: 1, report: one)
        let parts = try await poses(film, jobs: 2, report: several)
        #expect(whole.map(\.frame.id) == parts.map(\.frame.id))
        #expect(
            Set(parts.flatMap(\.poses).compactMap(\.id)).count == Set(whole.flatMap(\.poses).compactMap(\.id)).count)
        #expect(!one.diagnostics.isEmpty && one.diagnostics == several.diagnostics)
    }

    @Test(.timeLimit(.minutes(2))) func `leaving early ends the parts`() async throws {
        for cancels in [true, false] {
            let task = Task {
                var pipeline = PosePipeline()
                (pipeline.jobs, pipeline.partLength, pipeline.needsPictures) = (3, 1, false)
                var count = 0
                for try await _ in pipeline(try await VideoReader.read(contentsOf: film)) {
                    count += 1
                    if count == 40 { if cancels { try await Task.sleep(for: .seconds(60)) } else { break } }
                }
                return count
            }
            if cancels {
                try await Task.sleep(for: .seconds(1))
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
            } else {
                #expect(try await task.value == 40)
            }
        }
    }
}

/// Parts of a real recording of hands, lost and found time and again.
@Suite(.enabled(if: SharedData.isPresent, "needs the recordings; KINEMA_SHARED says where they lie"))
struct PartedHandTests {
    @Test(arguments: Sweep.of(["again", "sorry"], or: ["sorry"])) func `parts find as many hands`(_ clip: String)
        async throws
    {
        func hands(_ jobs: Int) async throws -> [Int] {
            var pipeline = PosePipeline.handsOnly(HandPoseOptions(readsCloseUp: true), smooths: false)
            (pipeline.jobs, pipeline.partLength) = (jobs, 1)
            let frames = try await VideoReader.read(contentsOf: SharedData.file("hands/asl/\(clip).mkv"))
            var counts: [Int] = []
            for try await element in pipeline(frames) { counts.append(element.feature.hands.count) }
            return counts
        }
        let (whole, parts) = (try await hands(1), try await hands(2))
        #expect(whole.count == parts.count && whole.contains(2))
        #expect(zip(whole, parts).count { $0 == $1 } >= whole.count * 9 / 10)
    }
}
