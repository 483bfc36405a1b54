import Foundation
import KinemaCore

extension SocketMessage {
    /// A JSON object; `body` writes its members.
    static func json(_ body: (inout JSONText) -> Void) -> SocketMessage {
        var json = JSONText()
        json.object(body)
        return .text(String(decoding: json.bytes, as: UTF8.self))
    }
}

extension JSONText {
    mutating func pair(_ name: String, _ value: String) {
        key(name)
        string(value)
    }

    mutating func pair(_ name: String, _ value: Int) {
        key(name)
        integer(value)
    }

    mutating func pair(_ name: String, _ value: Double, decimals: Int = 4) {
        key(name)
        number(value, decimals: decimals)
    }

    /// Null where there is no value.
    mutating func pair(_ name: String, _ value: Double?, decimals: Int = 4) {
        key(name)
        if let value { number(value, decimals: decimals) } else { null() }
    }

    /// Null where there is no value.
    mutating func pair(_ name: String, _ value: String?) {
        key(name)
        if let value { string(value) } else { null() }
    }

    /// A point as [x, y], to a ten-thousandth of the picture: a tenth of a pixel at 1000.
    mutating func point(_ point: CGPoint) {
        array { list in
            list.number(point.x, decimals: 4)
            list.number(point.y, decimals: 4)
        }
    }

    mutating func points(_ name: String, _ points: [CGPoint]) {
        key(name)
        array { list in points.forEach { list.point($0) } }
    }

    /// Anything that encodes itself as JSON.
    mutating func pair(_ name: String, encoded value: some Encodable) {
        key(name)
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = .withoutEscapingSlashes
        raw((try? encoder.encode(value)) ?? Data("null".utf8))
    }
}
