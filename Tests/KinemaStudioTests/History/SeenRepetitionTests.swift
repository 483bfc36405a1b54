@testable import KinemaHistory
import Foundation
import Kinema
import KinemaTestSupport
import Testing

@testable import KinemaStudio

/// What was reported of a repetition that was not seen in part is no measurement.
struct SeenRepetitionTests {
    /// Poses at 10 frames a second, without the frames or without the person for a while.
    private func poses(seconds: Double, missing: Range<Double>, hasFrames: Bool) -> Data {
        let lines = stride(from: 0.0, to: seconds, by: 0.1).compactMap { time -> String? in
            let isMissing = missing.contains(time)
            if isMissing, !hasFrames { return nil }
            return #"{"frame":0,"time":\#(time),"people":[\#(isMissing ? "" : #"{"id":1,"keypoints":{}}"#)]}"#
        }
        return Data(lines.map { $0 + "\n" }.joined().utf8)
    }

    private func session(_ poses: Data?) -> StoredSession {
        var session = StoredSession(date: .now, mode: .coach, source: "camera", duration: 12)
        session.repetitions = [
            Sample.coached(number: 1, start: 0.5, end: 2.5), Sample.coached(number: 2, start: 3, end: 7),
            Sample.coached(number: 3, start: 8, end: 10),
        ]
        session.count = 3
        session.poses = poses
        return session
    }

    @Test(arguments: [true, false]) func `a gap within a repetition leaves its measures out`(hasFrames: Bool) throws {
        let gone = session(poses(seconds: 12, missing: 4..<6.1, hasFrames: hasFrames))
        #expect(gone.isSeen == [true, false, true])
        let rows = SessionEvents(session: gone).table().split(separator: "\r\n").flatMap { $0.split(separator: "\n") }
        let head = rows[0].split(separator: ",", omittingEmptySubsequences: false)
        for (row, isSeen) in zip(rows.dropFirst(), gone.isSeen) {
            let cells = row.split(separator: ",", omittingEmptySubsequences: false)
            for name in ["depth", "eccentric", "pause", "concentric"] {
                let place = try #require(head.firstIndex { $0 == name })
                #expect(cells[place].isEmpty != isSeen, "\(name) of \(row)")
            }
        }
        #expect(try !SessionChart(gone).svg().isEmpty)
    }

    @Test func `a short gap, and poses that were not kept to the end, leave nothing out`() {
        #expect(session(poses(seconds: 12, missing: 4..<4.3, hasFrames: false)).isSeen == [true, true, true])
        #expect(session(poses(seconds: 2.6, missing: 99..<99, hasFrames: true)).isSeen == [true, true, true])
        #expect(session(nil).isSeen == [true, true, true])
    }

    @Test func `frames that come slowly are no gaps`() {
        let lines = (0..<12).map { #"{"frame":0,"time":\#($0),"people":[{"id":1,"keypoints":{}}]}"# + "\n" }
        #expect(session(Data(lines.joined().utf8)).isSeen == [true, true, true])
    }
}
