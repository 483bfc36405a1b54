import Foundation
import KinemaCore
import Testing

@testable import KinemaDraw

/// Whatever is written on a plate lies within it, and the plate within the picture.
@Suite struct PlateTests {
    /// Landscape, square and portrait.
    static let sizes = [(640, 360), (1280, 720), (480, 480), (360, 640)]

    static let names = ["-", "Overhand", "Underhand", "Sidearm", "None", "Thrown with both hands from behind the back"]

    private func dashboard(_ type: String, speed: Double? = 14.2, most: Int = 8) -> TossOverlay.Dashboard {
        (
            speed: speed, angle: 41, type: type, typeConfidence: type == "-" ? nil : 1, distance: 24.6, score: 12,
            throwCount: 8, maxThrows: most
        )
    }

    private func toss(_ dashboard: TossOverlay.Dashboard, notice: String = "") -> TossOverlay {
        TossOverlay(board: [], hole: nil, path: [], dashboard: dashboard, notice: notice)
    }

    /// The boxes of the plate, which is darker than the grey ground, and of the letters, which are brighter, among the
    /// pixels that `draw` changes.
    private func boxes(_ ground: Bitmap, draw: (Canvas) -> Void) throws -> (plate: CGRect, letters: CGRect) {
        var picture = ground
        try picture.draw { draw($0) }
        var (plate, letters) = (CGRect.null, CGRect.null)
        for y in 0..<ground.height {
            for x in 0..<ground.width where picture[x, y] != ground[x, y] {
                let pixel = CGRect(x: x, y: y, width: 1, height: 1)
                let green = picture[x, y].green
                if green < 90 { plate = plate.union(pixel) }
                if green > 160 { letters = letters.union(pixel) }
            }
        }
        return (plate, letters)
    }

    private func expectInside(
        _ name: String, _ size: (Int, Int), sourceLocation: SourceLocation = #_sourceLocation,
        draw: (Canvas) -> Void
    ) throws {
        let ground = Bitmap(width: size.0, height: size.1, red: 128, green: 128, blue: 128)
        let (plate, letters) = try boxes(ground, draw: draw)
        let unit = Double(min(size.0, size.1)) / 20
        #expect(!letters.isNull, "\(name)", sourceLocation: sourceLocation)
        #expect(
            letters.minX >= plate.minX + unit * 0.2 && letters.maxX <= plate.maxX - unit * 0.2
                && letters.minY >= plate.minY + unit * 0.1 && letters.maxY <= plate.maxY - unit * 0.1,
            "\(name) \(size): \(letters) in \(plate)", sourceLocation: sourceLocation)
        #expect(
            plate.minX > 0 && plate.minY > 0 && plate.maxX < Double(size.0) && plate.maxY < Double(size.1),
            "\(name) \(size): \(plate)", sourceLocation: sourceLocation)
    }

    @Test(arguments: sizes)
    func `the dashboard of a game holds every style's name`(width: Int, height: Int) throws {
        for name in Self.names {
            try expectInside(name, (width, height)) { toss(dashboard(name)).draw(on: $0) }
        }
        try expectInside("fast", (width, height)) { toss(dashboard("None", speed: 1234.5, most: .max)).draw(on: $0) }
        var picture = Bitmap(width: width, height: height, red: 128, green: 128, blue: 128)
        try picture.draw { toss(dashboard("Overhand"), notice: "Stand behind the line").draw(on: $0) }
        try picture.show("toss-\(width)x\(height)")
    }

    @Test(arguments: sizes)
    func `a notice covers neither the dashboard nor leaves the picture`(width: Int, height: Int) throws {
        let grey = Bitmap(width: width, height: height, red: 128, green: 128, blue: 128)
        var plain = grey
        try plain.draw { toss(dashboard("Overhand")).draw(on: $0) }
        let taken = try #require(plain.changes(from: grey))
        for notice in ["Go", "Bring the board into the box", String(repeating: "much too long ", count: 20)] {
            var noted = grey
            try noted.draw { toss(dashboard("Overhand"), notice: notice).draw(on: $0) }
            let box = try #require(noted.changes(from: plain))
            let isApart = box.x.lowerBound > taken.x.upperBound || box.y.lowerBound > taken.y.upperBound
            #expect(isApart && box.x.lowerBound > 0 && box.x.upperBound < width - 1, "\(notice): \(box) \(taken)")
        }
    }

    @Test(arguments: sizes)
    func `the summary of a game holds its figures`(width: Int, height: Int) throws {
        let figures = [
            ("average speed", "17.3 mph (7.73 m/s)"), ("top speed", "118.2 mph (52.84 m/s)"),
            ("release angle", "41\u{B0}"), ("distance", "124.6 ft (37.98 m)"),
        ]
        let ground = Bitmap(width: width, height: height, red: 128, green: 128, blue: 128)
        var overlay = toss(dashboard("-"))
        var before = ground
        try before.draw { overlay.draw(on: $0) }
        overlay.summary = ([], figures)
        var after = ground
        try after.draw { overlay.draw(on: $0) }
        let box = try #require(after.changes(from: before))
        #expect(box.x.lowerBound > 0 && box.x.upperBound < width - 1, "\(box)")
        // The letters lie inside: the outermost columns of what changed are the plate alone.
        let margin = Int(0.3 * Double(min(width, height)) / 20)
        for y in box.y {
            for x in [box.x.lowerBound + margin, box.x.upperBound - margin] {
                #expect(after[x, y].green < 130, "\(x) \(y)")
            }
        }
    }

    @Test(arguments: sizes)
    func `counts, lines and numbers lie on their plates`(width: Int, height: Int) throws {
        let size = (width, height)
        for count in [0, 7, 88, 1234, 12_345_678] {
            try expectInside("\(count)", size) { HUD(count: count, one: "repetition").draw(on: $0) }
        }
        let many = (1...40).map { "person \($0) does jumping jacks and \(String(repeating: "more ", count: $0))" }
        for lines in [["one"], Array(many.prefix(3)), many] {
            try expectInside("\(lines.count) lines", size) { HUD(lines: lines).draw(on: $0) }
        }
    }
}
