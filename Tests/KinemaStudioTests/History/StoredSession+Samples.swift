@testable import KinemaHistory
import Foundation
import GRDB
import Kinema

@testable import KinemaStudio

/// The analyses' own results, written as the command writes them.
enum Sample {
    static func decode<Value: Decodable>(_ json: String) -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(json.utf8))
        } catch {
            preconditionFailure("\(error) in \(json)")
        }
    }

    static func counted(person: Int = 1, number: Int = 1, start: Double, end: Double) -> StoredSession.Repetition {
        decode(
            """
            {"id":\(person),"number":\(number),"start":\(start),"end":\(end),"confidence":0.875,"known":\(end),"delay":0}
            """)
    }

    static func coached(number: Int, start: Double, end: Double, faults: String = "") -> StoredSession.Repetition {
        decode(
            """
            {"id":1,"exercise":"squat","number":\(number),"start":\(start),"end":\(end),"depth":1.1,
            "tempo":{"eccentric":0.5,"pause":0.25,"concentric":0.5},"symmetry":0.9,"side":null,"faults":[\(faults)]}
            """)
    }

    static func fault(_ code: String, joint: String = "null") -> String {
        """
        {"code":"\(code)","joint":\(joint),"phase":"down","measured":12.5,"expected":5,"tolerance":2,"unit":"degrees"}
        """
    }

    static func segment(_ label: String?, start: Double = 0, end: Double = 9) -> SegmentResult {
        var segment: SegmentResult = decode(#"{"start":\#(start),"end":\#(end),"label":null,"confidence":0.5}"#)
        segment.label = label
        return segment
    }

    static let throwsMade: [ThrowResult] = decode(
        """
        [{"number":1,"type":"underhand","speed_mps":8.94,"speed_mph":20,"angle":31,"arm_angle":null,"score":3,
        "landing":"hole","start":4,"end":5,"point":[0.5,0.25],"path":[[4,0.25,0.5],[5,0.5,0.25]]},
        {"number":2,"type":"none","speed_mps":0,"speed_mph":0,"angle":0,"arm_angle":12.5,"score":0,
        "landing":"off","start":6,"end":7,"point":[0.5,0.25],"path":[]}]
        """)

    static let game: TossSummary = decode(
        """
        {"board":{"box":[0.7,0.2,0.2,0.1],"corners":[[0.7,0.2],[0.9,0.2],[0.9,0.3],[0.7,0.3]],"hole":null,
        "confidence":0.9},"line":{"distance_m":7.62,"distance_ft":25,"ends":[[0.1,0.1],[0.1,0.3]]},"aspect_ratio":1.5,
        "total":3,"average_speed_mps":8.94,"average_speed_mph":20,"average_angle":31,"average_arm_angle":12.5,
        "average_distance_m":7,"average_distance_ft":23,"top_speed_mps":8.94,"top_speed_mph":20}
        """)
}

extension StoredSession {
    /// A session with something in every field.
    static func everything(_ date: Date = Date(timeIntervalSince1970: 1_000_000.125)) -> StoredSession {
        var session = StoredSession(date: date, mode: .coach, source: "camera; \"front\"", duration: 31.5)
        session.exercise = "squat"
        session.count = 2
        session.people = 1
        session.view = SessionView(of: UUID(), offset: -0.25)
        session.repetitions = [
            Sample.coached(
                number: 1, start: 0.5, end: 1.75,
                faults: Sample.fault("knees_in", joint: "\"leftKnee\"") + "," + Sample.fault("bare")),
            Sample.counted(number: 2, start: 2, end: 3),
        ]
        session.holds = Sample.decode(#"[{"id":1,"start":10,"end":20,"faults":[]}]"#)
        session.throwsMade = Sample.throwsMade
        session.game = Sample.game
        session.pinches = Sample.decode(#"[{"id":1,"hand":"left","start":1,"end":2}]"#)
        session.segments = [Sample.segment("jumping, \"high\"")]
        session.corrections = [CorrectedRepetition(id: 1, start: 0.5, end: 1.75)]
        session.marks = [SessionMark(start: 0.25, end: 4, label: "squat, \"deep\"", id: 1)]
        session.note = "felt easy\nsecond line"
        session.plan = SessionPlan(plan: "2b1e3c9c-7f0b-4e6b-9c1d-0a4f4b6d1e11", set: 1, sets: 2, target: 10)
        session.details = Sample.decode(
            """
            {"name":"Goblet squat","person":"Ada","load":{"value":12.5,"unit":"kg"},"effort":7.5,"pain":0,
            "workout":"2B1E3C9C-7F0B-4E6B-9C1D-0A4F4B6D1E11"}
            """)
        session.turn = TurnSkeleton(shape: 1.778, keypoints: ["leftHip": [0.5, 0.4], "leftKnee": [0.5, 0.25]])
        session.drawing = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"
        return session
    }
}

extension HistoryStore {
    /// The sessions in a range of time, newest first, without poses.
    func sessions(
        mode: StoredSession.Mode? = nil, from: Date? = nil, to: Date? = nil, limit: Int? = nil
    ) async throws(KinemaError) -> [StoredSession] {
        let choice = SessionRows.Choice(mode: mode, from: from, to: to, limit: limit)
        return try await perform { db in
            try SessionRows.ids(choice, from: db).compactMap { try SessionRows.session($0, from: db) }
        }
    }
}
