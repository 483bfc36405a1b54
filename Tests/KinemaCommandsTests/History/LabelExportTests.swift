@testable import KinemaHistory
import Foundation
import Kinema
import KinemaSynth
import KinemaTestSupport
import Testing

@testable import KinemaStudio

extension CommandTests {
    /// What people correct and mark in the studio goes to the commands that measure and learn, without a hand's touch.
    struct LabelExportTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
        }

        /// A session of the rendered squat, which the analysis is said to have missed, with four marked parts.
        private func keep() async throws -> (store: HistoryStore, id: UUID) {
            let store = try HistoryStore(folder.file("history.sqlite"))
            let poses = try await Program.run("pose", Clips.squat.get().path, "--format", "jsonl")
            var session = StoredSession(
                date: Date(timeIntervalSince1970: 1_000_000), mode: .count, source: "camera", duration: 4)
            session.poses = poses.output
            try await store.add(session)
            _ = try await store.annotate(session.id, .corrections([CorrectedRepetition(id: 1, start: 1, end: 3)]))
            let marks = [(0.0, 1.0, "stand"), (3, 4, "stand"), (1, 2, "squat, \"deep\""), (2, 3, "squat, \"deep\"")]
            _ = try await store.annotate(
                session.id, .marks(marks.map { SessionMark(start: $0.0, end: $0.1, label: $0.2, id: 1) }))
            return (store, session.id)
        }

        @Test func `what was corrected and marked is measured and learnt from as it is`() async throws {
            let (_, id) = try await keep()
            let environment = ["KINEMA_HISTORY": folder.file("history.sqlite").path]
            let exported = try await Program(environment: environment, folder: folder.url).run(
                ["history", "export", id.uuidString, "--output", "set.labels.zip"])
            #expect(exported.status == 0, "\(exported.complaint)")
            let script = """
                cd "$1" && unzip -q set.labels.zip -d set && cd set && ls && "$kinema" evaluate count labels.csv --format csv \
                && "$kinema" train marks.csv -o x.model && "$kinema" classify --classifier x.model *.jsonl > /dev/null
                """
            let run = try await Program.shell(script, folder.url.path)
            #expect(run.status == 0, "\(run.text) \(run.complaint)")
            let name = "kinema-count-19700112-134640.poses.jsonl"
            #expect(run.lines.prefix(3) == [name, "labels.csv", "marks.csv"])
            // The correct count is what was corrected; the analysis of the kept poses gets there too.
            #expect(run.lines.contains { $0.hasPrefix("\(name),,1,1,1,1,") }, "\(run.text)")
            #expect(run.text.contains("2 classes from 4 clips") && run.text.contains("squat, \"deep\": 2 clips"))
        }

        @Test func `the table alone comes as a file and says nothing where nothing was said`() async throws {
            let (store, id) = try await keep()
            let file = try #require(try await store.export(id, as: .labels))
            #expect(
                String(decoding: file.bytes, as: UTF8.self)
                    == "file,reps\nkinema-count-19700112-134640.poses.jsonl,1\n")
            _ = try await store.annotate(id, .corrections(nil))
            let marks = try #require(try await store.export(id, as: .labels))
            #expect(String(decoding: marks.bytes, as: UTF8.self).hasPrefix("file,label,start,end,person\n"))
            _ = try await store.annotate(id, .marks([]))
            let run = try await Program(environment: ["KINEMA_HISTORY": folder.file("history.sqlite").path]).run(
                ["history", "export", id.uuidString, "--as", "labels.csv", "--output", "-"])
            #expect(run.status == 64 && run.complaints.count == 1)
            #expect(run.complaint.contains("nothing is corrected or marked"))
        }
    }
}
