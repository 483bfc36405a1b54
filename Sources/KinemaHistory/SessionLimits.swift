import Kinema

enum SessionLimits {
    /// Entries of each list of events: ten hours with one every four seconds.
    static let events = 10_000
    /// Throws, whose paths are long; a long practice has some hundreds.
    static let tosses = 1_000
    /// Faults of one repetition or hold; an exercise has under ten rules.
    static let faults = 50
    /// Points of one throw's path: a flight of 4 s at 120 frames a second.
    static let path = 500
    /// Values in a session's JSON: the longest lists with a fault in every repetition.
    static let values = 500_000
    /// Bytes of a session's JSON: those values and the largest drawing.
    static let bytes = 16 << 20
    static let drawing = 4 << 20
    /// People, hands, or joints of one of them, in one frame of its poses.
    static let inFrame = 200
}

extension StoredSession {
    /// Shortens lists to the limits; whether that was needed.
    package mutating func trim() -> Bool {
        let before = sizes
        repetitions = Array(repetitions.prefix(SessionLimits.events))
        holds = Array(holds.prefix(SessionLimits.events))
        throwsMade = Array(throwsMade.prefix(SessionLimits.tosses))
        pinches = Array(pinches.prefix(SessionLimits.events))
        segments = Array(segments.prefix(SessionLimits.events))
        if throwsMade.count < before[2] { game = nil }
        if let drawing, drawing.utf8.count > SessionLimits.drawing { self.drawing = nil }
        guard sizes != before else { return false }
        count = min(count, counts?.upperBound ?? count)
        return true
    }

    private var sizes: [Int] {
        [repetitions.count, holds.count, throwsMade.count, pinches.count, segments.count, drawing == nil ? 0 : 1]
    }

    /// The possible `count` by the lists; nil in modes that do not count their events.
    private var counts: ClosedRange<Int>? {
        switch mode {
        case .count: repetitions.count...repetitions.count
        // A hold counts as one repetition, except in sessions of the first versions.
        case .coach: repetitions.count...repetitions.count + holds.count
        case .toss: throwsMade.count...throwsMade.count + repetitions.count
        case .poses, .draw, .classify: nil
        }
    }

    /// Names a list that is too long or contradicts the count.
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
