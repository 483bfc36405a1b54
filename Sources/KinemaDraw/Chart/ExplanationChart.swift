package import Foundation

/// A chart of why repetitions were counted or not: for each person the reported repetitions, and below them the
/// candidates with their cycles and evidence.
package struct ExplanationChart {
    /// A repetition; it was added at the end, or else reported while the movement went on.
    package typealias Repetition = (span: ClosedRange<Double>, isAdded: Bool)
    /// A cycle with the probability that it is a repetition, 0...1.
    package typealias Cycle = (span: ClosedRange<Double>, probability: Double)

    /// A candidate count: a signal, 0 at its minimum and 1 at its maximum, with its cycles; `reasons` is its description
    /// and the evidence behind the verdict.
    package typealias Way = (
        title: String, reasons: String, isTaken: Bool, samples: [RepetitionSignal.Sample], cycles: [Cycle]
    )
    /// One person's repetitions, the displayed candidates from the top, and the number of omitted ones.
    package typealias Person = (id: Int, repetitions: [Repetition], ways: [Way], more: Int)

    private let title: String
    private let people: [Person]
    private let duration: Double

    package init(title: String, people: [Person], duration: Double) {
        (self.title, self.people, self.duration) = (title, people, duration)
    }

    /// In pixels or points; long recordings get more, so that a cycle of a second stays visible.
    var width: Double { min(max(RepetitionChart.width, 12 * duration), 3 * RepetitionChart.width) }
    var height: Double {
        Self.top
            + (people.isEmpty ? ExplanationPanel.height : people.reduce(0) { $0 + ExplanationPanel.fullHeight(of: $1) })
            + ChartPanel.bottom
    }
    /// Title, legend and the upper time axis.
    private static let top = 92.0

    func draw(on canvas: Canvas) {
        canvas.fill(CGRect(x: 0, y: 0, width: canvas.width, height: canvas.height), color: .white)
        let time = ChartScale(range: 0...max(duration, 0.1), from: 70, to: width - 24)
        canvas.title(title, upTo: width - 60)
        drawLegend(on: canvas)
        var top = Self.top
        let bottom = height - ChartPanel.bottom
        for tick in time.ticks(atMost: Int(width / 80)).values {
            let x = time.pixel(tick)
            canvas.stroke([CGPoint(x: x, y: top), CGPoint(x: x, y: bottom)], color: Color(hex: 0xEEF0F2), width: 1)
        }
        canvas.timeTicks(time, atMost: Int(width / 80), y: top - 22, isAbove: true)
        if people.isEmpty { canvas.nobody(at: CGPoint(x: width / 2, y: top + ExplanationPanel.height / 2)) }
        for person in people {
            ExplanationPanel(person: person, time: time, top: top).draw(on: canvas)
            top += ExplanationPanel.fullHeight(of: person)
        }
        canvas.timeAxis(time, atMost: Int(width / 80), y: bottom)
    }

    package func write(to url: URL) throws {
        try Canvas.write(width: width, height: height, to: url) { draw(on: $0) }
    }

    private func drawLegend(on canvas: Canvas) {
        var x = 70.0
        func entry(_ text: String, _ color: Color, isDashed: Bool = false) {
            ExplanationPanel.band(
                CGRect(x: x, y: 42, width: 18, height: 13), color: color, isDashed: isDashed, on: canvas)
            canvas.text(text, at: CGPoint(x: x + 24, y: 53), size: 12.5, color: ChartPanel.ink, bold: false)
            x += 24 + canvas.width(of: text, size: 12.5, bold: false) + 22
        }
        entry("reported live", ExplanationPanel.reported)
        entry("added at the end", ExplanationPanel.reported, isDashed: true)
        for (text, probability) in [("not a cycle", 0.0), ("uncertain", 0.5), ("repetition", 1)] {
            entry(text, ExplanationPanel.color(probability))
        }
    }
}
