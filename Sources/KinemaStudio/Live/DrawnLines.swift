import Foundation
import KinemaCore
import KinemaDraw

/// The lines of a drawing as the client knows them: each with a number and a colour, and what is still to be told.
struct DrawnLines: Sendable {
    /// What makes a line the same from frame to frame: the hand and when it began.
    private struct Key: Hashable {
        var hand: Int
        var start: TimeInterval
    }

    private struct Line {
        var id: Int
        var colour: DrawingColour
        var points: [CGPoint]
        var isTold = false
    }

    private var known: [Key: Line] = [:]
    private var removed: [Int] = []
    private var next = 1
    /// Whether the client has to hear that the drawing was cleared.
    var isCleared = false

    /// As a share of the picture's shorter side.
    private static let width = AirDrawing.width

    /// Takes the drawing as it is now; new lines get the colour.
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
            known[key]?.isTold = false
        }
        for key in gone { removed += (known.removeValue(forKey: key)?.id).map { [$0] } ?? [] }
    }

    /// The colour a line was begun in.
    func colour(of stroke: Stroke) -> DrawingColour {
        Self.key(of: stroke).flatMap { known[$0]?.colour } ?? .usual
    }

    /// Writes what changed since it was written last: whole lines, and the numbers of those that went.
    mutating func write(to json: inout JSONText) {
        let changed = known.filter { !$0.value.isTold }.sorted { $0.value.id < $1.value.id }
        json.key("strokes")
        json.array { list in
            for (_, line) in changed {
                list.object { entry in
                    entry.pair("id", line.id)
                    entry.pair("colour", line.colour.hex)
                    entry.pair("width", Self.width)
                    entry.points("points", line.points)
                }
            }
        }
        json.key("removed")
        json.array { list in removed.forEach { list.integer($0) } }
        if isCleared {
            json.key("cleared")
            json.boolean(true)
        }
        for key in changed.map(\.key) { known[key]?.isTold = true }
        (removed, isCleared) = ([], false)
    }

    private static func key(of stroke: Stroke) -> Key? {
        stroke.times.first.map { Key(hand: stroke.id, start: $0) }
    }
}
