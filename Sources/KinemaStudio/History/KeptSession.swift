package import Foundation
internal import KinemaCore

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
        self.source = PlainText.name(source)
        self.duration = duration
    }

    /// Whether anything happened in it; what is nothing is not kept.
    package var isWorthKeeping: Bool {
        count > 0 || hasEvents || drawing != nil || hasPoses
    }

    /// The formats it is worth having in: tables and charts of what happened, the poses' own where they were kept.
    package var exports: [SessionFormat] {
        SessionFormat.allCases.filter { format in
            switch format {
            case .json: true
            case .jsonl, .csv, .svg, .png: hasEvents
            case .poseLines, .poseTable, .trc, .mot, .coco, .openpose: hasPoses
            }
        }
    }

    private var hasEvents: Bool {
        !repetitions.isEmpty || !throwsMade.isEmpty || !pinches.isEmpty || !segments.isEmpty
    }

    /// What both the database and ISO 8601 can hold, so that a date comes back as it was.
    static func wholeMilliseconds(_ date: Date) -> Date {
        Date(timeIntervalSinceReferenceDate: (date.timeIntervalSinceReferenceDate * 1000).rounded() / 1000)
    }
}
