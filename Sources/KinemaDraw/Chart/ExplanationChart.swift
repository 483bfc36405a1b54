public import Foundation
import KinemaCore

/// A chart of why repetitions were counted or not: for each person the repetitions that were told, and below them the ways
/// in which the movement could be counted, each with its cycles and what speaks for it and against it.
public struct ExplanationChart: Sendable {
    /// A repetition that was told.
    public struct Repetition: Sendable, Hashable {
        /// Its start and end in seconds.
        public var span: ClosedRange<Double>
        /// Whether it was added at the end; otherwise it was told while the movement went on.
        public var isAdded: Bool

        /// Creates a repetition from its start and end in seconds.
        public init(span: ClosedRange<Double>, isAdded: Bool) { (self.span, self.isAdded) = (span, isAdded) }
    }

    /// A cycle of a way to count.
    public struct Cycle: Sendable, Hashable {
        /// Its start and end in seconds.
        public var span: ClosedRange<Double>
        /// The probability that it is a repetition, 0...1.
        public var probability: Double

        /// Creates a cycle from its start and end in seconds and its probability.
        public init(span: ClosedRange<Double>, probability: Double) {
            (self.span, self.probability) = (span, probability)
        }
    }

    /// A way to count: a signal with its cycles.
    public struct Way: Sendable, Hashable {
        /// What became of it.
        public var title: String
        /// What it is and what that was concluded from.
        public var reasons: String
        /// Whether it was taken.
        public var isTaken: Bool
        /// The signal, 0 at its least value and 1 at its greatest.
        public var samples: [RepetitionSignal.Sample]
        /// The cycles in order of time.
        public var cycles: [Cycle]

        /// Creates a way to count; the signal goes from 0 to 1.
        public init(
            title: String, reasons: String, isTaken: Bool, samples: [RepetitionSignal.Sample], cycles: [Cycle]
        ) {
            (self.title, self.reasons, self.isTaken) = (title, reasons, isTaken)
            (self.samples, self.cycles) = (samples, cycles)
        }
    }

    /// One person's repetitions and the ways to count them.
    public struct Person: Sendable, Hashable {
        /// The person's number.
        public var id: Int
        /// The repetitions that were told, in order of time.
        public var repetitions: [Repetition]
        /// The ways to count that are shown, from the top.
        public var ways: [Way]
        /// How many ways are not shown.
        public var more: Int

        /// Creates a person.
        public init(id: Int, repetitions: [Repetition], ways: [Way], more: Int = 0) {
            (self.id, self.repetitions, self.ways, self.more) = (id, repetitions, ways, more)
        }

        /// What the person takes of the chart's height.
        var height: Double {
            ExplanationPanel.head + Double(ways.count) * ExplanationPanel.height + ExplanationPanel.foot
        }
    }

    /// The title above everyone.
    public var title: String
    /// Everyone, from the top.
    public var people: [Person]
    /// The end of the time axis in seconds.
    public var duration: Double

    /// Creates a chart of people over a duration in seconds.
    public init(title: String, people: [Person], duration: Double) {
        (self.title, self.people, self.duration) = (title, people, duration)
    }

    /// The chart's width in pixels or points; long recordings get more, so that a cycle of a second stays visible.
    public var width: Double { min(max(RepetitionChart.width, 12 * duration), 3 * RepetitionChart.width) }
    /// The chart's height in pixels or points; it grows with the number of people and of ways.
    public var height: Double {
        Self.top + (people.isEmpty ? ExplanationPanel.height : people.reduce(0) { $0 + $1.height }) + ChartPanel.bottom
    }
    /// Title, legend and the upper time axis.
    private static let top = 92.0

    /// Draws the chart in its own size on a canvas.
    public func draw(on canvas: Canvas) {
        canvas.fill(CGRect(x: 0, y: 0, width: canvas.width, height: canvas.height), color: .white)
        let time = ChartScale(range: 0...max(duration, 0.1), from: 70, to: width - 24)
        canvas.title(title, upTo: width - 60)
        drawLegend(on: canvas)
        var top = Self.top
        let bottom = height - ChartPanel.bottom
        for tick in time.ticks(atMost: Int(width / 80)).values {
            let x = time.pixel(tick)
            canvas.stroke(
                [CGPoint(x: x, y: top), CGPoint(x: x, y: bottom)], color: Color(hex: 0xEEF0F2), width: 1)
        }
        canvas.timeTicks(time, atMost: Int(width / 80), y: top - 22, isAbove: true)
        if people.isEmpty {
            canvas.text(
                "nobody was seen", at: CGPoint(x: width / 2, y: top + ExplanationPanel.height / 2), size: 15,
                color: ChartPanel.pale, alignment: .center)
        }
        for person in people {
            ExplanationPanel(person: person, time: time, top: top).draw(on: canvas)
            top += person.height
        }
        canvas.timeTicks(time, atMost: Int(width / 80), y: bottom, isAbove: false)
        canvas.text(
            "time (s)", at: CGPoint(x: (time.from + time.to) / 2, y: bottom + 42), size: 14, color: ChartPanel.ink,
            bold: false, alignment: .center)
    }

    /// Writes the chart as SVG or PNG, depending on the file's extension.
    ///
    /// Throws `.invalidArgument` for any other extension, `.unwritableOutput` when the file cannot be written.
    public func write(to url: URL) throws {
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
        entry("told while it went on", ExplanationPanel.told)
        entry("added at the end", ExplanationPanel.told, isDashed: true)
        for (text, probability) in [("cycle, surely none", 0.0), ("uncertain", 0.5), ("surely a repetition", 1)] {
            entry(text, ExplanationPanel.color(probability))
        }
    }
}
