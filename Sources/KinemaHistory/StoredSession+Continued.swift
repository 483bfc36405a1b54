import Foundation
import Kinema

/// One set whose connection was lost: two sessions of the service, one in the history.
extension StoredSession {
    /// This stored session and another part of its set as one, in order of time.
    package func joined(with part: StoredSession) -> StoredSession {
        var whole = part.date < date ? part.continued(by: self) : continued(by: part)
        (whole.note, whole.details, whole.video) = (note, details, video)
        return whole
    }

    /// This session and the next as one, with a gap between them.
    private func continued(by next: StoredSession) -> StoredSession {
        let offset = max(duration, next.date.timeIntervalSince(date))
        var whole = self
        whole.duration = offset + next.duration
        whole.count += next.count
        whole.people = max(people, next.people)
        whole.exercise = exercise ?? next.exercise
        let before = Dictionary(grouping: repetitions, by: \.id).mapValues(\.count)
        whole.repetitions += next.repetitions.map { $0.moved(by: offset, number: before[$0.id] ?? 0) }
        whole.holds += next.holds.map { hold in
            Hold(id: hold.id, start: hold.start + offset, end: hold.end + offset, faults: hold.faults)
        }
        whole.marks += next.marks.map { mark in
            SessionMark(start: mark.start + offset, end: mark.end + offset, label: mark.label, id: mark.id)
        }
        if corrections != nil || next.corrections != nil {
            // If only one part was corrected, the other is correct as detected.
            let corrected = trueRepetitions.map { CorrectedRepetition(id: $0.id, start: $0.start, end: $0.end) }
            let later = next.trueRepetitions.map { one in
                CorrectedRepetition(id: one.id, start: one.start + offset, end: one.end + offset)
            }
            whole.corrections = corrected + later
        }
        if let lines = next.poses {
            var all = poses ?? Data()
            Self.append(lines, movedBy: offset, to: &all)
            whole.poses = all
        }
        return whole
    }
}

extension StoredSession.Repetition {
    fileprivate func moved(by offset: Double, number: Int) -> StoredSession.Repetition {
        switch self {
        case .counted(var one):
            one.start += offset
            one.end += offset
            one.known += offset
            one.number += number
            return .counted(one)
        case .coached(var one):
            one.start += offset
            one.end += offset
            one.number += number
            return .coached(one)
        }
    }
}

extension StoredSession {
    /// Bytes of poses: about ten minutes of one person at 30 frames a second, 4 KB each.
    package static let posesLimit = 64 << 20

    private struct Head: Decodable {
        var frame: Int
        var time: Double
    }

    /// Appends another recording with later times while there is room.
    private static func append(_ lines: Data, movedBy offset: Double, to all: inout Data) {
        let frames = all.count { $0 == UInt8(ascii: "\n") }
        let decoder = JSONDecoder()
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            guard all.count < posesLimit, let people = line.range(of: Data(#","people":"#.utf8)),
                let head = try? decoder.decode(Head.self, from: line[..<people.lowerBound] + Data("}".utf8))
            else { continue }
            var json = JSONText()
            json.number(head.time + offset, decimals: 6)
            all += Data(#"{"frame":\#(head.frame + frames),"time":"#.utf8) + Data(json.bytes)
            all += line[people.lowerBound...] + Data("\n".utf8)
        }
    }
}
