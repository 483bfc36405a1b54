@testable import KinemaHistory
import Foundation
import Kinema
import KinemaTestSupport
import Testing

@testable import KinemaStudio

/// What is measured in a set, on figures whose angles are known.
struct SetMeasurementTests {
    /// A figure that stands sideways: trunk upright, and knee, elbow and shoulder at angles in degrees.
    private struct Figure {
        var knee = 175.0, elbow = 170.0, shoulder = 10.0
        /// How far the left side lies beside the right, as a share of the picture.
        var width = 0.0
        var id = 1

        func keypoints(hiding hidden: String? = nil) -> String {
            func direction(_ degrees: Double) -> (Double, Double) {
                (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
            }
            // Feet stand; the knee goes forward, and the thigh leads back up to the hip.
            let half = (180 - knee) / 2
            let (shank, thigh) = (direction(half), direction(-half))
            let ankle = (0.5, 0.1)
            let kneeAt = (ankle.0 + 0.2 * shank.0, ankle.1 + 0.2 * shank.1)
            let hip = (kneeAt.0 + 0.2 * thigh.0, kneeAt.1 + 0.2 * thigh.1)
            let neck = (hip.0, hip.1 + 0.25)
            let upper = direction(180 - shoulder)
            let elbowAt = (neck.0 + 0.13 * upper.0, neck.1 + 0.13 * upper.1)
            let fore = direction(180 - shoulder - (180 - elbow))
            let wrist = (elbowAt.0 + 0.12 * fore.0, elbowAt.1 + 0.12 * fore.1)
            let joints = [
                "Ankle": ankle, "Knee": kneeAt, "Hip": hip, "Shoulder": neck, "Elbow": elbowAt, "Wrist": wrist,
            ]
            return joints.flatMap { name, place in
                [("left", width), ("right", 0)].map { side, aside in
                    let sure = hidden.map { name == $0 } == true ? 0.1 : side == "left" ? 0.95 : 0.9
                    return #""\#(side)\#(name)":[\#(place.0 + aside),\#(place.1),\#(sure)]"#
                }
            }.joined(separator: ",")
        }
    }

    /// Poses at 20 frames a second.
    private func lines(seconds: Double, hiding: String? = nil, _ figure: (Double) -> Figure) -> Data {
        let all = (0..<Int(seconds * 20)).map { index in
            let (time, one) = (Double(index) / 20, figure(Double(index) / 20))
            return
                #"{"frame":\#(index),"time":\#(time),"width":400,"height":400,"people":[{"id":\#(one.id),"keypoints":{\#(one.keypoints(hiding: hiding))}}]}"#
        }
        return Data(all.map { $0 + "\n" }.joined().utf8)
    }

    /// From 0 to 1 and back in each repetition of two seconds, from the first second on.
    private func bend(_ time: Double) -> Double {
        time < 1 || time > 9 ? 0 : (1 - cos((time - 1) * .pi)) / 2
    }

    /// Repetitions of 1.6 to 2.6 s, as a person does them.
    private func uneven(_ time: Double) -> Double {
        var start = 1.0
        for length in [1.6, 2.4, 2.0, 2.6] {
            if (start..<start + length).contains(time) { return (1 - cos((time - start) / length * 2 * .pi)) / 2 }
            start += length
        }
        return 0
    }

