package import Foundation

/// What the history keeps of one set, drawing or game; the wire form of Documentation/studio.md is its JSON.
package struct KeptSession: Sendable, Equatable, Codable, Identifiable {
    /// What was watched for.
    package enum Mode: String, Sendable, Codable, CaseIterable {
        case poses, count, coach, draw, toss, classify
    }

    /// A fault of form in a repetition.
    package struct Fault: Sendable, Equatable, Codable {
        package var code: String
        package var title: String
        package var joint: String?
        package var phase: String?
        package var measured: Double?
        package var expected: Double?
    }

    /// How long the parts of a repetition took, seconds.
    package struct Tempo: Sendable, Equatable, Codable {
        package var out: Double
        package var hold: Double
        package var back: Double
    }

    /// One repetition; times are seconds from the session's first frame.
    package struct Repetition: Sendable, Equatable, Codable {
        package var person: Int
        package var start: Double
        package var end: Double
        package var confidence: Double?
        /// Range of motion as the exercise measures it, degrees or body lengths.
        package var depth: Double?
        package var tempo: Tempo?
        package var faults: [Fault] = []
    }

    /// One throw of a bean bag.
    package struct Throw: Sendable, Equatable, Codable {
        package var type: String
        package var speedMps: Double?
        package var angle: Double?
        package var landing: String
        package var score: Int
        package var start: Double
        package var end: Double
    }

    /// One pinch.
    package struct Pinch: Sendable, Equatable, Codable {
        package var hand: String
        package var start: Double
        package var end: Double
    }

    /// A stretch of time with one action.
    package struct Segment: Sendable, Equatable, Codable {
        package var start: Double
        package var end: Double
        package var label: String
        package var confidence: Double
    }

    package var id: UUID
    /// When it began.
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
    /// The poses as Kinema's JSON Lines, only when asked for.
    package var poses: Data?
}
