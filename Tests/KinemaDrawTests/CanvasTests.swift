import Foundation
import KinemaCore
import KinemaDraw
import Testing

@Suite struct CanvasTests {
    @Test func `colours land in the right channels and rows count from the top`() throws {
        var picture = Bitmap(width: 40, height: 30)
        try picture.draw { canvas in
            canvas.fill(CGRect(x: 0, y: 0, width: 40, height: 10), color: Color(hex: 0xFF8040))
            canvas.disc(at: CGPoint(x: 20, y: 20), radius: 5, color: Color(hex: 0x00FF00))
        }
        #expect(picture[20, 5] == (255, 128, 64))
        #expect(picture[20, 20] == (0, 255, 0))
        #expect(picture[2, 28] == (0, 0, 0))
    }

    @Test func `strokes are as wide as asked`() throws {
        var picture = Bitmap(width: 40, height: 40)
        try picture.draw { canvas in
            canvas.stroke([CGPoint(x: 0, y: 20), CGPoint(x: 40, y: 20)], color: .white, width: 8)
        }
        #expect((0..<40).count { picture[20, $0].red > 128 } == 8)
    }

    @Test func `half transparent ink mixes with the picture`() throws {
        var picture = Bitmap(width: 8, height: 8, red: 200, green: 200, blue: 200)
        try picture.draw { $0.fill(CGRect(x: 0, y: 0, width: 8, height: 8), color: .black.faded(to: 0.5)) }
        #expect((99...101).contains(Int(picture[4, 4].red)))
    }

    @Test(arguments: [Double.nan, .infinity, 1e30, -1e30]) func `points beyond reason are left out`(value: Double)
        throws
    {
        var picture = Bitmap(width: 16, height: 16)
        let far = CGPoint(x: value, y: value)
        try picture.draw { canvas in
            canvas.stroke([far, far], color: .white, width: 3)
            canvas.fill([far, far, far], color: .white)
            canvas.disc(at: far, radius: 4, color: .white)
            canvas.circle(at: far, radius: 4, color: .white, width: 2)
            canvas.fill(CGRect(x: value, y: value, width: 10, height: 10), color: .white)
            canvas.text("x", at: far, size: 12, color: .white)
        }
        #expect(picture == Bitmap(width: 16, height: 16))
    }

    @Test func `a PNG has its signature and size`() throws {
        let png = try Bitmap(width: 300, height: 7, red: 1, green: 2, blue: 3).png()
        #expect(Array(png.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        // Width and height stand big-endian in the header chunk.
        #expect(Array(png[16..<24]) == [0, 0, 1, 44, 0, 0, 0, 7])
    }

    @Test func `an SVG holds what was drawn`() throws {
        let svg = try Canvas.svg(width: 100, height: 50) { canvas in
            canvas.stroke([CGPoint(x: 0, y: 0), CGPoint(x: 100, y: 50)], color: Color(hex: 0xFF0000), width: 2)
        }
        let text = try #require(String(bytes: svg, encoding: .utf8))
        #expect(text.contains("<svg") && text.contains("</svg>"))
        // Cairo versions differ in the spaces.
        #expect(text.filter { $0 != " " }.contains("rgb(100%,0%,0%)"))
    }

    @Test func `an unwritable path is said so`() throws {
        let error = try #require(throws: KinemaError.self) {
            try Bitmap(width: 2, height: 2).writePNG(to: URL(fileURLWithPath: "/nowhere/at/all.png"))
        }
        #expect(error.code == .unwritableOutput)
        #expect(error.file == "/nowhere/at/all.png")
    }
}
