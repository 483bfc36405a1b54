import Foundation
import KinemaStudio
import Testing

struct KeptSessionTests {
    private func object(_ session: KeptSession) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: session.json()) as? [String: Any])
    }

    @Test func aSessionComesBackFromItsJSONAsItWas() throws {
        let session = KeptSession.everything()
        #expect(try JSONDecoder().decode(KeptSession.self, from: session.json()) == session)
    }

    @Test func anyDateComesBackToTheMillisecond() throws {
        for index in 0..<3000 {
            let date = Date(timeIntervalSince1970: 1_790_000_000 + Double(index) * 77_777.777_1)
            let session = KeptSession(date: date, mode: .poses, source: "camera")
            #expect(try JSONDecoder().decode(KeptSession.self, from: session.json()) == session)
            #expect(abs(session.date.timeIntervalSince(date)) <= 0.000_501)
        }
    }

    @Test func theKeysAreThoseOfTheInterface() throws {
        let json = try object(.everything())
        #expect(
            Set(json.keys) == [
                "id", "date", "mode", "source", "duration", "exercise", "count", "people", "repetitions", "throws",
                "pinches", "segments", "drawing", "hasPoses", "exports",
            ])
        #expect(json["date"] as? String == "1970-01-12T13:46:40.125Z")
        let repetitions = try #require(json["repetitions"] as? [[String: Any]])
        #expect(
            Set(repetitions[0].keys) == ["person", "start", "end", "confidence", "depth", "tempo", "faults"])
        #expect(Set(repetitions[1].keys) == ["person", "start", "end", "faults"])
        #expect(Set((repetitions[0]["tempo"] as? [String: Any] ?? [:]).keys) == ["out", "hold", "back"])
        for fault in repetitions[0]["faults"] as? [[String: Any]] ?? [] {
            #expect(Set(fault.keys) == ["code", "title", "joint", "phase", "measured", "expected"])
        }
        let tosses = try #require(json["throws"] as? [[String: Any]])
        for toss in tosses {
            #expect(
                Set(toss.keys) == ["type", "speed_mps", "speed_mph", "angle", "landing", "score", "start", "end"])
        }
        // 8.94 m/s are 20 miles an hour: 8.94 * 2.2369.
        #expect(abs((tosses[0]["speed_mph"] as? Double ?? 0) - 19.9982) < 0.0001)
        #expect(tosses[1]["speed_mph"] is NSNull)
    }

    @Test func posesAreToldOfAndNeverInTheJSON() throws {
        var session = KeptSession.everything()
        session.poses = Data("{}\n".utf8)
        let json = try object(session)
        #expect(json["hasPoses"] as? Bool == true && json["poses"] == nil)
        #expect(try object(.everything())["hasPoses"] as? Bool == false)
    }

    @Test func `the exports offered are those that hold something`() {
        var session = KeptSession(date: .now, mode: .poses, source: "camera")
        #expect(session.exports == [.json])
        session.poses = Data("{}\n".utf8)
        #expect(session.exports == [.json, .poseLines, .poseTable, .trc, .mot, .coco, .openpose])
        var game = KeptSession(date: .now, mode: .toss, source: "camera")
        game.throwsMade = KeptSession.everything().throwsMade
        #expect(game.exports == [.json, .jsonl, .csv, .svg, .png])
    }

    @Test func `a session in which nothing happened is not worth keeping`() {
        var session = KeptSession(date: .now, mode: .count, source: "camera", duration: 60)
        session.people = 2
        #expect(!session.isWorthKeeping)
        session.pinches = KeptSession.everything().pinches
        #expect(session.isWorthKeeping)
    }

    @Test func `a name from a client is kept without what acts on a terminal, and not at any length`() throws {
        let name = "a\u{1B}[2J\u{202E}\u{85}\u{2028}b\n" + String(repeating: "c", count: 300)
        var session = KeptSession(date: .now, mode: .classify, source: name)
        #expect(session.source == "a[2Jb" + String(repeating: "c", count: 250))
        // What a model brings stays as it is, and is escaped where it is written.
        session.segments = [.init(start: 0, end: 1, label: "up\u{9B}2J", confidence: 1)]
        let json = try session.json()
        #expect(String(decoding: json, as: UTF8.self).contains(#""label":"up\u009b2J""#))
        #expect(try JSONDecoder().decode(KeptSession.self, from: json).segments == session.segments)
    }

    @Test func whatIsMissingIsLeftOutOfTheJSON() throws {
        let json = try object(KeptSession(date: .now, mode: .count, source: "camera"))
        #expect(json["exercise"] == nil && json["drawing"] == nil)
        #expect((json["throws"] as? [Any])?.isEmpty == true)
    }
}