    @Test(arguments: [-0.4, 0, 0.4]) func `two views of a set are aligned by their movement`(error: Double) throws {
        // The same heights, seen from another side.
        func body(_ time: Double, width: Double, id: Int) -> Figure {
            Figure(knee: 175 - 60 * uneven(time), shoulder: 10 + 90 * uneven(time), width: width, id: id)
        }
        let front = JointSeries(lines: lines(seconds: 11) { body($0, width: 0.15, id: 1) })
        let side = JointSeries(lines: lines(seconds: 11) { body($0 + 0.7, width: 0, id: 3) })
        // Somebody else moves at other times.
        let other = JointSeries(
            lines: lines(seconds: 11) { Figure(elbow: 170 - 80 * abs(sin(1.7 * $0 + sin(3.1 * $0)))) })
        guard let front, let side, let other else {
            Issue.record("the poses cannot be read")
            return
        }
        let (there, back) = (front.offset(of: side, near: 0.7 + error), side.offset(of: front, near: -0.7 - error))
        #expect(abs((there ?? 9) - 0.7) < 0.04 && abs((back ?? 9) + 0.7) < 0.04)
        // A file may say that a frame is of any time.
        let far = JointSeries(
            lines: lines(seconds: 0.1) { _ in Figure() }
                + Data(
                    #"{"frame":9,"time":900000000,"width":400,"height":400,"people":[{"id":1,"keypoints":{}}]}"#.utf8))
        let distant = far.flatMap { front.offset(of: $0, near: 0) }
        #expect(far?.times.last == 900_000_000 && distant == nil)
        let (foreign, nobody) = (front.offset(of: other, near: 0.7), front.offset(of: JointSeries(), near: 0.7))
        #expect(foreign == nil && nobody == nil)
    }

    private func session(_ poses: Data, mode: StoredSession.Mode = .count) -> StoredSession {
        var session = StoredSession(date: .now, mode: mode, source: "camera", duration: 12)
        session.repetitions = (0..<4).map {
            Sample.counted(number: $0 + 1, start: 1 + 2 * Double($0), end: 3 + 2 * Double($0))
        }
        session.count = 4
        session.poses = poses
        return session
    }

    private func measured(_ session: StoredSession, _ exercise: String? = nil) throws -> SetMeasurement {
        let series = try #require(session.poses.flatMap(JointSeries.init))
        return try #require(SetMeasurement(session, series, exercise.flatMap(ExerciseLibrary.exercise(named:))))
    }

    @Test func `the joint that carries the movement is measured, not the one that goes farthest`() throws {
        // The arms swing farther than the knees bend, and while nobody repeats anything they do so even more.
        let poses = lines(seconds: 12) { time in
            Figure(
                knee: 175 - 85 * bend(time), elbow: 170 - 95 * bend(time) - (time > 10 ? 40 * sin(20 * time) : 0),
                shoulder: 10 + 20 * bend(time))
        }
        let found = try measured(session(poses))
        #expect(found.joint.hasSuffix("Knee"))
        #expect(found.basis == .cycles)
        #expect(abs(try #require(found.range) - 85) < 2)
        #expect(found.repetitions.allSatisfy { $0.low ?? 0 > 85 && $0.high ?? 999 < 180 })
        // Known to be a curl, it is the elbow.
        let curl = try measured(session(poses), "bicep_curl")
        #expect(curl.joint.hasSuffix("Elbow"))
        #expect(curl.basis == .exercise)
        #expect(abs(try #require(curl.range) - 95) < 3)
    }

    @Test func `frames outside repetitions and single misread frames change nothing`() throws {
        func poses(disturbed: Bool) -> Data {
            lines(seconds: 12) { time in
                let isMisread = disturbed && abs(time - 4.35) < 0.01
                return Figure(
                    knee: isMisread ? 30 : 175 - 85 * bend(time) - (disturbed && time > 9.5 ? 60 : 0))
            }
        }
        let (plain, disturbed) = (
            try measured(session(poses(disturbed: false)), "squat"),
            try measured(session(poses(disturbed: true)), "squat")
        )
        #expect(abs(try #require(plain.range) - #require(disturbed.range)) < 1.5)
        let peaks = disturbed.repetitions.compactMap(\.peak)
        #expect(peaks.allSatisfy { $0 < 200 }, "\(peaks)")
    }

    @Test func `no angle is sharper than a joint can be, and what is not seen is not measured`() throws {
        let beyond = try measured(session(lines(seconds: 12) { Figure(knee: 175 - 172 * bend($0)) }), "squat")
        #expect(beyond.repetitions.allSatisfy { $0.low ?? 20 >= 20 && $0.range ?? 0 <= 160 })
        let hidden = try measured(
            session(lines(seconds: 12, hiding: "Knee") { Figure(knee: 175 - 85 * bend($0)) }), "squat")
        #expect(hidden.joint.hasSuffix("Knee"))
        #expect(hidden.range == nil)
        #expect(hidden.repetitions.allSatisfy { $0.range == nil && $0.peak == nil && $0.symmetry == nil })
    }

    @Test func `sides are compared where both are seen`() throws {
        let side = try measured(session(lines(seconds: 12) { Figure(knee: 175 - 85 * bend($0)) }), "squat")
        #expect(side.isFromSide)
        #expect(side.repetitions.allSatisfy { $0.symmetry == nil && $0.left == nil })
        let front = try measured(
            session(lines(seconds: 12) { Figure(knee: 175 - 85 * bend($0), width: 0.14) }), "squat")
        #expect(!front.isFromSide)
        #expect(front.repetitions.allSatisfy { $0.symmetry == 1 })
    }

    @Test func `the history keeps what was measured, and measures anew what is corrected`() async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(folder.file("history.sqlite"))
        let plain = session(lines(seconds: 12) { Figure(knee: 175 - 85 * bend($0) * ($0 < 5 ? 1 : 0.5)) })
        try await store.add(plain)
        let first = try #require(try await store.summary(plain.id)?.measured)
        #expect(first.repetitions.count == 4)
        #expect((first.best, first.weakest) == (first.best, 3) || first.weakest == 2)
        let listed = try #require(try await store.list(limit: 1).sessions.first)
        #expect(listed.outline.range == first.range)
        #expect(listed.outline.joint == first.joint)
        let kept = [CorrectedRepetition(id: 1, start: 1, end: 3), CorrectedRepetition(id: 1, start: 3, end: 5)]
        let corrected = try #require(try await store.annotate(plain.id, .corrections(kept))?.measured)
        #expect(corrected.repetitions.count == 2)
        #expect(try #require(corrected.range) > first.range ?? 0)
        #expect(try await store.list(limit: 1).sessions.first?.outline.range == corrected.range)
        // The table has the same numbers.
        let table = try #require(try await store.export(plain.id, as: .csv))
        let rows = String(decoding: table.bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        let place = try #require(rows[0].split(separator: ",").firstIndex(of: "range_degrees"))
        let told = rows.filter { $0.contains(",correction,") }.compactMap { row in
            Double(row.split(separator: ",", omittingEmptySubsequences: false)[place])
        }
        #expect(told == corrected.repetitions.compactMap(\.range))
    }
}
