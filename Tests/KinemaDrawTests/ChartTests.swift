import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

@testable import KinemaDraw

@Suite struct ChartTests {
    /// Three repetitions of 2 s from 1 s on, a second unseen, then stillness to 10 s; 30 samples a second.
    static let signal = RepetitionSignal(
        id: 0,
        samples: (0...300).map { index in
            let time = Double(index) / 30
            let way = (1...7).contains(time) ? 0.5 - 0.5 * cos(.pi * (time - 1)) : 0
            return .init(time: time, value: (8...9).contains(time) ? nil : way)
        }, repetitions: [1...3, 3...5, 5...7])

    @Test func `the last seconds keep the numbers of their repetitions`() {
        let last = Self.signal.last(6)
        #expect(last.samples.first.map { abs($0.time - 4) < 1e-9 } == true)
        #expect(last.repetitions == [3...5, 5...7] && last.repetitionsBefore == 1)
        #expect(Self.signal.last(100) == Self.signal)
    }

    @Test func `a person who is not seen leaves a hole in the line`() throws {
        #expect(Self.signal.runs.count == 2)
        let hole = try #require(Self.signal.absences.first)
        #expect(Self.signal.absences.count == 1)
        #expect(abs(hole.lowerBound - 8) < 0.05 && abs(hole.upperBound - 9) < 0.05)
    }

    @Test(arguments: [(1.0, "start"), (1.5, "out"), (2.05, "turn"), (2.5, "back"), (8.5, "not seen"), (0.5, "start")])
    func `the phase is read from the signal`(time: Double, phase: String) {
        var signal = Self.signal
        signal.samples.removeAll { $0.time > time + 1e-9 }
        // At the turn the last 0.15 s went 5 % of the way at most.
        #expect(signal.phase?.rawValue == phase)
    }

