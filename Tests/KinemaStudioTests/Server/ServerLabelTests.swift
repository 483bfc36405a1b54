@testable import KinemaHistory
import Foundation
import KinemaTestSupport
import Testing

@testable import KinemaStudio

/// What was corrected and marked, over HTTP.
@Suite(.timeLimit(.minutes(1))) struct ServerLabelTests {
    @Test func `everything said of sessions with poses comes as one archive`() async throws {
        try await StudioUnderTest.run(history: true) { studio in
            let store = try #require(studio.history)
            try expect(409, await studio.ask("GET", "/api/history/labels"))
            for index in 0..<3 {
                var session = StoredSession(
                    date: Date(timeIntervalSince1970: 1_000_000), mode: .count, source: "camera", duration: 10)
                session.poses = index < 2 ? Data("{\"lines\":\(index)}\n".utf8) : nil
                session.corrections = [CorrectedRepetition(id: 1, start: 1, end: 2)]
                session.marks = [SessionMark(start: 1, end: 2, label: "a", id: 1)]
                try await store.add(session)
            }
            let answer = try await studio.ask("GET", "/api/history/labels")
            #expect(answer?.status == 200 && answer?["Content-Type"] == "application/zip")
            let archive = studio.folder.file("labels.zip")
            try Data(answer?.body ?? []).write(to: archive)
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["unzip", "-q", archive.path, "-d", studio.folder.file("out").path]
            try process.run()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            func text(_ name: String) throws -> String {
                try String(contentsOf: studio.folder.file("out").appending(path: name), encoding: .utf8)
            }
            // Two sessions of the same second have names of their own; the one without poses is left out.
            let (first, second) = (
                "kinema-count-19700112-134640.poses.jsonl", "kinema-count-19700112-134640-2.poses.jsonl"
            )
            #expect(try text("labels.csv") == "file,reps\n\(first),1\n\(second),1\n")
            #expect(try Set([text(first), text(second)]) == ["{\"lines\":0}\n", "{\"lines\":1}\n"])
            // Person 1 of one session is not person 1 of another.
            let people = try text("marks.csv").split(separator: "\n").dropFirst().map { $0.split(separator: ",").last }
            #expect(Set(people).count == 2)
            // Nothing of it is left beside the history.
            let left = try FileManager.default.contentsOfDirectory(atPath: studio.folder.url.path)
            #expect(!left.contains { $0.hasPrefix("part-") })
        }
    }
}
