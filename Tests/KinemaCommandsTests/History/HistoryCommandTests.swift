import KinemaHistory
import Foundation
import KinemaStudio
import KinemaSynth
import KinemaTestSupport
import Testing

extension CommandTests {
    /// The kept sessions from the command line.
    struct HistoryCommandTests {
        private let folder: TemporaryFolder
        private var file: String { folder.file("history.sqlite").path }

        init() throws {
            folder = try TemporaryFolder()
        }

        private func run(_ words: String..., status: Int32 = 0) async throws -> Program.Outcome {
            let outcome = try await Program(environment: ["KINEMA_HISTORY": file], folder: folder.url).run(
                ["history"] + words)
            #expect(outcome.status == status, "\(outcome.status): \(outcome.complaint)")
            return outcome
        }

        /// Three sessions, a day apart, the last with poses.
        private func keep() async throws -> [StoredSession] {
            let store = try HistoryStore(folder.file("history.sqlite"))
            var sessions: [StoredSession] = []
            for (day, mode) in [(10, StoredSession.Mode.count), (11, .toss), (12, .coach)] {
                let date = try Date.ISO8601FormatStyle().parse("2026-03-\(day)T12:00:00Z")
                var session = StoredSession(date: date, mode: mode, source: "camera, front", duration: 20)
                session.people = 1
                session.count = 2
                session.repetitions = try Self.decode(Self.repetitions)
                if mode == .coach { session.exercise = "squat" }
                if mode == .toss { session.throwsMade = try Self.decode(Self.throwsMade) }
                if mode == .coach { session.poses = Data(try await poses().utf8) }
                try await store.add(session)
                sessions.append(session)
            }
            return sessions
        }

        private static func decode<Value: Decodable>(_ json: String) throws -> Value {
            try JSONDecoder().decode(Value.self, from: Data(json.utf8))
        }

        private static let repetitions = """
            [{"id":1,"number":1,"exercise":"squat","start":1,"end":2.5,"depth":0.9,"symmetry":null,"side":null,
            "tempo":{"eccentric":0.7,"pause":0.1,"concentric":0.7},"faults":[]},
            {"id":1,"number":2,"exercise":"squat","start":3,"end":4,"depth":0.8,"symmetry":null,"side":null,
            "tempo":{"eccentric":0.5,"pause":0,"concentric":0.5},"faults":[{"code":"knees_in","joint":"leftKnee",
            "phase":"bottom","measured":12,"expected":5,"tolerance":2,"unit":"degrees"}]}]
            """
        private static let throwsMade = """
            [{"number":1,"type":"underhand","speed_mps":8,"speed_mph":17.9,"angle":30,"arm_angle":null,"score":3,
            "landing":"hole","start":1,"end":2,"point":[0.5,0.5],"path":[]}]
            """

        private func poses() async throws -> String {
            try await Program.run("pose", Clips.squat.get().path, "--format", "jsonl").text
        }

        private struct List: Decodable { var sessions: [ListedSession] }

        @Test func `sessions are listed newest first in every format`() async throws {
            let kept = try await keep()
            let json = try await run("list", "--format", "json")
            let list = try JSONDecoder().decode(List.self, from: json.output).sessions
            #expect(list.map(\.id) == kept.reversed().map(\.id))
            #expect(list.map(\.hasPoses) == [true, false, false])
            #expect(list.last == kept.first.map(ListedSession.init))
            #expect(try await run("list", "--format", "jsonl").lines.count == 3)
            let table = try await run("list", "--format", "csv").lines
            #expect(table.count == 4)
            #expect(table[3].contains(",count,\"camera, front\",20.000,,2,1,2,1,0,0,0,0,0"))
            let text = try await run("list").lines
            #expect(text.count == 3)
            #expect(text[0].contains("2 repetitions of squat, 1 fault"))
            #expect(text[1].contains("1 throw, 3 points"))
        }

        @Test func `the list can be narrowed`() async throws {
            let kept = try await keep()
            func ids(_ words: String...) async throws -> [UUID] {
                let outcome = try await Program(environment: ["KINEMA_HISTORY": file]).run(
                    ["history", "list", "--format", "json"] + words)
                return try JSONDecoder().decode(List.self, from: outcome.output).sessions.map(\.id)
            }
            #expect(try await ids("--mode", "toss") == [kept[1].id])
            #expect(try await ids("--limit", "1") == [kept[2].id])
            #expect(try await ids("--from", "2026-03-11", "--to", "2026-03-11") == [kept[1].id])
            #expect(try await ids("--to", "2026-03-11T12:00:00Z") == [kept[0].id])
        }