    @Test func `ticks are round numbers that lie in the range`() {
        let scale = ChartScale(range: 0...13.4, from: 0, to: 100)
        #expect(scale.ticks(atMost: 8).values == [0, 2, 4, 6, 8, 10, 12])
        #expect(
            ChartScale(range: -0.1...1.3, from: 0, to: 1).ticks(atMost: 5).values.map { ($0 * 10).rounded() } == [
                0, 5, 10,
            ])
        #expect(ChartScale.label(0.5, step: 0.5) == "0.5" && ChartScale.label(12, step: 2) == "12")
    }

    @Test(arguments: [
        0...1e308, 1e18...1e18 + 1000, -1e308...0, 0...Double.leastNonzeroMagnitude, 1e17...1e17 + 16,
        0...Double.infinity, 1e300...1e301,
    ])
    func `an axis of any numbers has no more ticks than asked for`(range: ClosedRange<Double>) {
        #expect(ChartScale(range: range, from: 0, to: 100).ticks(atMost: 5).values.count <= 6)
    }

    @Test func `the chart shows bands the line and the hole`() throws {
        let chart = RepetitionChart(title: "clip.mp4", signals: [Self.signal], duration: 10)
        var bitmap = Bitmap(width: 1200, height: Int(chart.height))
        try bitmap.draw { chart.draw(on: $0) }
        try bitmap.show("chart")
        let time = ChartScale(range: 0...10, from: 70, to: 1176)
        func column(_ seconds: Double) -> [(red: UInt8, green: UInt8, blue: UInt8)] {
            (80..<262).map { bitmap[Int(time.pixel(seconds)), $0] }
        }
        let line = Color.chart(0)
        func isLine(_ pixel: (red: UInt8, green: UInt8, blue: UInt8)) -> Bool {
            abs(Double(pixel.red) - line.red * 255) < 40 && abs(Double(pixel.blue) - line.blue * 255) < 40
        }
        // The line is low where a repetition begins and high where it turns.
        let low = try #require(column(0.5).firstIndex(where: isLine))
        let high = try #require(column(2.02).lastIndex(where: isLine))
        #expect(low - high > 90)
        // A repetition is tinted, stillness is white, where nobody is seen there is grey and no line.
        let (tinted, still, hole) = (column(1.3)[40], column(7.5)[40], column(8.5))
        #expect(tinted.blue > tinted.red + 15)
        #expect(still.red == 255 && still.blue == 255)
        #expect(!hole.contains(where: isLine) && hole[40].red < 245 && hole[40].red > 225)
    }

    @Test func `a chart of nobody and a chart of an hour are drawn too`() throws {
        let empty = RepetitionChart(title: "", signals: [], duration: 0)
        #expect(try Canvas.svg(width: 1200, height: empty.height) { empty.draw(on: $0) }.count > 500)
        let long = RepetitionSignal(
            id: -3, samples: (0..<108_000).map { .init(time: Double($0) / 30, value: sin(Double($0))) })
        let chart = RepetitionChart(title: String(repeating: "x", count: 400), signals: [long], duration: 3600)
        let file = try Canvas.svg(width: 1200, height: chart.height) { chart.draw(on: $0) }
        #expect(file.count < 400_000)
    }

    @Test func `the file says its format and others are refused`() throws {
        let folder = try TemporaryFolder()
        let chart = RepetitionChart(title: "clip.mp4", signals: [Self.signal], duration: 10)
        try chart.write(to: folder.file("a.svg"))
        try chart.write(to: folder.file("a.PNG"))
        #expect(try String(contentsOf: folder.file("a.svg"), encoding: .utf8).contains("<svg"))
        #expect(try Data(contentsOf: folder.file("a.PNG")).prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
        #expect(throws: KinemaError.self) { try chart.write(to: folder.file("a.pdf")) }
    }

    @Test(arguments: [(320, 240), (720, 1280), (3840, 2160)])
    func `the strip reads at any size and leaves the upper picture alone`(width: Int, height: Int) throws {
        let empty = Bitmap(width: width, height: height, red: 200, green: 200, blue: 200)
        var picture = empty
        var signal = Self.signal
        signal.samples.removeAll { $0.time > 7.5 }
        let strip = StripChart(signals: [signal.last(8)], now: 7.5)
        try picture.draw { strip.draw(on: $0) }
        try picture.show("strip-\(width)")
        let short = min(width, height)
        let free = (height - Int(0.2 * Double(short))) * width * 4
        #expect(picture.pixels[..<free] == empty.pixels[..<free])
        // The line in the person's colour, and white digits at least 5 pixels tall.
        var (lines, digits) = (0, Set<Int>())
        for y in height - Int(0.19 * Double(short))..<height {
            for x in 0..<width {
                let pixel = picture[x, y]
                if pixel.blue > 140, Int(pixel.blue) > Int(pixel.red) + 40 { lines += 1 }
                if pixel.red > 240, pixel.green > 240, pixel.blue > 240 { digits.insert(y) }
            }
        }
        #expect(lines > width / 3)
        #expect(digits.count >= max(5, short / 50))
    }

    @Test func `an explanation shows what was reported and each way's cycles by their probability`() throws {
        let way: ExplanationChart.Way = (
            title: "not taken", reasons: "against: count -0.5", isTaken: false,
            samples: (0...100).map { .init(time: Double($0) / 10, value: 0.5 - 0.5 * cos(Double($0) / 5)) },
            cycles: [(1...4, 0), (5...8, 1)]
        )
        let person: ExplanationChart.Person = (
            id: 1, repetitions: [(1...3, false), (5...7, true)], ways: [way], more: 7
        )
        let chart = ExplanationChart(title: "clip.mp4", people: [person], duration: 10)
        var bitmap = Bitmap(width: Int(chart.width), height: Int(chart.height))
        try bitmap.draw { chart.draw(on: $0) }
        try bitmap.show("explanation")
        let time = ChartScale(range: 0...10, from: 70, to: 1176)
        let strip = Int(92 + 24.0)
        // Those told are in the upper row, those added in the lower one.
        func tint(_ seconds: Double, _ y: Int) -> Int {
            let pixel = bitmap[Int(time.pixel(seconds)), y]
            return Int(pixel.blue) - Int(pixel.red)
        }
        #expect(tint(1.5, strip + 12) > 15 && tint(5.5, strip + 12) < 6)
        #expect(tint(5.5, strip + 36) > 6 && tint(1.5, strip + 36) < 6)
        // Orange is no repetition, blue is one, and between them is nothing.
        let plot = Int(92 + ExplanationPanel.head + 38 + 70)
        #expect(tint(1.2, plot) < -20 && tint(7.7, plot) > 20 && abs(tint(4.5, plot)) < 4)
    }

    @Test func `an explanation of nobody and of nothing is a picture, and long ones are wider`() throws {
        let nothing: ExplanationChart.Person = (id: 0, repetitions: [], ways: [], more: 0)
        for people in [[], [nothing]] {
            let chart = ExplanationChart(title: "clip.mp4", people: people, duration: 0)
            let text = String(
                decoding: try Canvas.svg(width: chart.width, height: chart.height) { chart.draw(on: $0) }, as: UTF8.self
            )
            #expect(text.contains("<svg") && chart.width == RepetitionChart.width)
        }
        #expect(ExplanationChart(title: "", people: [], duration: 200).width == 2400)
        #expect(ExplanationChart(title: "", people: [], duration: 36_000).width == 3600)
    }
}
