@testable import KinemaHistory
import KinemaHTTP
import KinemaCounting
import Foundation
import Kinema
import KinemaCore
import KinemaTestSupport
import Testing

@testable import KinemaStudio

/// Exercises over HTTP: listed, taught from sessions, renamed, deleted, exported and imported.
@Suite(.timeLimit(.minutes(5))) struct ServerExerciseTests {
    private struct Row: Decodable, Equatable {
        var name: String, title: String, origin: String
        var repetitions: Int?
        var session: UUID?
    }

    private struct List: Decodable { var exercises: [Row] }

    private struct Loop: Decodable {
        var duration: Double
        var frames: [[String: [Double]]]
    }

    /// A side view of squats of two seconds each, with a second of standing before and after.
    static func session(repetitions: Int = 4, poses: Bool = true) -> StoredSession {
        var session = StoredSession(
            date: Date(timeIntervalSince1970: 86_400), mode: .count, source: "camera",
            duration: Double(2 * repetitions + 2))
        guard poses else { return session }
        var json = JSONText()
        for index in 0..<30 * (2 * repetitions + 2) {
            let time = Double(index) / 30
            let share = max(0, min(Double(repetitions), (time - 1) / 2))
            let depth = 0.5 - 0.5 * cos(2 * .pi * share)
            json.frame(ExportedFrame(index: index, time: time, width: 640, height: 640, poses: [pose(depth)]))
            json.newline()
        }
        session.poses = Data(json.bytes)
        return session
    }

    static func pose(_ depth: Double) -> Pose {
        let (ankle, knee) = (CGPoint(x: 0.5, y: 0.1), CGPoint(x: 0.5 + 0.1 * depth, y: 0.3 - 0.02 * depth))
        let hip = CGPoint(x: 0.5 - 0.12 * depth, y: 0.5 - 0.2 * depth)
        let shoulder = CGPoint(x: hip.x + 0.14 * depth, y: hip.y + 0.24 - 0.04 * depth)
        let (elbow, wrist) = (
            CGPoint(x: shoulder.x + 0.13 * depth, y: shoulder.y - 0.14 + 0.14 * depth),
            CGPoint(x: shoulder.x + 0.25 * depth, y: shoulder.y - 0.27 + 0.27 * depth)
        )
        var joints: [JointKey: JointPoint] = [:]
        func add(_ left: JointKey, _ right: JointKey, _ place: CGPoint) {
            joints[left] = JointPoint(left, location: CGPoint(x: place.x - 0.01, y: place.y), confidence: 0.95)
            joints[right] = JointPoint(right, location: CGPoint(x: place.x + 0.01, y: place.y), confidence: 0.95)
        }
        add(.leftAnkle, .rightAnkle, ankle)
        add(.leftKnee, .rightKnee, knee)
        add(.leftHip, .rightHip, hip)
        add(.leftShoulder, .rightShoulder, shoulder)
        add(.leftElbow, .rightElbow, elbow)
        add(.leftWrist, .rightWrist, wrist)
        joints[.nose] = JointPoint(
            .nose, location: CGPoint(x: shoulder.x + 0.05, y: shoulder.y + 0.12), confidence: 0.95)
        var pose = Pose(from: joints)
        pose.id = 1
        return pose
    }

    private func send(
        _ studio: StudioUnderTest, _ method: String, _ path: String, _ body: String
    ) async throws -> RawAnswer? {
        try await studio.ask(method, path, ["Content-Length": "\(body.utf8.count)"], body: body)
    }

    private func list(_ studio: StudioUnderTest) async throws -> [Row] {
        let answer = try await studio.ask("GET", "/api/exercises")
        return try JSONDecoder().decode(List.self, from: Data(answer?.body ?? [])).exercises
    }

    @Test func `an exercise is taught, shown, renamed, taken along and deleted`() async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(folder.file("history.sqlite"))
        let shelf = ExerciseShelf(beside: store.file) { name in
            name == "squat" ? ExerciseFigure(seconds: 2, frames: [[.nose: SIMD3(0, 1, 0.25)]]) : nil
        }
        let session = Self.session()
        try await store.add(session)
        try await StudioUnderTest.run(store: store, exercises: shelf) { studio in
            #expect(try await list(studio).allSatisfy { $0.origin == "built-in" })
            let answer = try await send(
                studio, "POST", "/api/exercises", #"{"session":"\#(session.id)","name":" Tiefe Brücke "}"#)
            #expect(answer?.status == 201, "\(answer?.text ?? "none")")
            let row = Row(
                name: "tiefe_brucke", title: "Tiefe Brücke", origin: "taught", repetitions: 4, session: session.id)
            #expect(try await list(studio).first == row)
            var dosed = try #require(shelf.exercise("tiefe_brucke"))
            var prescribed = try #require(dosed.shown)
            prescribed.dose = ShownExercise.Dose(sets: 3, repetitions: 12)
            dosed.kind = .shown(prescribed)
            try shelf.keep(dosed)
            let listed = try await studio.ask("GET", "/api/exercises")?.text ?? ""
            #expect(listed.contains(#""dose":{"repetitions":12,"sets":3}"#), "\(listed)")
            let file = folder.file("history.exercises/tiefe_brucke.exercise.json")
            #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
            let loop = try await studio.ask("GET", "/api/exercises/tiefe_brucke/figure")
            let shown = try JSONDecoder().decode(Loop.self, from: Data(loop?.body ?? []))
            #expect(shown.frames.count == 21 && shown.duration > 1 && shown.frames[0]["leftKnee"]?.count == 3)
            #expect(try await studio.ask("GET", "/api/exercises/squat/figure")?.text.contains("[0,1,0.25]") == true)
            try expect(404, await studio.ask("GET", "/api/exercises/plank/figure"))
            try expect(
                200, await send(studio, "PUT", "/api/exercises/tiefe_brucke", #"{"title":"Brücke 2"}"#))
            // As after a restart.
            let again = ExerciseShelf(beside: store.file)
            again.load()
            #expect(again.taught.map(\.title) == ["Brücke 2"])
            let exported = try await studio.ask("GET", "/api/exercises/tiefe_brucke/file")?.text ?? ""
            try expect(409, await send(studio, "POST", "/api/exercises/file", exported))
            try expect(204, await studio.ask("DELETE", "/api/exercises/tiefe_brucke"))
            #expect(!FileManager.default.fileExists(atPath: file.path) && shelf.taught.isEmpty)
            try expect(201, await send(studio, "POST", "/api/exercises/file", exported))
            #expect(shelf.taught.map(\.title) == ["Brücke 2"])
            #expect(try await list(studio).first?.session == nil)
            // In an archive, one called like a built-in exercise is left out, since nobody could delete it.
            let files = ExerciseFiles(beside: store.file)
            let bridge = try #require(files.exercise("tiefe_brucke"))
            var squat = bridge
            squat.name = "squat"
            try files.keep(squat)
            let archive = folder.file("archive.zip")
            try await store.exportAll(to: archive, withVideos: false)
            for name in ["squat", bridge.name] { files.remove(name) }
            _ = try await store.importAll(from: archive)
            #expect(files.names == [bridge.name])
            for title in [" ", "auto", "1"] {
                var other = bridge
                (other.name, other.title) = ("other", title)
                let file = String(decoding: ExerciseFiles.bytes(other), as: UTF8.self)
                try expect(400, await send(studio, "POST", "/api/exercises/file", file))
            }
            // One that has the name of an address.
            let named = exported.replacing(#""tiefe_brucke""#, with: #""file""#)
            try expect(201, await send(studio, "POST", "/api/exercises/file", named))
            let marked = "e" + String(repeating: "\u{301}", count: 240)
            try expect(400, await send(studio, "PUT", "/api/exercises/file", #"{"title":"\#(marked)"}"#))
            try expect(200, await send(studio, "PUT", "/api/exercises/file", #"{"title":"File"}"#))
            try expect(204, await studio.ask("DELETE", "/api/exercises/file"))
            #expect(shelf.taught.map(\.title) == ["Brücke 2"])
        }
    }

    @Test func `what was taught from a person's set is exported and deleted with everything of theirs`() async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(folder.file("history.sqlite"))
        let shelf = ExerciseShelf(beside: store.file)
        let sessions = ["Ada", "Ben", nil].map { name in
            var session = Self.session()
            session.details = SessionDetails()
            session.details?.person = name
            return session
        }
        for session in sessions { try await store.add(session) }
        let confirmed = ["X-Kinema-Confirm": "delete everything"]
        try await StudioUnderTest.run(store: store, exercises: shelf) { studio in
            for (session, name) in zip(sessions, ["hers", "his", "ours"]) {
                let wish = #"{"session":"\#(session.id)","name":"\#(name)"}"#
                try expect(201, await send(studio, "POST", "/api/exercises", wish))
            }
            try expect(200, await send(studio, "PUT", "/api/exercises/hers", #"{"title":"Hers, renamed"}"#))
            // The set of one exercise is deleted before; that of another goes to another person.
            _ = try await store.delete(sessions[0].id)
            _ = try await store.annotate(sessions[2].id, .details(sessions[1].details))
            let archive = try await studio.ask("GET", "/api/people/Ada/archive")
            #expect(archive?.status == 200)
            let exported = try await studio.ask("GET", "/api/exercises/hers/file")?.text
            #expect(exported?.contains("Ada") == false)
            try expect(204, await studio.ask("DELETE", "/api/people/Ada", confirmed))
            #expect(shelf.taught.map(\.name) == ["his", "ours"])
            try expect(404, await studio.ask("DELETE", "/api/people/Ada", confirmed))
            try expect(204, await studio.ask("DELETE", "/api/people/Ben", confirmed))
            #expect(shelf.taught.isEmpty)
            let exercises = folder.file("history.exercises").path
            #expect(try FileManager.default.contentsOfDirectory(atPath: exercises).isEmpty)
            let answer = try await studio.ask(
                "POST", "/api/history/archive", ["Content-Length": "\(archive?.body.count ?? 0)"],
                bytes: archive?.body ?? [])
            #expect(answer?.status == 200, "\(answer?.text ?? "none")")
            #expect(shelf.taught.map(\.title) == ["Hers, renamed"])
            #expect(try await store.taught(by: "Ada").map(\.name) == ["hers"])
            try expect(204, await studio.ask("DELETE", "/api/history", confirmed))
            #expect(shelf.taught.isEmpty)
        }
    }

    @Test func `teaching waits for a training, and what is invalid is refused before`() async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(folder.file("history.sqlite"))
        let session = Self.session()
        try await store.add(session)
        let shelf = ExerciseShelf(beside: store.file)
        try await StudioUnderTest.run(
            configure: { $0.limits.trainings = 0 }, store: store, exercises: shelf
        ) { studio in
            let wish = #"{"session":"\#(session.id)","name":"Mine"}"#
            let answer = try await send(studio, "POST", "/api/exercises", wish)
            #expect(answer?.status == 503 && answer?.code == "busy")
            try expect(400, await send(studio, "POST", "/api/exercises", #"{"session":"\#(session.id)","name":" "}"#))
        }
    }

    @Test func `a copy has the next free number, and belongs to whom the exercise belongs to`() async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(folder.file("history.sqlite"))
        let shelf = ExerciseShelf(beside: store.file)
        var session = Self.session()
        session.details = SessionDetails()
        session.details?.person = "Ada"
        try await store.add(session)
        let id = session.id
        let long = "Brücke mit einem Bein, das andere ausgestreckt, beide Arme"
        try await StudioUnderTest.run(
            configure: { $0.limits.exercises = 6 }, store: store, exercises: shelf
        ) { studio in
            for title in ["Squat 2", long] {
                let wish = #"{"session":"\#(id)","name":"\#(title)"}"#
                try expect(201, await send(studio, "POST", "/api/exercises", wish))
            }
            let path = "/api/exercises/"
            let copy = try await send(studio, "POST", path + "squat_2/copy", "")
            #expect(copy?.status == 201, "\(copy?.text ?? "none")")
            let row = try JSONDecoder().decode(Row.self, from: Data(copy?.body ?? []))
            #expect(row == Row(name: "squat_3", title: "Squat 3", origin: "taught", repetitions: 4, session: id))
            // A title that another was given since is not given again.
            try expect(200, await send(studio, "PUT", path + "squat_3", #"{"title":"Squat 4"}"#))
            try expect(201, await send(studio, "POST", path + "squat_3/copy", ""))
            for _ in 1...2 {
                try expect(201, await send(studio, "POST", path + ExerciseShelf.name(long) + "/copy", ""))
            }
            let copies = ["Squat 4", "Squat 5"] + [2, 3].map { "\(long.prefix(50)) \($0)" }
            #expect(Array(shelf.taught.map(\.title).dropFirst(2)) == copies)
            let (exercise, third) = (try #require(shelf.exercise("squat_2")), try #require(shelf.exercise("squat_3")))
            #expect(third.shown == exercise.shown && exercise.shown != nil)
            // No more than may be taught; nothing that was not taught here.
            let full = try await send(studio, "POST", path + "squat_2/copy", "")
            #expect(full?.status == 409 && full?.text.contains("at most 6") == true)
            try expect(409, await send(studio, "POST", path + "squat/copy", ""))
            try expect(404, await send(studio, "POST", path + "none/copy", ""))
            try expect(405, await studio.ask("GET", path + "squat_2/copy"))
            _ = try await store.delete(id)
            #expect(try await store.taught(by: "Ada").count == 6)
            try expect(204, await studio.ask("DELETE", "/api/people/Ada", ["X-Kinema-Confirm": "delete everything"]))
            #expect(shelf.taught.isEmpty)
        }
    }

    @Test func `an exercise follows its set to another person, also when the set is deleted first`() async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(folder.file("history.sqlite"))
        let shelf = ExerciseShelf(beside: store.file)
        let sets = [Self.session(), Self.session()]
        var (bobs, zoes) = (SessionDetails(), SessionDetails())
        (bobs.person, zoes.person) = ("Bob", "Zoe")
        for set in sets { try await store.add(set) }
        _ = try await store.annotate(sets[1].id, .details(bobs))
        try await StudioUnderTest.run(store: store, exercises: shelf) { studio in
            for (set, name) in zip(sets, ["first", "second"]) {
                let wish = #"{"session":"\#(set.id)","name":"\#(name)"}"#
                try expect(201, await send(studio, "POST", "/api/exercises", wish))
            }
        }
        for set in sets { _ = try await store.annotate(set.id, .details(zoes)) }
        let files = ExerciseFiles(beside: store.file)
        #expect(files.names.map { files.origin($0)?.person } == ["Zoe", "Zoe"])
        // As a note of before this.
        try files.note(ExerciseFiles.Origin(session: sets[1].id, person: "Bob"), of: "second")
        #expect(try await store.taught().map(\.origin?.person) == ["Zoe", "Zoe"])
        for set in sets { _ = try await store.delete(set.id) }
        #expect(try await store.taught(by: "Bob").isEmpty)
        #expect(try await store.deleteAll(of: "Zoe") == 2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: files.folder.url.path).isEmpty)
    }

    @Test func `a failed import leaves no note, and no exercise inherits one`() async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(folder.file("one.sqlite"))
        let origin = ExerciseFiles.Origin(session: UUID(), person: "Ada")
        var exercise = try #require(ExerciseLibrary.all.first)
        for name in ["mine_1", "mine_2"] {
            exercise.name = name
            try store.exercises.keep(exercise, from: origin)
        }
        let archive = folder.file("all.zip")
        try await store.exportAll(to: archive, withVideos: false)
        let other = try HistoryStore(folder.file("two.sqlite"))
        let files = other.exercises
        // Nothing can be written where a folder is.
        try FileManager.default.createDirectory(at: files.noteFile("mine_2"), withIntermediateDirectories: true)
        await #expect(throws: KinemaError.self) { try await other.importAll(from: archive) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: files.folder.url.path).isEmpty)
        _ = try await other.importAll(from: archive)
        #expect(files.names.map { files.origin($0) } == [origin, origin])
        // As a killed program leaves it.
        try files.note(origin, of: "mine_3")
        exercise.name = "mine_3"
        try files.keep(exercise)
        #expect(files.names.count == 3 && files.origin("mine_3") == nil)
        files.remove("mine_3")
        try files.note(origin, of: "mine_3")
        try await other.removeStrays()
        #expect(files.origin("mine_3") == nil && files.names.map { files.origin($0) } == [origin, origin])
        // What replaces an exercise keeps its note.
        exercise.name = "mine_2"
        try files.keep(exercise)
        #expect(files.origin("mine_2") == origin)
    }

    @Test func `what cannot be taught is reported in one line and leaves nothing`() async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(folder.file("history.sqlite"))
        let shelf = ExerciseShelf(beside: store.file)
        let (good, one, bare) = (Self.session(), Self.session(repetitions: 0), Self.session(poses: false))
        for session in [good, one, bare] { try await store.add(session) }
        @Sendable func wish(_ session: UUID, _ name: String = "mine", _ more: String = "") -> String {
            #"{"session":"\#(session)","name":"\#(name)"\#(more)}"#
        }
        let path = "/api/exercises"
        let cases: [(method: String, path: String, body: String, status: Int, words: String)] = [
            ("POST", path, wish(one.id), 409, "at least 2 are needed"),
            ("POST", path, wish(bare.id), 409, "were not kept"),
            ("POST", path, wish(UUID()), 404, "nothing at this address"),
            ("POST", path, wish(good.id, "Squat"), 409, "already an exercise called Squat"),
            ("POST", path, wish(good.id, "auto"), 400, "1 to 60 printable"),
            ("POST", path, wish(good.id, ""), 400, "1 to 60 printable"),
            ("POST", path, wish(good.id, #"a\u0007"#), 400, "1 to 60 printable"),
            ("POST", path, wish(good.id, "mine", #","repetitions":[3,1]"#), 400, "first and the last"),
            ("POST", path, wish(good.id, "mine", #","repetitions":[1,1]"#), 409, "at least 2 are needed"),
            ("POST", path, "{", 400, "JSON"), ("POST", path + "/file", "[1]", 400, "not an exercise"),
            ("POST", path + "/file", #"{"name":"x"}"#, 400, "not an exercise"),
            ("POST", path + "/file", String(repeating: " ", count: 262_145), 413, "too large"),
            ("PUT", path + "/squat", #"{"title":"x"}"#, 409, "was not taught here"),
            ("DELETE", path + "/squat", "", 409, "was not taught here"), ("DELETE", path + "/none", "", 404, "nothing"),
            ("DELETE", path + "/..%2Fhistory", "", 404, "nothing"), ("PATCH", path + "/squat", "", 405, "accepts only"),
        ]
        try await StudioUnderTest.run(store: store, exercises: shelf) { studio in
            for (method, path, body, status, words) in cases {
                let answer = try await send(studio, method, path, body)
                #expect(answer?.status == status, "\(method) \(path) \(body.prefix(90)): \(answer?.text ?? "none")")
                #expect(
                    answer?.text.contains(words) == true && answer?.text.contains("\n") == false,
                    "\(answer?.text ?? "")")
            }
        }
        #expect(shelf.taught.isEmpty)
        try await StudioUnderTest.run { studio in
            try expect(404, await send(studio, "POST", "/api/exercises", wish(good.id)))
        }
    }

    @Test func `exercises that differ by a number or in script are kept side by side`() async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(folder.file("history.sqlite"))
        let shelf = ExerciseShelf(beside: store.file)
        let set = Self.session()
        try await store.add(set)
        let titles = ["Bridge 1", "Bridge 2", "Squat 2", "深蹲", "卧推"]
        try await StudioUnderTest.run(store: store, exercises: shelf) { studio in
            for title in titles {
                let wish = #"{"session":"\#(set.id)","name":"\#(title)"}"#
                try expect(201, await send(studio, "POST", "/api/exercises", wish))
            }
        }
        #expect(shelf.taught.map(\.title) == titles)
        for exercise in shelf.taught { #expect(shelf.exercise(exercise.name)?.title == exercise.title) }
    }

    @Test func `one of your own with a built-in name is given, and its name stays taken`() async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(folder.file("history.sqlite"))
        var own = try #require(ExerciseLibrary.exercise(named: "squat"))
        let plank = try #require(ExerciseLibrary.exercise(named: "plank"))
        own.title = "Our squat"
        let shelf = ExerciseShelf(given: [own, plank], beside: store.file)
        let set = Self.session()
        try await store.add(set)
        let file = String(decoding: ExerciseFiles.bytes(own), as: UTF8.self)
        try await StudioUnderTest.run(store: store, exercises: shelf) { studio in
            let listed = try await list(studio).map { "\($0.title): \($0.origin)" }
            #expect(listed == ["Our squat: given", "Plank: built-in"])
            let wish = #"{"session":"\#(set.id)","name":"Squat"}"#
            for (path, body) in [("/api/exercises", wish), ("/api/exercises/file", file)] {
                let answer = try await send(studio, "POST", path, body)
                #expect(answer?.status == 409 && answer?.text.contains("called Our squat") == true, "\(path)")
            }
        }
        #expect(shelf.taught.isEmpty)
    }

    @Test func `names become file names in any language`() {
        for (title, name) in [
            ("My squat", "my_squat"), ("Ärmel-Übung 2", "armel_ubung_2"), ("深蹲", "shen_dun"),
            ("Приседание", "prisedanie"),
            ("💪", "exercise_"), ("../../x", "x"),
        ] {
            #expect(ExerciseShelf.name(title) == name)
        }
    }
}
