public import Foundation
package import KinemaCore

/// The input of an analysis and how it was read.
public struct AnalysisRun: Sendable, Hashable {
    /// The display name of the input; it never contains secrets.
    package var source: String
    /// The length of the analysed part, seconds.
    package var duration: TimeInterval = 0
    /// The number of analysed frames.
    package var frames = 0
    package var framesWithDetections = 0
    /// The frame counts of a live source; nil for files, which lose none.
    package var live: FrameTally?
    package var seconds: TimeInterval = 0
    /// The interpretation of a pose file's numbers; nil if the file states it.
    package var note: String?
    package var neededSeconds: Double = 0

    /// Creates a run without frames.
    public init(source: String) { self.source = source }

    /// Counts an analysed frame.
    public mutating func add(_ frame: PosedFrame, until end: TimeInterval) {
        frames += 1
        duration = end
        if !frame.poses.isEmpty || !frame.hands.isEmpty { framesWithDetections += 1 }
    }

    /// The seconds with a person or a hand in view; 0 for a single frame, which has no duration.
    var visibleSeconds: TimeInterval {
        framesWithDetections > 1 ? duration * Double(framesWithDetections) / Double(max(frames, 1)) : 0
    }

    /// Whether a person or a hand was in view, but too briefly to find anything.
    package var isTooShort: Bool { framesWithDetections > 0 && visibleSeconds < neededSeconds }

    var name: String { PlainText.oneLine(source) }

    var extent: String {
        let speed = seconds > 0 ? (Double(frames) / seconds).text(1) : "-"
        return "\(duration.text(1)) s (\(PlainText.counted(frames, "frame")), \(speed) frames/s)"
    }
}