        @Test func `a session is shown and exported by the beginning of its ID`() async throws {
            let coach = try await keep()[2]
            let id = coach.id.uuidString.prefix(8).lowercased()
            #expect(try await run("show", id).text.contains("knees in: leftKnee"))
            let json = try await run("show", id, "--format", "json")
            #expect(try JSONDecoder().decode(StoredSession.self, from: json.output).repetitions == coach.repetitions)
            #expect(try await run("show", id, "--format", "jsonl").lines.count == 2)
            for (format, start) in [
                ("svg", "<?xml"), ("trc", "PathFileType"), ("mot", "Coordinates"), ("coco.json", "{\"info\""),
                ("openpose.zip", "PK"), ("poses.csv", "frame,time"), ("poses.jsonl", "{\"frame\":0"),
            ] {
                let name = "set.\(format)"
                let outcome = try await run("export", id, "--output", name)
                #expect(outcome.lines == [name])
                let bytes = try Data(contentsOf: folder.file(name))
                #expect(bytes.starts(with: Data(start.utf8)), "\(format)")
            }
            let png = try await run("export", id, "--as", "png", "--output", "-")
            #expect(png.output.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        }

        @Test func `the zip is one for others too`() async throws {
            let id = try await keep()[2].id.uuidString
            _ = try await run("export", id, "--output", "set.openpose.zip")
            let script = "python3 -m zipfile -t \"$1\" && python3 -m zipfile -l \"$1\" | grep -c _keypoints.json"
            let outcome = try await Program.shell(script, folder.file("set.openpose.zip").path)
            #expect(outcome.lines.last == "\(Clips.squatScene.frameCount)", "\(outcome.text) \(outcome.complaint)")
        }

        @Test func `deleted sessions are gone`() async throws {
            let kept = try await keep()
            _ = try await run("delete", kept[0].id.uuidString, kept[2].id.uuidString)
            #expect(try await run("list", "--format", "jsonl").lines.count == 1)
            // One of two is none: then neither goes.
            _ = try await run("delete", kept[1].id.uuidString, kept[0].id.uuidString, status: 2)
            #expect(try await run("list", "--format", "jsonl").lines.count == 1)
        }

        @Test func `a history moves to another machine as one file`() async throws {
            let kept = try await keep()
            #expect(try await run("export-all", "all.zip").lines == ["all.zip"])
            let other = folder.file("other.sqlite").path
            let added = try await run("import", "all.zip", "--history", other)
            #expect(added.lines == ["3 sessions added, 0 already present"])
            #expect(
                try await run("import", "all.zip", "--history", other).lines == ["0 sessions added, 3 already present"])
            let list = try await run("list", "--history", other, "--format", "json")
            #expect(
                try JSONDecoder().decode(List.self, from: list.output).sessions.map(\.id) == kept.reversed().map(\.id))
            #expect(try await run("delete", "--all", "--history", other).lines == ["deleted 3 sessions"])
            #expect(try await run("list", "--history", other).lines == ["no sessions"])
            // A file cut short adds nothing, and a slip in its name makes no history.
            let bytes = try Data(contentsOf: folder.file("all.zip"))
            try bytes.prefix(bytes.count / 2).write(to: folder.file("half.zip"))
            #expect(try await run("import", "half.zip", "--history", other, status: 65).complaints.count == 1)
            #expect(try await run("list", "--history", other).lines == ["no sessions"])
            let none = folder.file("none.sqlite").path
            #expect(try await run("import", "nothing.zip", "--history", none, status: 65).complaints.count == 1)
            #expect(!FileManager.default.fileExists(atPath: none))
            #expect(try await run("delete", "--all", kept[0].id.uuidString, status: 64).output.isEmpty)
            #expect(try await run("delete", status: 64).output.isEmpty)
            #expect(try await run("list", "--format", "jsonl").lines.count == 3)
        }

        @Test func `without a history nothing is listed and none is made`() async throws {
            #expect(try await run("list").lines == ["no sessions"])
            #expect(try await run("show", "abc", status: 2).complaints.count == 1)
            #expect(!FileManager.default.fileExists(atPath: file))
            let named = try await run("list", "--history", folder.file("none.sqlite").path, status: 65)
            #expect(named.complaints.count == 1)
        }

        @Test func `poses that were not kept are reported in one line`() async throws {
            let id = try await keep()[0].id.uuidString
            let outcome = try await run("export", id, "--as", "trc", status: 64)
            #expect(outcome.complaints.count == 1)
            #expect(outcome.complaint.contains("no poses are stored"))
        }
    }
}
