import KinemaHistory
import Foundation
import Kinema
import KinemaStudio
import Testing

struct StoredSessionTests {
    private func object(_ session: StoredSession) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: session.json()) as? [String: Any])
    }

    @Test func `a session comes back from its JSON as it was`() throws {
        let session = StoredSession.everything()
        #expect(try JSONDecoder().decode(StoredSession.self, from: session.json()) == session)
    }

    @Test func `any date comes back to the millisecond`() throws {
        for index in 0..<3000 {
            let date = Date(timeIntervalSince1970: 1_790_000_000 + Double(index) * 77_777.777_1)
            let session = StoredSession(date: date, mode: .poses, source: "camera")
            #expect(try JSONDecoder().decode(StoredSession.self, from: session.json()) == session)
            #expect(abs(session.date.timeIntervalSince(date)) <= 0.000_501)
        }
    }

    @Test func `the keys are those of the interface`() throws {
        let json = try object(.everything())
        #expect(
            Set(json.keys) == [
                "id", "date", "mode", "source", "duration", "exercise", "count", "people", "repetitions", "holds",
                "throws",
                "game", "pinches", "segments", "drawing", "hasPoses", "exports", "corrections", "correctedCount",
                "marks", "note", "plan", "details", "turn", "view",
            ])
        #expect(json["date"] as? String == "1970-01-12T13:46:40.125Z")
        let repetitions = try #require(json["repetitions"] as? [[String: Any]])
        #expect(
            Set(repetitions[0].keys) == [
                "id", "exercise", "number", "start", "end", "depth", "tempo", "symmetry", "side", "faults",
            ])
        #expect(Set(repetitions[1].keys) == ["id", "number", "start", "end", "confidence", "known", "delay"])
        #expect(
            Set((repetitions[0]["tempo"] as? [String: Any] ?? [:]).keys) == ["eccentric", "pause", "concentric"])
        for fault in repetitions[0]["faults"] as? [[String: Any]] ?? [] {
            #expect(Set(fault.keys) == ["code", "joint", "phase", "measured", "expected", "tolerance", "unit"])
        }
        let tosses = try #require(json["throws"] as? [[String: Any]])
        for toss in tosses {
            #expect(
                Set(toss.keys) == [
                    "number", "type", "speed_mps", "speed_mph", "angle", "arm_angle", "landing", "score", "start",
                    "end", "point", "path", "type_confidence", "distance_m", "distance_ft", "player_distance_m",
                    "player_distance_ft",
                ])
        }
    }

    @Test func `throws of an older version are read without what they lack`() throws {
        #expect(Sample.throwsMade.map(\.distanceM) == [nil, nil] && Sample.throwsMade[0].typeConfidence == nil)
        let session = StoredSession.everything()
        #expect(session.game?.board?.corners.count == 4 && session.game?.line?.distanceFt == 25)
    }

    @Test func `poses are told of and never in the JSON`() throws {
        var session = StoredSession.everything()
        session.poses = Data("{}\n".utf8)
        let json = try object(session)
        #expect(json["hasPoses"] as? Bool == true && json["poses"] == nil)
        #expect(try object(.everything())["hasPoses"] as? Bool == false)
    }

    @Test func `the exports offered are those that hold something`() {
        var session = StoredSession(date: .now, mode: .poses, source: "camera")
        #expect(session.exports == [.json])
        session.poses = Data("{}\n".utf8)
        #expect(session.exports == [.json, .poseLines, .poseTable, .trc, .mot, .coco, .openpose])
        var game = StoredSession(date: .now, mode: .toss, source: "camera")
        game.throwsMade = StoredSession.everything().throwsMade
        #expect(game.exports == [.json, .jsonl, .csv, .svg, .png])
    }

    @Test func `a session in which nothing happened is not worth keeping`() {
        var session = StoredSession(date: .now, mode: .count, source: "camera", duration: 60)
        session.people = 2
        #expect(!session.isWorthStoring)
        session.segments = [Sample.segment(nil)]
        #expect(!session.isWorthStoring)
        session.pinches = StoredSession.everything().pinches
        #expect(session.isWorthStoring)
    }

    @Test func `a name from a client is kept without what acts on a terminal, and not at any length`() throws {
        let name = "a\u{1B}[2J\u{202E}\u{85}\u{2028}b\n" + String(repeating: "c", count: 300)
        var session = StoredSession(date: .now, mode: .classify, source: name)
        #expect(session.source == "a[2Jb" + String(repeating: "c", count: 250))
        // What a model brings stays as it is, and is escaped where it is written.
        session.segments = [Sample.segment("up\u{9B}2J")]
        let json = try session.json()
        #expect(String(decoding: json, as: UTF8.self).contains(#""label":"up\u009b2J""#))
        #expect(try JSONDecoder().decode(StoredSession.self, from: json).segments == session.segments)
    }

    @Test func `what is missing is left out of the JSON`() throws {
        let json = try object(StoredSession(date: .now, mode: .count, source: "camera"))
        #expect(json["exercise"] == nil && json["drawing"] == nil)
        #expect((json["throws"] as? [Any])?.isEmpty == true)
    }
}
