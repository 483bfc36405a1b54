@testable import KinemaHistory
import KinemaLearning
import Foundation
import Kinema
import KinemaCore
import KinemaTestSupport
import Testing

@testable import KinemaHTTP
@testable import KinemaPhones
@testable import KinemaStudio

/// Classifiers learnt from marked sessions, over HTTP.
@Suite(.timeLimit(.minutes(5))) struct ServerClassifierTests {
    /// A live service that only says what can be chosen from.
    private struct Offers: LiveServing {
        var library: @Sendable () -> [ClassifierLibrary.Classifier]
        let given: HumanActionClassifier?

        func serve(_ socket: some LiveSocket, from client: LiveSender) async {}

        func status() -> LiveStatus {
            var configuration = LiveConfiguration()
            configuration.classifiers = given.map { [.init(id: "given one", name: "given", model: $0)] } ?? []
            configuration.madeClassifiers = library
            return LiveService(configuration).status()
        }
    }

    private struct Trained: Decodable {
        var id: String
        var name: String
        var classes: [String]
        var clips: [String: Int]
        var accuracy: Double?
    }

    /// Half a minute in which somebody waves and lifts in turns, four seconds each, all of it marked.
    static func session(_ day: Double, marks: Bool = true, poses: Bool = true) -> StoredSession {
        var session = StoredSession(
            date: Date(timeIntervalSince1970: day * 86_400), mode: .poses, source: "camera", duration: 32)
        let parts = (0..<8).map { (label: $0 % 2 == 0 ? "wave" : "lift", start: Double($0) * 4) }
        if poses {
            var json = JSONText()
            for index in 0..<960 {
                let time = Double(index) / 30
                let pose = ClassifyModeTests.pose(parts[Int(time / 4)].label, time, tempo: 1 + day / 100)
                json.frame(ExportedFrame(index: index, time: time, width: 640, height: 640, poses: [pose]))
                json.newline()
            }
            session.poses = Data(json.bytes)
        }
        if marks {
            session.marks = parts.map { SessionMark(start: $0.start, end: $0.start + 4, label: $0.label, id: 1) }
        } else {
            session.corrections = []
        }
        return session
    }

    private func train(_ studio: StudioUnderTest, _ body: String) async throws -> RawAnswer? {
        try await studio.ask("POST", "/api/classifiers", ["Content-Length": "\(body.utf8.count)"], body: body)
    }

    private func wish(_ sessions: [StoredSession], name: String = "my squats") -> String {
        #"{"name":"\#(name)","sessions":[\#(sessions.map { "\"\($0.id)\"" }.joined(separator: ","))]}"#
    }

    @Test func `a classifier is learnt, offered at once and after a restart, and taken away`() async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(folder.file("history.sqlite"))
        let library = ClassifierLibrary(store)
        let given = try ClassifyModeTests.model()
        let sessions = (1...2).map { Self.session(Double($0)) }
        for session in sessions { try await store.add(session) }
        let offers = Offers(library: { library.all }, given: given)
        try await StudioUnderTest.run(live: offers, store: store, classifiers: library) { studio in
            let answer = try await train(studio, wish(sessions))
            #expect(answer?.status == 201, "\(answer?.text ?? "none")")
            let trained = try JSONDecoder().decode(Trained.self, from: Data(answer?.body ?? []))
            #expect(trained.id == "studio-my-squats" && trained.name == "my squats")
            #expect(trained.classes == ["lift", "wave"] && trained.clips == ["lift": 8, "wave": 8])
            #expect(try #require(trained.accuracy) > 0.9)
            let status = try await studio.ask("GET", "/api/status")?.text ?? ""
            #expect(status.contains("studio-my-squats"))
            let file = folder.file("history.classifiers/my-squats.model")
            #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
            let second = try await train(studio, wish(sessions))
            #expect(second?.text.contains(#""id":"studio-my-squats-2""#) == true)
            // As after a restart.
            let again = ClassifierLibrary(store)
            try await again.load()
            #expect(again.all.map(\.id) == ["studio-my-squats", "studio-my-squats-2"])
            let kept = again.all[0].model as? HumanActionClassifier
            #expect(kept != nil && kept == library.all[0].model as? HumanActionClassifier && again.all[0].isMade)
            try expect(204, await studio.ask("DELETE", "/api/classifiers/studio-my-squats"))
            try expect(404, await studio.ask("DELETE", "/api/classifiers/studio-my-squats"))
            #expect(!FileManager.default.fileExists(atPath: file.path))
            #expect(library.all.map(\.id) == ["studio-my-squats-2"])
            try expect(409, await studio.ask("DELETE", "/api/classifiers/given%20one"))
            for id in ["none", "..", "..%2Fx", "studio-..%2F..%2Fhistory", "%ff", "studio-a/b"] {
                try expect(404, await studio.ask("DELETE", "/api/classifiers/\(id)"))
            }
            #expect(FileManager.default.fileExists(atPath: store.file.path))
        }
    }

    @Test func `what nothing can be learnt from is reported in one line and leaves nothing`() async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(folder.file("history.sqlite"))
        let library = ClassifierLibrary(store)
        var (one, long) = (Self.session(1), Self.session(3))
        one.marks = [
            SessionMark(start: 0, end: 4, label: "wave"), SessionMark(start: 8, end: 12, label: "wave"),
            SessionMark(start: 4, end: 8, label: "jump"),
        ]
        long.duration = 10_000
        long.marks += [SessionMark(start: 0, end: 9_000, label: "wave")]
        var nobody = Self.session(5)
        nobody.marks = [(40, "a"), (42, "a"), (44, "b"), (46, "b")].map {
            SessionMark(start: $0.0, end: $0.0 + 2, label: $0.1)
        }
        var broken = Self.session(6)
        broken.poses = Data("{\"time\":0}\n".utf8)
        // All joints in one place.
        var (same, json) = (Self.session(7), JSONText())
        var speck = Pose(
            from: ActionSubject.body.joints.reduce(into: [:]) {
                $0[$1] = JointPoint($1, location: CGPoint(x: 0.5, y: 0.5), confidence: 0.9)
            })
        speck.id = 1
        for index in 0..<960 {
            let time = Double(index) / 30
            json.frame(ExportedFrame(index: index, time: time, width: 640, height: 640, poses: [speck]))
            json.newline()
        }
        same.poses = Data(json.bytes)
        let (bare, unmarked) = (Self.session(2, poses: false), Self.session(4, marks: false))
        for session in [one, bare, long, unmarked, nobody, broken, same] { try await store.add(session) }
        let missing = UUID()
        let cases: [(body: String, status: Int, words: String)] = [
            (wish([one]), 409, "class jump has 1 clip; at least 2 are needed"),
            (wish([bare]), 409, "has no saved poses"), (wish([unmarked]), 409, "nothing is marked"),
            (wish([long]), 409, "at most 3600 s"), (wish([nobody]), 409, "no clip that shows"),
            (wish([same]), 409, "look the same"),
            (wish([broken]), 500, "line 1 is not a line of kinema pose"),
            (#"{"name":"a","sessions":["\#(missing)"]}"#, 404, "no session \(missing)"),
            (#"{"name":"a","sessions":[]}"#, 400, "1 to 1000 sessions"), (#"{"name":"a"}"#, 400, "JSON"),
            (#"{"name":"","sessions":["\#(one.id)"]}"#, 400, "printable"),
            (#"{"name":"a\u0007","sessions":["\#(one.id)"]}"#, 400, "printable"),
            (#"{"name":"a","sessions":["../x"]}"#, 400, "JSON"), ("{", 400, "JSON"), ("", 400, "JSON"),
            (String(repeating: " ", count: 262_145), 413, "too large"),
        ]
        let offers = Offers(library: { library.all }, given: nil)
        try await StudioUnderTest.run(live: offers, store: store, classifiers: library) { studio in
            for (body, status, words) in cases {
                let answer = try await train(studio, body)
                #expect(answer?.status == status, "\(body.prefix(100)): \(answer?.text ?? "none")")
                #expect(
                    answer?.text.contains(words) == true && answer?.text.contains("\n") == false,
                    "\(answer?.text ?? "")")
            }
            try expect(405, await studio.ask("GET", "/api/classifiers"))
            try expect(
                403,
                await studio.ask(
                    "POST", "/api/classifiers", ["Origin": "http://other.example", "Content-Length": "0"]))
        }
        #expect(library.all.isEmpty)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).allSatisfy { !$0.hasSuffix(".model") })
    }

    @Test func `more trainings at once than are made are told to wait`() async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(folder.file("history.sqlite"))
        let library = ClassifierLibrary(store)
        let session = Self.session(1)
        try await store.add(session)
        let offers = Offers(library: { library.all }, given: nil)
        try await StudioUnderTest.run(
            live: offers, configure: { $0.limits.trainings = 0 }, store: store, classifiers: library
        ) { studio in
            let answer = try await train(studio, wish([session]))
            #expect(answer?.status == 409 && answer?.code == "busy")
        }
        #expect(library.all.isEmpty)
    }

    @Test func `names become files inside the folder`() {
        for (name, id) in [
            ("my squats", "studio-my-squats"), ("../../etc/passwd", "studio-etc-passwd"), ("Übung 1", "studio-bung-1"),
            ("...", "studio-classifier"),
            (String(repeating: "x", count: 60), "studio-" + String(repeating: "x", count: 40)),
        ] {
            let made = ClassifierName.id(name, taken: [])
            #expect(made == id && ClassifierName.isID(made))
            #expect(ClassifierName.id(name, taken: [made]) == id + "-2")
        }
        for id in [
            "studio-", "studio-a/b", "studio-A", "x", "studio-é", "studio-..",
            "studio-" + String(repeating: "a", count: 99),
        ] {
            #expect(!ClassifierName.isID(id))
        }
    }
}
