import Foundation
import KinemaCore
import KinemaDraw

/// The lines of a drawing that the client has, each with a number and a colour, and the unsent changes.
struct DrawnLines: Sendable {
    /// The hand and the start identify a line in all frames.
    private struct Key: Hashable {
        var hand: Int
        var start: TimeInterval
    }

    private struct Line {
        var id: Int
        var colour: DrawingColour
        var points: [CGPoint]
        var isSent = false
    }

    private var known: [Key: Line] = [:]
    private var removed: [Int] = []
    private var next = 1
    /// Whether the client still has to clear its drawing.
    var isCleared = false

    /// As a share of the picture's shorter side.
    private static let width = AirDrawing.width

    mutating func update(_ strokes: [Stroke], colour: DrawingColour) {
        var gone = Set(known.keys)
        for stroke in strokes {
            guard let key = Self.key(of: stroke) else { continue }
            gone.remove(key)
            if known[key] == nil {
                known[key] = Line(id: next, colour: colour, points: [])
                next += 1
            }
            guard known[key]?.points.count != stroke.points.count else { continue }
            known[key]?.points = stroke.points
            known[key]?.isSent = false
        }
        for key in gone { removed += (known.removeValue(forKey: key)?.id).map { [$0] } ?? [] }
    }

    func colour(of stroke: Stroke) -> DrawingColour {
        Self.key(of: stroke).flatMap { known[$0]?.colour } ?? .usual
    }

    /// Writes the changes since the last call: whole lines, and the numbers of removed ones.
    mutating func write(to json: inout JSONText) {
        let changed = known.filter { !$0.value.isSent }.sorted { $0.value.id < $1.value.id }
        json.objects("strokes", changed.map(\.value)) { entry, line in
            entry.field("id", line.id)
            entry.field("colour", line.colour.hex)
            entry.field("width", Self.width, decimals: 4)
            entry.points("points", line.points)
        }
        json.array("removed") { list in removed.forEach { list.integer($0) } }
        if isCleared { json.field("cleared", true) }
        for key in changed.map(\.key) { known[key]?.isSent = true }
        (removed, isCleared) = ([], false)
    }

    private static func key(of stroke: Stroke) -> Key? {
        stroke.times.first.map { Key(hand: stroke.id, start: $0) }
    }
}

/// A line colour, only "#rrggbb" since it is written into an SVG.
struct DrawingColour: Sendable, Hashable {
    let number: UInt32

    /// Dark enough on white, and distinct from the other hand's for colour-blind people.
    static let usual = DrawingColour(number: 0x0072B2)

    var hex: String { String(format: "#%06x", number) }
}

extension DrawingColour {
    init?(_ text: String) {
        guard text.utf8.count == 7, text.hasPrefix("#"), text.dropFirst().allSatisfy({ $0.isASCII && $0.isHexDigit }),
            let number = UInt32(text.dropFirst(), radix: 16)
        else { return nil }
        self.init(number: number)
    }
}

enum DrawingCommand: Sendable, Equatable {
    case undo, clear
    case colour(DrawingColour)
}
