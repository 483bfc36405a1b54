import Foundation
import KinemaCore
import Testing

@testable import KinemaStudio

struct DrawnLinesTests {
    private func stroke(_ id: Int, start: Double, points: Int) -> Stroke {
        var stroke = Stroke(id: id, hand: .right)
        for index in 0..<points { stroke.append(CGPoint(x: 0.1 * Double(index), y: 0.5), at: start + Double(index)) }
        return stroke
    }

    private func told(_ lines: inout DrawnLines) throws -> [String: Any] {
        var json = JSONText()
        json.object { lines.write(to: &$0) }
        return try #require(JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any])
    }

    @Test func onlyWhatChangedIsTold() throws {
        let red = try #require(DrawingColour("#ff0000"))
        var lines = DrawnLines()
        lines.update([stroke(1, start: 0, points: 2)], colour: .usual)
        var message = try told(&lines)
        #expect((message["strokes"] as? [[String: Any]])?.count == 1)
        lines.update([stroke(1, start: 0, points: 2), stroke(1, start: 9, points: 1)], colour: red)
        message = try told(&lines)
        let strokes = try #require(message["strokes"] as? [[String: Any]])
        #expect(strokes.map { $0["id"] as? Int } == [2])
        #expect(strokes.first?["colour"] as? String == "#ff0000")
        // Undone.
        lines.update([stroke(1, start: 0, points: 2)], colour: red)
        message = try told(&lines)
        #expect(message["removed"] as? [Int] == [2])
        #expect((message["strokes"] as? [Any])?.isEmpty == true)
        #expect(message["cleared"] == nil)
    }

    @Test(arguments: ["", "red", "#ff00", "#ff00001", "#gg0000", "ff0000", "#ff000\u{FF10}", "\"><b"])
    func whatIsNoColourIsRefused(_ text: String) { #expect(DrawingColour(text) == nil) }
}
