import Foundation
import KinemaCore

enum ClientMessage: Sendable, Equatable {
    case start(StartRequest)
    case stop
    case drawing(DrawingCommand)

    /// Bytes; real messages have a few hundred.
    private static let limit = 16_384

    private struct Planned: Decodable {
        var plan: SessionPlan?
    }

    private struct Head: Decodable {
        var type: String
        var value: String?
    }

    init(_ text: String) throws(LiveProblem) {
        guard text.utf8.count <= Self.limit else {
            throw LiveProblem(.badMessage, "this message is longer than \(Self.limit) bytes; send frames as binary")
        }
        let bytes = Data(text.utf8)
        let decoder = JSONDecoder()
        guard let head = try? decoder.decode(Head.self, from: bytes) else {
            throw LiveProblem(.badMessage, "a message must be a JSON object with a type")
        }
        switch head.type {
        case "start":
            guard let planned = try? decoder.decode(Planned.self, from: bytes), planned.plan?.isValid != false else {
                throw LiveProblem(
                    .badMessage,
                    "plan needs a UUID as plan, set and sets from 1 to 100, and a target, if any, up to 1000"
                )
            }
            guard var request = try? decoder.decode(StartRequest.self, from: bytes) else {
                throw LiveProblem(.badMessage, "start needs a mode and a source, as the documentation lists them")
            }
            do { request.details = try request.details?.checked() } catch {
                throw LiveProblem(.badMessage, error.message)
            }
            self = .start(request)
        case "stop": self = .stop
        case "undo": self = .drawing(.undo)
        case "clear": self = .drawing(.clear)
        case "colour":
            guard let value = head.value, let colour = DrawingColour(value) else {
                throw LiveProblem(.badMessage, "colour needs a value such as \"#0072b2\"")
            }
            self = .drawing(.colour(colour))
        default: throw LiveProblem(.badMessage, "unknown type of message")
        }
    }
}
