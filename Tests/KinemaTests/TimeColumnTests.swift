@testable import KinemaFormats
import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

@testable import Kinema

/// What a column of times is, by its name, its steps and its span together.
struct TimeColumnTests: PoseFormatSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// 384 frames at 24 per second in a unit, as a column of that name.
    private static let columns: [(name: String, unit: Double, isSaid: Bool)] = [
        ("time", 1, false), ("t", 1, false), ("seconds", 1, false), ("frame_time", 1, false),
        ("timestamp", 1e3, true), ("t", 1e6, true), ("ts", 1e9, true), ("time", 1e3, true), ("time_s", 1e3, true),
        ("timestamp_ms", 1e3, false), ("timestampMs", 1e3, false), ("time_us", 1e6, false),
        ("timestamp_ns", 1e9, false),
        ("Time [ms]", 1e3, false), ("elapsed_ms", 1e6, true), ("camera_time", 1, false), ("Zeit (s)", 1, false),
        ("recording_time [ns]", 1e9, false), ("time_stamp", 1e3, true), ("time_min", 1 / 60, false),
        ("milliseconds_since_start", 1e3, false), ("capture_ts", 1e6, true), ("sensor_ts", 1e9, true),
        ("unixtime", 1, false), ("Zeitstempel", 1e3, true), ("when", 1, false), ("hours", 1 / 3600, false),
        ("time_cs", 100, false), ("t_ds", 10, false),
    ]

    @Test(arguments: columns) func `the unit is the one in which a body can move`(
        column: (name: String, unit: Double, isSaid: Bool)
    ) throws {
        let times = (0..<384).map { (Double($0) / 24 * column.unit * 1e6).rounded() / 1e6 }
        guard case .times(let unit, let note) = try #require(TimeColumn(column.name)).reading(times) else {
            Issue.record("no times")
            return
        }
        #expect(unit.rawValue == column.unit && (note != nil) == column.isSaid, "\(unit) \(note ?? "")")
    }

    @Test(arguments: ["frame", "id", "nose_x", "label", "score", "s", "us_state", "restart", "min"])
    func `other names are no times`(name: String) { #expect(TimeColumn(name) == nil) }

    @Test func `whole numbers from frame to frame count frames, and other steps are refused`() throws {
        let column = try #require(TimeColumn("t"))
        guard case .frames = column.reading((0..<50).map(Double.init)) else {
            Issue.record("not frames")
            return
        }
        guard case .impossible(let reason) = try #require(TimeColumn("time")).reading([0, 1e-5, 2e-5, 3e-5]) else {
            Issue.record("possible")
            return
        }
        #expect(reason.contains("no unit"))
    }

    /// The steps of presentation times, what they are, and the unit that no camera contradicts.
    private static let ticks: [(name: String, steps: [Double], unit: Double?)] = [
        ("pts", [3000], 9e4), ("pts", [1500], 9e4), ("pts", [3003], 9e4),
        ("timestamp", [3600], 9e4), ("pts", [33, 33, 34], 1e3), ("pts", [40], 1e3),
        ("pts", [16_667, 16_666, 16_667], 1e6), ("pts", [33_333_333], 1e9),
        // Of 15,360, 12,800 or 12,288 in a second; a film of 30 frames or milliseconds of 50; no body moves so.
        ("pts", [512], nil), ("pts", [256], nil), ("pts", [20], nil), ("t", [512], nil), ("time", [1000], nil),
    ]

    @Test(arguments: 0..<13) func `ticks are read by the rates of cameras, or refused`(number: Int) throws {
        let (name, steps, expected) = Self.ticks[number]
        var times = [0.0]
        for index in 0..<120 { times.append(times[index] + steps[index % steps.count]) }
        switch try #require(TimeColumn(name)).reading(times) {
        case .times(let unit, let note):
            #expect(unit.rawValue == expected && note?.contains(name) == true, "\(unit), \(note ?? "")")
        case .impossible(let reason): #expect(expected == nil && reason.contains("with its unit"), "\(reason)")
        case .frames(let note): Issue.record("\(note)")
        }
    }

    @Test(arguments: [2.0, 3]) func `frames may be counted by two`(step: Double) throws {
        guard case .frames(let note) = try #require(TimeColumn("t")).reading((0..<50).map { step * Double($0) }) else {
            Issue.record("not frames")
            return
        }
        #expect(note.contains("by \(Int(step))"), "\(note)")
    }

    @Test func `a code of hours to frames is ignored, which is said`() async throws {
        let found = try await read(try table("timecode") { "01:00:00:\($0 + 10)" })
        #expect(found.frames.map(\.frame.time) == (0..<20).map { Double($0) / 10 })
        #expect(found.note.contains("the column timecode has no times that can be read"), "\(found.note)")
        let dated = try await read(try table("when") { "2026-11-29T12:00:00.\(100 + 40 * $0)" })
        #expect(dated.frames.enumerated().allSatisfy { abs($1.frame.time - Double($0) / 25) < 1e-5 })
    }

    @Test func `times that repeat or go back say what to do`() throws {
        expectRefusal(
            of: try table("time") { "\(0.04 * Double($0 == 9 ? 8 : $0))" }, "give --fps if the frames are evenly spaced"
        )
        expectRefusal(of: try table("time") { "\(0.04 * Double($0 % 10))" }, "put each recording into its own file")
    }

    /// From 2023: tenths of a microsecond as .NET, Windows and Unix count them, MATLAB's days, and a spreadsheet's.
    @Test(arguments: [
        (6.38355e17, TimeColumn.Unit.ticks), (1.33444e17, .ticks), (1.7e16, .ticks), (1.7e15, .microseconds),
        (738_000, .days), (45_244, .days),
    ]) func `a count since a year says its unit by its size`(start: Double, unit: TimeColumn.Unit) throws {
        let times = (0..<100).map { start + Double($0) / 24 * unit.rawValue }
        guard case .times(unit, let note) = try #require(TimeColumn("timestamp")).reading(times) else {
            Issue.record("\(try #require(TimeColumn("timestamp")).reading(times))")
            return
        }
        #expect(note?.contains("\(unit)") == true)
    }

    @Test(arguments: [
        ("2026-11-29T12:00:00.250Z", 1_795_953_600.25), ("2026-11-29 12:00:00.250", 1_795_953_600.25),
        ("2026-11-29T13:00:00+01:00", 1_795_953_600), ("1970-01-01 00:00:01", 1), ("00:01:02.5", 62.5),
        ("12:30", 45_000), ("12:30.5", 750.5), ("11/29/2026 01:00:00.5 PM", 1_795_957_200.5),
        ("29.11.2026 12:00:00,25", 1_795_953_600.25), ("12:00:01 AM", 1), ("0 days 00:00:01.5", 1.5),
        ("2026-11-29 13:00:00 +0100", 1_795_953_600), ("2026-11-29 12:00:00 UTC", 1_795_953_600),
    ]) func `dates and times of day are seconds`(text: String, seconds: Double) throws {
        let found = try #require(TimeColumn.seconds(of: text))
        #expect(abs(found - seconds) < 1e-6, "\(found)")
    }

    @Test(arguments: ["", "1.5", "2026-11-29", "a:b:c", "2026-13-29 12:00:00"])
    func `other texts are none`(text: String) { #expect(TimeColumn.seconds(of: text) == nil) }

    private func table(_ name: String, frames: Int = 20, _ time: (Int) -> String) throws -> URL {
        let joints = StandingFigure.joints().sorted { $0.key.rawValue < $1.key.rawValue }
        let head = joints.flatMap { ["\($0.key.rawValue)_x", "\($0.key.rawValue)_y"] }
        let row = joints.flatMap { ["\($0.value.x)", "\($0.value.y)"] }.joined(separator: ",")
        let lines = (0..<frames).map { "\(row),\(time($0))" }
        return try write("t.csv", Data(([(head + [name]).joined(separator: ",")] + lines).joined(separator: "\n").utf8))
    }

    @Test func `a table's times are read in their unit, and what was assumed is in the note`() async throws {
        let found = try await read(try table("timestamp") { "\(40 * $0)" })
        #expect(found.frames.map(\.frame.time) == (0..<20).map { Double($0) / 25 })
        #expect(found.note.contains("the column timestamp as milliseconds, since a frame every 40 s"), "\(found.note)")
        let stated = try await read(try table("timestamp_us") { "\(40_000 * $0)" })
        #expect(
            stated.frames.map(\.frame.time) == (0..<20).map { Double($0) / 25 } && stated.note.isEmpty, "\(stated.note)"
        )
        let dated = try await read(try table("datetime") { "2026-11-29T12:00:00.\(100 + 40 * $0)Z" })
        #expect(dated.frames.count == 20)
        #expect(dated.frames.enumerated().allSatisfy { abs($1.frame.time - Double($0) / 25) < 1e-5 })
    }

    private static let rounded: [(name: String, text: @Sendable (Int) -> String)] = [
        ("time", { "\(Double($0 * 4 / 10) / 10)" }), ("time", { "\($0 / 25)" }), ("second", { "\($0 / 25)" }),
    ]

    @Test(arguments: 0..<3)
    func `rounded times are spread over the frames that share them`(number: Int) async throws {
        let (name, text) = Self.rounded[number]
        let found = try await read(try table(name, frames: 100, text))
        let steps = zip(found.frames, found.frames.dropFirst()).map { $1.frame.time - $0.frame.time }
        #expect(steps.allSatisfy { abs($0 - 0.04) < 0.011 } && steps.count == 99, "\(steps)")
        #expect(found.note.contains("spread evenly"), "\(found.note)")
    }

    /// Two people five times a second, a row each: no frames of one person.
    @Test(arguments: [false, true]) func `rows with the same time may be several people`(isNumbered: Bool) async throws
    {
        let joints = StandingFigure.joints().sorted { $0.key.rawValue < $1.key.rawValue }
        let head = joints.flatMap { ["\($0.key.rawValue)_x", "\($0.key.rawValue)_y"] }
        let lines = (0..<40).map { row in
            let shift = isNumbered ? 0 : row % 2 == 0 ? -0.25 : 0.25
            return joints.flatMap { ["\($0.value.x + shift)", "\($0.value.y)"] }.joined(separator: ",")
                + ",\(Double(row / 2) / 5)" + (isNumbered ? ",\(row % 2)" : "")
        }
        let names = head + ["time"] + (isNumbered ? ["person"] : [])
        let file = try write("p.csv", Data(([names.joined(separator: ",")] + lines).joined(separator: "\n").utf8))
        await #expect(throws: KinemaError.self) { try await read(file) }
    }

    @Test func `times of day go on after midnight, from the first frame on`() async throws {
        let found = try await read(
            try table("time") {
                let hundredths = 100 * 86_400 - 40 + 4 * $0
                let (seconds, rest) = ((hundredths / 100) % 86_400, hundredths % 100)
                return String(format: "%02d:%02d:%02d.%02d", seconds / 3600, seconds / 60 % 60, seconds % 60, rest)
            })
        #expect(found.frames.enumerated().allSatisfy { abs($1.frame.time - Double($0) / 25) < 1e-5 })
    }

    @Test func `a column that is only named like times is ignored, which is said`() async throws {
        let found = try await read(try table("inference_time_ms") { "\(7 + $0 % 3)" })
        #expect(found.frames.map(\.frame.time) == (0..<20).map { Double($0) / 10 })
        #expect(found.note.contains("the column inference_time_ms does not increase and is ignored"), "\(found.note)")
        let words = try await read(try table("time of day") { _ in "noon" })
        #expect(words.frames.map(\.frame.time) == (0..<20).map { Double($0) / 10 })
    }

    @Test func `lines of JSON may have times under any name`() async throws {
        let points = StandingFigure.joints().map { key, place in
            "{\"name\":\"\(key.rawValue)\",\"x\":\(place.x),\"y\":\(place.y),\"score\":0.9}"
        }.joined(separator: ",")
        let lines = (0..<20).map { "{\"ts\":\(40_000_000 * $0),\"persons\":[{\"keypoints\":[\(points)]}]}\n" }
        let found = try await read(try write("t.jsonl", Data(lines.joined().utf8)))
        #expect(found.frames.map(\.frame.time) == (0..<20).map { Double($0) / 25 }, "\(found.note)")
        #expect(found.note.contains("the column ts as nanoseconds"), "\(found.note)")
    }

    @Test func `slow motion in a file of poses is read in the time that was filmed`() async throws {
        var reader = PoseSequenceReader()
        reader.speed = 0.25
        var times: [Double] = []
        for try await element in try reader.frames(contentsOf: try table("time") { "\(0.04 * Double($0))" }) {
            times.append(element.feature.frame.time)
        }
        #expect(zip(times, 0..<20).allSatisfy { abs($0 - 0.01 * Double($1)) < 1e-5 } && times.count == 20, "\(times)")
    }
}
