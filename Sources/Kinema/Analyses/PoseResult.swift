import Foundation
import KinemaCore

/// Everyone who was detected, and for how long.
public struct PoseResult: AnalysisResult, Hashable {
    /// One person or hand.
    public struct Sighting: Codable, Sendable, Hashable {
        /// Its number.
        public var id: Int
        /// For a hand, left or right.
        public var hand: String?
        /// The number of frames in which it was detected.
        public var frames: Int
        /// The times of the first and last detection, seconds.
        public var start: Double, end: Double
        /// The mean confidence, 0...1.
        public var confidence: Double
    }

    /// Everyone detected, by number.
    public var people: [Sighting]
    /// The detected hands, by number.
    public var hands: [Sighting]

    /// One row per person or hand.
    public static var columns: [String] { ["kind", "id", "hand", "frames", "start", "end", "confidence"] }

    /// The people, then the hands.
    public var rows: [[String]] {
        [("person", people), ("hand", hands)].flatMap { kind, all in
            all.map {
                [kind, "\($0.id)", $0.hand ?? "", "\($0.frames)", "\($0.start)", "\($0.end)", "\($0.confidence)"]
            }
        }
    }

    /// The input, then everyone.
    public func lines(_ run: AnalysisRun) -> [String] {
        func line(_ name: String, _ one: Sighting) -> String {
            "\(name): \(PlainText.counted(one.frames, "frame")) from \(one.start.text(1)) to \(one.end.text(1)) s, "
                + "confidence \((100 * one.confidence).text(1)) %"
        }
        let speed = run.seconds > 0 ? (Double(run.frames) / run.seconds).text(1) : "-"
        return ["\(run.name): \(run.duration.text(1)) s, \(PlainText.counted(run.frames, "frame")), \(speed) frames/s"]
            + (run.framesWithDetections == 0 ? ["no person found"] : []) + people.map { line("person \($0.id)", $0) }
            + hands.map { line("hand \($0.id)" + ($0.hand.map { ", \($0)" } ?? ""), $0) }
    }
}
