import Foundation
import Kinema
import KinemaTestSupport
import Testing

/// Lengths that are made of times and sizes from outside stay within bounds.
struct BoundedLengthTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `a grid has the moments from start to end`() throws {
        let grid = try #require(TimeGrid(from: 2, to: 3, rate: 10, limit: 11))
        #expect(grid.count == 11 && grid.times.first == 2 && grid.times.last == 3)
        #expect(TimeGrid(from: 2, to: 2, rate: 10, limit: 1)?.times == [2])
        // A rate that is no sum of powers of two keeps its last moment.
        #expect(TimeGrid(from: 0, to: 89 / 29.97, rate: 29.97, limit: 100)?.count == 90)
    }

    @Test(arguments: [
        (0, 1, 10.0, 10), (0, 1e6, 1e6, 1000), (0, 1e300, 1, .max), (-1e300, 1e300, 1, .max), (0, .infinity, 1, .max),
        (.nan, 1, 1, 10), (0, .nan, 1, 10), (0, 1, .nan, 10), (0, 1, 0, 10), (0, 1, -1, 10), (0, 1, .infinity, .max),
        (1, 0, 1, 10), (0, 1e19, 1, .max),
    ])
    func `there is no grid of too many moments or of times that are none`(
        start: Double, end: Double, rate: Double, limit: Int
    ) {
        #expect(TimeGrid(from: start, to: end, rate: rate, limit: limit) == nil)
    }

    @Test(arguments: [
        (1e19, Int.max), (-1e300, .min), (.infinity, .max), (-.infinity, .min), (.nan, 0), (2.5, 3), (-0.4, 0),
    ])
    func `any floating point number has a whole one`(value: Double, whole: Int) {
        #expect(Int(clamping: value) == whole)
    }

    // MARK: Exports

    private func export(
        _ format: PoseExportFormat, _ times: [TimeInterval], diagnostics: DiagnosticCollector = DiagnosticCollector()
    ) throws -> [String] {
        var export = format.makeExport(
            to: folder.file("t.\(format.rawValue)"), source: "film.mp4", diagnostics: diagnostics)
        for (index, time) in times.enumerated() {
            var pose = Pose(from: [:])
            pose.id = 1
            for (place, key) in BodySkeleton.joints.enumerated() {
                pose.keypoints[key] = JointPoint(
                    key, location: CGPoint(x: 0.1 * time.truncatingRemainder(dividingBy: 5), y: 0.02 * Double(place)),
                    confidence: 0.9)
                pose.keypoints3D[key] = JointPoint3D(
                    key, position: [Float(place), Float(place * place % 7), Float(place % 3)], confidence: 0.9)
            }
            try export.add(ExportedFrame(index: index, time: time, width: 200, height: 100, poses: [pose]))
        }
        try export.finish()
        return try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    private func rows(_ name: String) throws -> [[Double]] {
        try String(contentsOf: folder.file(name), encoding: .utf8).split(separator: "\n").map {
            $0.split(separator: "\t").compactMap { Double($0) }
        }.filter { $0.count > 20 }
    }

    @Test(arguments: [PoseExportFormat.trc, .mot])
    func `frames a microsecond apart and one much later do not make an excessive number of rows`(
        format: PoseExportFormat
    ) throws {
        let diagnostics = DiagnosticCollector()
        let times = (0..<30).map { Double($0) * 1e-6 } + [8e9]
        let files = try export(format, times, diagnostics: diagnostics)
        #expect(files == ["t_part1.\(format.rawValue)", "t_part2.\(format.rawValue)"])
        for file in files { #expect(try rows(file).count == 1) }
        #expect(diagnostics.diagnostics.map(\.code) == ["export.parts"])
        #expect(diagnostics.diagnostics.first?.message.contains("2 files") == true)
    }

    @Test(arguments: [PoseExportFormat.trc, .mot])
    func `a person who is away for hours is written in parts on one clock`(format: PoseExportFormat) throws {
        let early: [Double] = (0..<30).map { Double($0) / 10 }
        let times = early + early.prefix(20).map { 36_000 + $0 }
        #expect(try export(format, times) == ["t_part1.\(format.rawValue)", "t_part2.\(format.rawValue)"])
        let place = format == .trc ? 1 : 0
        let parts = try ["1", "2"].map { try rows("t_part\($0).\(format.rawValue)").map { $0[place] } }
        #expect(parts[0].count == 30 && parts[1].count == 20 && parts[1].first == 36_000)
        for time: Double in parts.joined() { #expect(abs((time * 10).rounded() - time * 10) < 1e-6) }
    }

    @Test func `a picture an hour is one track`() throws {
        let files = try export(.trc, (0..<50).map { Double($0) * 3600 })
        #expect(files == ["t.trc"])
        #expect(try rows("t.trc").count > 50)
    }

    @Test func `pauses that fill a million rows are refused`() throws {
        // Half of the frames a millisecond apart, half of them after pauses just short of what divides a track.
        let times = (0..<40).flatMap { (index: Int) -> [Double] in
            let start = Double(index) * 59
            return [start, start + 0.001, start + 0.002]
        }
        let error = #expect(throws: KinemaError.self) { try export(.trc, times) }
        #expect(error?.message.contains("rows") == true && error?.message.contains("csv") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test(arguments: [[0, 1, 1], [0, 2, 1], [0, .nan], [.infinity], [0, 1e11]])
    func `times that do not rise or are none cannot be exported at one rate`(times: [Double]) throws {
        #expect(throws: KinemaError.self) { try export(.mot, times) }
    }

    // MARK: Files of poses

    private func refusal(_ name: String, _ bytes: [UInt8], limits: PoseFileLimits = PoseFileLimits()) throws -> String {
        try Data(bytes).write(to: folder.file(name))
        var reader = PoseSequenceReader()
        reader.limits = limits
        let error = #expect(throws: KinemaError.self) { try reader.read(contentsOf: folder.file(name)) }
        #expect(error?.code == .unreadableInput && error?.file == folder.file(name).path)
        return error?.message ?? ""
    }

    private func line(_ time: String, _ more: String = "") -> String {
        "{\"time\":\(time),\"people\":[{\"keypoints\":{\"neck\":[0.5,0.5,1]}}]\(more)}\n"
    }

    @Test(arguments: [
        ("0", "0"), ("1", "0.5"), ("0", "1e19"), ("0", "1e308"), ("0", "-1e308"),
    ])
    func `a time that is invalid or does not increase is refused with its line`(first: String, second: String) throws {
        let message = try refusal("t.jsonl", Array((line(first) + "\n" + line(second)).utf8))
        #expect(message.hasPrefix("line 3 has the time"), "\(message)")
    }

    @Test func `invalid positions are refused with their line`() throws {
        let far = line("0").replacing("0.5,0.5", with: "1e308,0.5")
        #expect(try refusal("t.jsonl", Array(far.utf8)).hasPrefix("line 1 has the number 1e+308"))
        let side = line("0", ",\"width\":-640,\"height\":9223372036854775807")
        #expect(try refusal("t.jsonl", Array(side.utf8)).hasPrefix("line 1 has a frame of -640"))
        let row = Array(repeating: "1e30", count: 75).joined(separator: ",") + "\n"
        #expect(try refusal("t.csv", Array(row.utf8)).hasPrefix("line 1 has the number 1e+30"))
        let nested = "[[" + Array(repeating: "[1e308, 0, 1]", count: 17).joined(separator: ",") + "]]"
        #expect(try refusal("t.json", Array(nested.utf8)).hasPrefix("frame 0 has the number inf"))
    }

    @Test(arguments: [
        "", "[", "[[", "[[[1,2,3]]]", "[[[1,2]]]", "[,]", "[[],]", "[[[]]", "1", "[1]", "[[1]]", "[]]", "[[[[]]]]",
        "[][]",
        "[[[1,,2]]]", "[[[1 2,3]]]", "[[[1,2,3],]]", "[[[\"a\",2,3]]]", "[[[nan,2,3]]]", "{}", "[null]",
    ])
    func `a list that is not a list of frames is refused`(text: String) throws {
        let message = try refusal("t.json", Array(text.utf8))
        #expect(message.contains("list of frames") || message.contains("frame 0") || message.contains("not a frame"))
    }

    @Test func `a list of frames is read as it was written`() throws {
        let joint = "[ 1.5 , -2e0,0.75]"
        let frame = "[" + Array(repeating: joint, count: 18).joined(separator: ",\n") + "]"
        try Data("\n[\(frame), \(frame)]\n".utf8).write(to: folder.file("t.json"))
        let sequence = try PoseSequenceReader(rate: 10).read(contentsOf: folder.file("t.json"))
        #expect(sequence.times == [0, 0.1] && Array(sequence.points.prefix(3)) == [1.5, 2, 0.75])
    }

    @Test func `a small file that unpacks to a huge one is refused`() throws {
        var limits = PoseFileLimits()
        limits.ratioExemptBytes = 1 << 20
        let zeros = Gzip.pack([UInt8](repeating: 10, count: 4 << 20))
        #expect(zeros.count < 8192)
        #expect(try refusal("t.jsonl.gz", zeros, limits: limits).contains("100 times its size"))
        limits.ratioExemptBytes = 64 << 20
        limits.bytes = 1 << 20
        #expect(try refusal("u.jsonl.gz", zeros, limits: limits).contains("more than 1 MB"))
    }

    @Test func `more frames than the limit and a line without end are refused`() throws {
        var limits = PoseFileLimits()
        limits.frames = 2
        let lines = ["0", "1", "2"].map { line($0) }.joined()
        #expect(try refusal("t.jsonl", Array(lines.utf8), limits: limits).contains("more than 2 frames"))
        limits.lineBytes = 1 << 20
        let long = "{" + String(repeating: " ", count: 2 << 20)
        #expect(try refusal("t.jsonl", Array(long.utf8), limits: limits) == "line 1 is longer than 1 MB")
    }
}
