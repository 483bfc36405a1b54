package import Foundation

/// What the history keeps of one set, drawing or game; the wire form of Documentation/studio.md is its JSON.
package struct KeptSession: Sendable, Equatable, Identifiable {
    /// What was watched for.
    package enum Mode: String, Sendable, Codable, CaseIterable {
        case poses, count, coach, draw, toss, classify
    }

    package var id: UUID
    /// When it began, to the millisecond.
    package var date: Date
    package var mode: Mode
    /// Where the pictures came from, in words for people: "camera", a file's name; never a path.
    package var source: String
    /// Seconds.
    package var duration: Double
    /// The exercise's name, where one was coached or recognised.
    package var exercise: String?
    package var count = 0
    /// How many people were followed.
    package var people = 0
    package var repetitions: [Repetition] = []
    package var throwsMade: [Throw] = []
    package var pinches: [Pinch] = []
    package var segments: [Segment] = []
    /// The drawing as SVG.
    package var drawing: String?
    /// The poses as Kinema's JSON Lines, only when asked for; lists of sessions leave them out.
    package var poses: Data? {
        didSet { hasPoses = poses != nil }
    }
    /// Whether poses were kept, even where they are left out here.
    package internal(set) var hasPoses = false

    /// Makes a session of nothing yet from what it is known by; its length is in seconds.
    package init(id: UUID = UUID(), date: Date, mode: Mode, source: String, duration: Double = 0) {
        self.id = id
        self.date = Self.wholeMilliseconds(date)
        self.mode = mode
        self.source = source
        self.duration = duration
    }

    /// What both the database and ISO 8601 can hold, so that a date comes back as it was.
    static func wholeMilliseconds(_ date: Date) -> Date {
        Date(timeIntervalSinceReferenceDate: (date.timeIntervalSinceReferenceDate * 1000).rounded() / 1000)
    }
}
