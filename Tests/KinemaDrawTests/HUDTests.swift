import Foundation
import KinemaCore
import Testing

@testable import KinemaDraw

@Suite struct HUDTests {
    let hud = HUD(count: 12, lines: ["jumping jacks", "1 person"])

    @Test(arguments: [(320, 240), (720, 1280), (3840, 2160)])
    func `count and lines cover a legible share of any picture`(width: Int, height: Int) throws {
        for shade in [UInt8(0), 255] {
            let empty = Bitmap(width: width, height: height, red: shade, green: shade, blue: shade)
            var picture = empty
            try picture.draw { hud.draw(on: $0) }
            try picture.show("hud-\(width)-\(shade)")
            let short = Double(min(width, height))
            let white = try #require(box(ofWhiteOn: shade, in: picture, columns: 0..<width / 3, rows: 0..<height / 3))
            // The digits stand about an eighth of the shorter side tall, in Cairo's own font a bit less.
            #expect(Double(white.y.count) > 0.1 * short)
            let words = try #require(
                box(ofWhiteOn: shade, in: picture, columns: 0..<width / 2, rows: height * 4 / 5..<height))
            #expect(words.y.count >= 8)
            #expect(Double(words.y.count) > 0.03 * short)
            #expect(words.x.lowerBound > 2)
            // A file's own rate says nothing about how fast it was analysed.
            let corner = try #require(picture.changes(from: empty))
            #expect(corner.x.upperBound < width * 4 / 5)
        }
    }

    @Test func `text keeps its contrast over a white picture`() throws {
        var picture = Bitmap(width: 640, height: 480, red: 255, green: 255, blue: 255)
        try picture.draw { hud.draw(on: $0) }
        let plate = picture[16, 40]
        #expect(plate.red < 90 && plate.green < 90 && plate.blue < 95)
    }

    @Test func `nothing to say draws nothing`() throws {
        let empty = Bitmap(width: 320, height: 240, red: 9, green: 99, blue: 199)
        var picture = empty
        try picture.draw { HUD().draw(on: $0) }
        #expect(picture == empty)
    }

    @Test func `a line longer than the picture is cut`() throws {
        var picture = Bitmap(width: 320, height: 240)
        try picture.draw { HUD(lines: [String(repeating: "a very long line ", count: 99)]).draw(on: $0) }
        try picture.show("hud-long")
        let found = try #require(picture.changes(from: Bitmap(width: 320, height: 240)))
        #expect(found.x.upperBound < 318)
    }

    @Test func `control characters and other scripts do not stop the drawing`() throws {
        var picture = Bitmap(width: 320, height: 240)
        try picture.draw { HUD(count: 3, lines: ["a\u{0}b\nc", "Übung 深蹲 🏋️"]).draw(on: $0) }
        #expect(picture.changes(from: Bitmap(width: 320, height: 240)) != nil)
    }

    /// The box of nearly white pixels inside the part of the plate, which is darker than the picture.
    private func box(
        ofWhiteOn shade: UInt8, in picture: Bitmap, columns: Range<Int>, rows: Range<Int>
    ) -> (x: ClosedRange<Int>, y: ClosedRange<Int>)? {
        var found: [(x: Int, y: Int)] = []
        for y in rows {
            // On white ground only what lies between plate pixels counts.
            let dark = columns.filter { picture[$0, y].red < 100 }
            guard let first = dark.first, let last = dark.last else { continue }
            for x in first...last where picture[x, y].red > 240 { found.append((x, y)) }
        }
        guard let left = found.map(\.x).min(), let right = found.map(\.x).max() else { return nil }
        guard let top = found.map(\.y).min(), let bottom = found.map(\.y).max() else { return nil }
        return (left...right, top...bottom)
    }
}
