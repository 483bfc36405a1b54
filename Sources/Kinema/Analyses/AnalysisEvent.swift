public import Foundation
import KinemaCore

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
