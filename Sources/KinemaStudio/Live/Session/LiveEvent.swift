import KinemaCore
import KinemaToss

/// Something that happened, told as soon as it is known.
enum LiveEvent: Sendable, Equatable {
    case repetition(KeptSession.Repetition, number: Int)
    case pinch(KeptSession.Pinch)
    case thrown(KeptSession.Throw)
    case segment(KeptSession.Segment)

    var text: SocketMessage {
        .json { json in
            switch self {
            case .repetition(let repetition, let number):
                json.pair("type", "repetition")
                json.pair("person", repetition.person)
                json.pair("number", number)
                json.pair("start", repetition.start)
                json.pair("end", repetition.end)
                json.pair("confidence", repetition.confidence)
                json.pair("depth", repetition.depth)
                json.pair("tempo", encoded: repetition.tempo)
                json.pair("faults", encoded: repetition.faults)
            case .pinch(let pinch):
                json.pair("type", "pinch")
                json.pair("hand", pinch.hand)
                json.pair("start", pinch.start)
                json.pair("end", pinch.end)
            case .thrown(let one):
                json.pair("type", "throw")
                // In an object of its own, since a throw has a type too.
                json.key("throw")
                json.object { $0.members(of: one) }
            case .segment(let segment):
                json.pair("type", "segment")
                json.pair("start", segment.start)
                json.pair("end", segment.end)
                json.pair("label", segment.label)
                json.pair("confidence", segment.confidence)
            }
        }
    }
}

extension JSONText {
    fileprivate mutating func members(of one: KeptSession.Throw) {
        pair("type", one.type)
        pair("speed_mps", one.speedMps, decimals: 3)
        pair("speed_mph", one.speedMps.map { $0 * TossRules.milesPerHour }, decimals: 2)
        pair("angle", one.angle, decimals: 2)
        pair("landing", one.landing)
        pair("score", one.score)
        pair("start", one.start)
        pair("end", one.end)
    }
}
