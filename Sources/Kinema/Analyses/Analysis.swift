public import Foundation
package import KinemaCore
public import KinemaDraw

/// One capability of Kinema, run frame by frame: a configuration and frames in, events and a result out.
///
/// It uses no files and no clock. Give it frames from `pipeline` in time order, then call `finish()`.
public protocol Analysis: Sendable {
    /// The findings of the analysis, in the form written to files.
    associatedtype Result: AnalysisResult

    /// The pipeline that finds people and hands in the frames.
    var pipeline: PosePipeline { get }
    /// Takes the next frame and returns the events that became certain; throws `.missingComponent` without a model.
    mutating func take(_ frame: PosedFrame) throws -> [AnalysisEvent]
    /// Ends the stream and returns the remaining events.
    mutating func finish() -> [AnalysisEvent]
    /// The result so far.
    var result: Result { get }
    /// The layers to draw on the newest frame, bottom first.
    var layers: [OverlayLayer] { get }
    /// The result so far in a few words, for a progress bar.
    var summary: String { get }
    /// The seconds that a person or a hand must be in view before anything can be found.
    var neededSeconds: Double { get }
}

extension Analysis {
    /// 0: a single frame is enough.
    public var neededSeconds: Double { 0 }
}

/// An event that became certain, reported at once; one line each in JSON Lines.
public enum AnalysisEvent: Sendable, Hashable, Encodable {
    /// A repetition was counted.
    case repetition(CountedRepetition)
    /// A repetition of an exercise was completed.
    case coached(CoachedResult)
    /// The coach measured a frame.
    case coachDebug(CoachDebugFrame)
    /// The hands in a frame were analysed.
    case hands(HandFrame)
    /// A pinch ended.
    case pinch(PinchResult)
    /// A flight ended.
    case flight(FlightResult)
    /// A bean bag was thrown.
    case thrown(ThrowResult)
    /// A classifier's prediction for the most recent window.
    case prediction(PredictionResult)
    /// A segment of one action ended.
    case segment(SegmentResult)

    private enum Key: String, CodingKey {
        case repetition, pinch, segment
        case coachDebug = "debug"
        case thrown = "throw"
    }

    /// Writes the event under its name, or directly if it has its own kind of line.
    public func encode(to encoder: any Encoder) throws {
        func named(_ key: Key, _ value: some Encodable) throws {
            var values = encoder.container(keyedBy: Key.self)
            try values.encode(value, forKey: key)
        }
        switch self {
        case .repetition(let one): try named(.repetition, one)
        case .coached(let one): try named(.repetition, one)
        case .coachDebug(let frame): try named(.coachDebug, frame)
        case .hands(let frame): try frame.encode(to: encoder)
        case .pinch(let one): try named(.pinch, one)
        case .flight(let one): try one.encode(to: encoder)
        case .thrown(let one): try named(.thrown, one)
        case .prediction(let one): try one.encode(to: encoder)
        case .segment(let one): try named(.segment, one)
        }
    }

    /// The event as a line of JSON, without a line break.
    public func json() throws -> Data { try JSONEncoder.ordered.encode(self) }
}

/// A `Codable` result that can also be written as text and as a table.
public protocol AnalysisResult: Codable, Sendable {
    /// The names of the table's columns.
    static var columns: [String] { get }
    /// The table's rows, one cell per column.
    var rows: [[String]] { get }
    /// The text for people; `run` describes the input and the speed.
    func lines(_ run: AnalysisRun) -> [String]
}

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
