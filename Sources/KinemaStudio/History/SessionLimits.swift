import Kinema

/// How much one session of the history may hold, made here or imported.
enum SessionLimits {
    /// Entries of each list: repetitions, holds, throws, pinches, segments, corrections; ten hours of one every four
    /// seconds.
    static let events = 10_000
    /// Throws, whose paths are long; the longest practice has some hundreds.
    static let tosses = 1_000
    /// Faults of one repetition or hold; the exercises of the library have under ten rules each.
    static let faults = 50
    /// Points of one throw's path: a flight of 4 s at 120 frames a second.
    static let path = 500
    /// Values in a session's JSON: the longest lists with a fault in every repetition.
    static let values = 500_000
    /// Bytes of a session's JSON: those values and the largest drawing.
    static let bytes = 16 << 20
    /// Bytes of a drawing as SVG.
    static let drawing = 4 << 20
    /// People, hands, or joints of one of them, in one frame of its poses.
    static let inFrame = 200
}

extension StoredSession {
    /// Drops what is beyond the limits, from the end of each list; whether there was any.
    mutating func trim() -> Bool {
        let before = (repetitions.count, holds.count, throwsMade.count, pinches.count, segments.count, drawing == nil)
        let counted = count
        repetitions = Array(repetitions.prefix(SessionLimits.events))
        holds = Array(holds.prefix(SessionLimits.events))
        throwsMade = Array(throwsMade.prefix(SessionLimits.tosses))
        pinches = Array(pinches.prefix(SessionLimits.events))
        segments = Array(segments.prefix(SessionLimits.events))
        // Its averages are those of all throws.
        if throwsMade.count < before.2 { game = nil }
        if let drawing, drawing.utf8.count > SessionLimits.drawing { self.drawing = nil }
        let after = (repetitions.count, holds.count, throwsMade.count, pinches.count, segments.count, drawing == nil)
        guard before != after else { return false }
        count = min(counted, counts?.upperBound ?? counted)
        return true
    }

    /// What `count` can be by the lists; nil in the modes that do not count what is listed.
    private var counts: ClosedRange<Int>? {
        switch mode {
        case .count: repetitions.count...repetitions.count
        // A hold counts as one repetition, but in sessions of the first versions.
        case .coach: repetitions.count...repetitions.count + holds.count
        // A game may list repetitions too.
        case .toss: throwsMade.count...throwsMade.count + repetitions.count
        case .poses, .draw, .classify: nil
        }
    }

    /// The list that is too long, or does not agree with the count; nil if there is none.
    var listFault: String? {
        let faults = repetitions.map(\.faults.count) + holds.map(\.faults.count)
        let lists: [(name: String, count: Int, limit: Int)] = [
            ("repetitions", repetitions.count, SessionLimits.events),
            ("holds", holds.count, SessionLimits.events),
            ("throws", throwsMade.count, SessionLimits.tosses),
            ("pinches", pinches.count, SessionLimits.events),
            ("segments", segments.count, SessionLimits.events),
            ("faults", faults.max() ?? 0, SessionLimits.faults),
            ("points of a path", throwsMade.map(\.path.count).max() ?? 0, SessionLimits.path),
        ]
        if let one = lists.first(where: { $0.count > $0.limit }) {
            return "has \(one.count) \(one.name); at most \(one.limit) are kept"
        }
        if let counts, !counts.contains(count) { return "counts \(count), but lists \(counts.upperBound)" }
        let score = throwsMade.reduce(0) { $0 &+ $1.score }
        if let game, game.total != score { return "has a game of \(game.total) points, but throws of \(score)" }
        return hasPlainGeometry ? nil : "has a point or a box of too many numbers"
    }

    private var hasPlainGeometry: Bool {
        let boards = throwsMade.allSatisfy { $0.point.count <= 2 && $0.path.allSatisfy { $0.count == 3 } }
        guard boards, let game else { return boards }
        var pairs: [[Double]] = (game.board?.corners ?? []) + (game.line?.ends ?? [])
        if let hole = game.board?.hole { pairs.append(hole) }
        return pairs.count <= 7 && pairs.allSatisfy { $0.count == 2 } && (game.board?.box.count ?? 4) == 4
    }
}
