import Foundation
import KinemaMotion

/// The times at which each person was in view; measures of a repetition with a gap are not reported.
struct SeenRepetitions {
    private struct Frame: Decodable {
        struct Person: Decodable { var id: Int? }
        var time: Double
        var people: [Person]
    }

    private var times: [Double] = []
    private var timesByPerson: [Int: [Double]] = [:]
    private let gap: SightGap

    /// Reads stored poses; nil for a session without any.
    init?(_ session: StoredSession) {
        guard let poses = session.poses, !session.repetitions.isEmpty else { return nil }
        let decoder = JSONDecoder()
        for line in poses.split(separator: UInt8(ascii: "\n")) {
            guard let frame = try? decoder.decode(Frame.self, from: line) else { continue }
            times.append(frame.time)
            for id in frame.people.compactMap(\.id) { timesByPerson[id, default: []].append(frame.time) }
        }
        gap = SightGap(times)
    }

    func cover(_ one: StoredSession.Repetition) -> Bool {
        guard let last = times.last, one.end <= last + gap.longest else { return true }
        let seen = (timesByPerson[one.id] ?? []).filter { (one.start...max(one.start, one.end)).contains($0) }
        return gap.isUnbroken(seen, from: one.start, to: one.end)
    }
}

extension StoredSession {
    var isSeen: [Bool] {
        let seen = SeenRepetitions(self)
        return repetitions.map { seen?.cover($0) ?? true }
    }
}
