@testable import KinemaHistory
import Foundation
import Testing

@testable import KinemaHTTP
@testable import KinemaStudio

/// Corrections, marks and notes over HTTP.
@Suite(.timeLimit(.minutes(1))) struct ServerAnnotationTests {
    private func session() -> StoredSession {
        var session = StoredSession(
            id: UUID(), date: Date(timeIntervalSince1970: 1_000_000), mode: .count, source: "camera", duration: 10)
        session.repetitions = [Sample.counted(start: 0.5, end: 1.5)]
        session.count = 1
        return session
    }

    @Test func `a session is corrected marked and noted`() async throws {
        try await StudioUnderTest.run(history: true) { studio in
            let kept = session()
            try await studio.history?.add(kept)
            func put(_ method: String, _ path: String, _ body: String = "") async throws -> StoredSession {
                let answer = try await studio.ask(
                    method, "/api/history/\(kept.id)/\(path)", ["Content-Length": "\(body.utf8.count)"], body: body)
                #expect(answer?.status == 200, "\(answer?.text ?? "none")")
                return try JSONDecoder().decode(StoredSession.self, from: Data(answer?.body ?? []))
            }
            let repetitions = #"[{"id":1,"start":2.1,"end":3.4},{"id":1,"start":0.5,"end":1.5}]"#
            let corrected = try await put("PUT", "corrections", #"{"repetitions":\#(repetitions)}"#)
            #expect(corrected.corrections?.map(\.start) == [0.5, 2.1])
            #expect(corrected.repetitions == kept.repetitions && corrected.count == 1)
            let marked = try await put("PUT", "marks", #"{"marks":[{"start":0.5,"end":10.9,"label":"squat"}],"new":1}"#)
            #expect(marked.marks == [SessionMark(start: 0.5, end: 10.9, label: "squat")])
            #expect(try await put("PUT", "note", #"{"note":"felt easy"}"#).note == "felt easy")
            let all = try await studio.ask("GET", "/api/history")?.text ?? ""
            #expect(all.contains(#""correctedCount":2"#) && all.contains(#""note":"felt easy""#))
            #expect(try await put("DELETE", "corrections").corrections == nil)
            #expect(try await put("PUT", "note", #"{"note":""}"#).note == "")
            let bare = try await studio.ask("GET", "/api/history/\(kept.id)")?.text ?? ""
            #expect(!bare.contains("corrections") && !bare.contains("\"note\"") && bare.contains(#""marks":[{"#))
        }
    }

    private static let bodies: [(path: String, body: String, status: Int)] = [
        ("corrections", "", 400), ("corrections", "{", 400), ("corrections", "[]", 400), ("corrections", "{}", 400),
        ("corrections", "\u{FEFF}{\"repetitions\":[]", 400), ("corrections", "\0", 400),
        ("corrections", #"{"repetitions":null}"#, 400), ("corrections", #"{"repetitions":{}}"#, 400),
        ("corrections", #"{"repetitions":[1]}"#, 400), ("corrections", #"{"repetitions":[{"start":1,"end":2}]}"#, 400),
        ("corrections", #"{"repetitions":[{"id":1.5,"start":1,"end":2}]}"#, 400),
        ("corrections", #"{"repetitions":[{"id":1,"start":"1","end":2}]}"#, 400),
        ("corrections", #"{"repetitions":[{"id":1,"start":1e999,"end":2}]}"#, 400),
        ("corrections", #"{"repetitions":[{"id":1,"start":1,"end":NaN}]}"#, 400),
        ("corrections", #"{"repetitions":[{"id":1,"start":2,"end":1}]}"#, 400),
        ("corrections", #"{"repetitions":[{"id":1,"start":1,"end":11.01}]}"#, 400),
        ("corrections", #"{"repetitions":[{"id":99999999999999999999,"start":1,"end":2}]}"#, 400),
        ("corrections", #"{"repetitions":"# + String(repeating: "[", count: 100_000), 400),
        ("corrections", String(repeating: " ", count: 262_145), 413),
        ("marks", #"{"repetitions":[]}"#, 400), ("marks", #"{"marks":[{"start":1,"end":2}]}"#, 400),
        ("marks", #"{"marks":[{"start":1,"end":2,"label":"\u0000"}]}"#, 400),
        ("marks", #"{"marks":[{"start":1,"end":2,"label":"\ud800"}]}"#, 400),
        ("marks", #"{"marks":[{"start":1,"end":2,"label":7}]}"#, 400),
        ("marks", #"{"marks":[{"start":1,"end":2,"label":"a","id":"1"}]}"#, 400),
        ("note", #"{"note":1}"#, 400), ("note", #"{"note":null}"#, 400), ("note", #""text""#, 400),
        ("note", #"{"note":""# + String(repeating: "x", count: 501) + #""}"#, 400),
        ("notes", #"{"note":"x"}"#, 404), ("note/", #"{"note":"x"}"#, 404), ("marks/1", #"{"marks":[]}"#, 404),
    ]

    @Test func `an invalid body is refused in one line and changes nothing`() async throws {
        try await StudioUnderTest.run(history: true) { studio in
            let kept = session()
            try await studio.history?.add(kept)
            for (path, body, status) in Self.bodies {
                let answer = try await studio.ask(
                    "PUT", "/api/history/\(kept.id)/\(path)", ["Content-Length": "\(body.utf8.count)"], body: body)
                #expect(answer?.status == status, "\(path) \(body.prefix(80)): \(answer?.text ?? "none")")
                #expect(answer?.code != nil && answer?.text.contains("\n") == false)
            }
            #expect(try await studio.history?.session(kept.id) == kept)
            let length = ["Content-Length": "11"]
            for path in ["corrections", "marks", "note"] {
                let body = #"{"note":""}"#
                try expect(405, await studio.ask("POST", "/api/history/\(kept.id)/\(path)", length, body: body))
                try expect(405, await studio.ask("GET", "/api/history/\(kept.id)/\(path)"))
            }
            try expect(404, await studio.ask("PUT", "/api/history/\(UUID())/note", length, body: #"{"note":""}"#))
            try expect(404, await studio.ask("PUT", "/api/history/x/note", length, body: #"{"note":""}"#))
        }
    }

    @Test func `a client that may not delete may not change anything`() async throws {
        let token = try AccessToken("acegkinqtvxbdh")
        try await StudioUnderTest.run(configure: { $0.token = token }, history: true) { studio in
            let kept = session()
            try await studio.history?.add(kept)
            let bearer = ["Authorization": "Bearer acegkinqtvxbdh"]
            for (fields, status) in [
                ([:], 401), (bearer.merging(["Origin": "http://other.example"]) { $1 }, 403),
                (bearer.merging(["Sec-Fetch-Site": "cross-site"]) { $1 }, 403), (bearer, 200),
            ] {
                for (path, body) in [
                    ("corrections", #"{"repetitions":[]}"#), ("marks", #"{"marks":[]}"#), ("note", #"{"note":""}"#),
                ] {
                    let fields = fields.merging(["Content-Length": "\(body.utf8.count)"]) { $1 }
                    try expect(
                        status, await studio.ask("PUT", "/api/history/\(kept.id)/\(path)", fields, body: body))
                }
            }
        }
    }
}
