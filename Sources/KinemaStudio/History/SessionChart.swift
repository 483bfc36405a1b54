import Foundation
import Kinema
import KinemaCore
import KinemaDraw

/// A chart of a stored session: what happened when, and how deep, long or fast it was.
struct SessionChart {
    private static let width = 1200.0
    private static let (left, right) = (90.0, 1176.0)
    private static let (top, bottom) = (64.0, 52.0)
    static let ink = Color(hex: 0x22262B)
    static let pale = Color(hex: 0x8A9099)

    private let title: String
    private let end: Double
    private let panels: [any SessionPanel]

    init(_ session: StoredSession) {
        title = Self.title(session)
        let times =
            session.repetitions.map(\.end) + session.holds.map(\.end) + session.throwsMade.map(\.end)
            + session.pinches.map(\.end) + session.segments.map(\.end)
            + (session.corrections ?? []).map(\.end) + session.marks.map(\.end)
        end = max(([session.duration] + times).max() ?? 0, 0.1)
        panels = Self.panels(session)
    }

    func svg() throws -> Data {
        try Canvas.svg(width: Self.width, height: height) { draw(on: $0) }
    }

    func png() throws -> Data {
        var bitmap = Bitmap(width: Int(Self.width), height: Int(height))
        try bitmap.draw { draw(on: $0) }
        return try bitmap.png()
    }

    private var height: Double { Self.top + max(120, panels.reduce(0) { $0 + $1.height }) + Self.bottom }

    static func title(_ session: StoredSession) -> String {
        let date = StoredSession.text(session.date).prefix(16).replacing("T", with: " ")
        let what = session.exercise?.replacing("_", with: " ") ?? session.mode.rawValue
        let count =
            switch session.mode {
            case .count, .coach: ", " + PlainText.counted(session.count, "repetition")
            case .draw: ", " + PlainText.counted(session.pinches.count, "pinch", "pinches")
            case .toss: ", " + PlainText.counted(session.throwsMade.reduce(0) { $0 + $1.score }, "point")
            case .poses, .classify: ""
            }
        let corrected = session.corrections.map { " counted, \($0.count) as corrected" } ?? ""
        return "\(what)\(count)\(corrected), \(session.source), \(date) UTC"
    }

    private static func panels(_ session: StoredSession) -> [any SessionPanel] {
        var panels: [any SessionPanel] = []
        let (repetitions, isSeen) = (session.repetitions, session.isSeen)
        if repetitions.contains(where: { $0.depth != nil }) {
            panels.append(BarPanel.depths(repetitions, isSeen))
        }
        if !repetitions.isEmpty { panels.append(BarPanel.lengths(repetitions, isSeen)) }
        if let corrections = session.corrections, !corrections.isEmpty {
            panels.append(BarPanel.corrections(corrections))
        }
        if !session.holds.isEmpty { panels.append(BarPanel.holds(session.holds)) }
        if !session.throwsMade.isEmpty {
            panels.append(BarPanel.speeds(session.throwsMade))
            panels.append(PathPanel(session))
        }
        if !session.pinches.isEmpty {
            panels.append(
                LanePanel(session.pinches.map { .init(lane: $0.hand ?? "unknown", start: $0.start, end: $0.end) }))
        }
        if !session.segments.isEmpty {
            panels.append(
                LanePanel(
                    session.segments.map {
                        .init(
                            lane: $0.label ?? "none of the classes", start: $0.start, end: $0.end,
                            note: "\(Int(clamping: $0.confidence * 100)) %")
                    }))
        }
        if !session.marks.isEmpty {
            panels.append(LanePanel(session.marks.map { .init(lane: $0.label, start: $0.start, end: $0.end) }))
        }
        return panels
    }

    private func draw(on canvas: Canvas) {
        canvas.fill(CGRect(x: 0, y: 0, width: canvas.width, height: canvas.height), color: .white)
        canvas.text(title, at: CGPoint(x: Self.left, y: 34), size: 17, color: Self.ink)
        let time = ChartScale(range: 0...end, from: Self.left, to: Self.right)
        if panels.isEmpty {
            canvas.text(
                "nothing was counted", at: CGPoint(x: Self.width / 2, y: Self.top + 60), size: 15, color: Self.pale,
                alignment: .center)
        }
        var y = Self.top
        for panel in panels {
            panel.draw(on: canvas, time: time, top: y)
            y += panel.height
        }
        let base = height - Self.bottom
        let (values, step) = time.ticks(atMost: 15)
        for value in values {
            canvas.text(
                ChartScale.label(value, step: step), at: CGPoint(x: time.pixel(value), y: base + 18), size: 13,
                color: Self.ink, bold: false, alignment: .center)
        }
        canvas.text(
            "time (s)", at: CGPoint(x: (time.from + time.to) / 2, y: base + 40), size: 14, color: Self.ink,
            bold: false, alignment: .center)
    }
}

/// One strip of a session's chart.
protocol SessionPanel {
    /// Pixels.
    var height: Double { get }
    func draw(on canvas: Canvas, time: ChartScale, top: Double)
}

/// Bars over time: as wide as what they stand for lasted, as high as it measured.
struct BarPanel: SessionPanel {
    /// One bar.
    struct Bar {
        var start: Double
        var end: Double
        /// From the bottom: each part's height and how strong its colour is.
        var parts: [(value: Double, strength: Double)]
        var number: String
        var note = ""
        var isFaulty = false
        var person = 0
    }

    let title: String
    let bars: [Bar]
    let height = 230.0

    /// What a repetition is called of which a part was not seen.
    private static let unseen = "not seen in part"

    static func depths(_ repetitions: [StoredSession.Repetition], _ isSeen: [Bool]) -> BarPanel {
        BarPanel(
            title: "depth, share of a full repetition; with faults in red",
            bars: repetitions.enumerated().compactMap { index, one in
                guard isSeen[index] else {
                    return Bar(
                        start: one.start, end: one.end, parts: [], number: "\(index + 1)", note: unseen, person: one.id)
                }
                return one.depth.map { depth in
                    Bar(
                        start: one.start, end: one.end, parts: [(depth, 0.6)], number: "\(index + 1)",
                        note: one.faults.map(\.title).joined(separator: ", "), isFaulty: !one.faults.isEmpty,
                        person: one.id)
                }
            })
    }

    static func lengths(_ repetitions: [StoredSession.Repetition], _ isSeen: [Bool]) -> BarPanel {
        let hasTempo = repetitions.contains { $0.tempo != nil }
        return BarPanel(
            title: hasTempo ? "tempo (s): eccentric, pause, concentric from below" : "length of repetitions (s)",
            bars: repetitions.enumerated().map { index, one in
                // The length is known of all; it stands for a tempo that was not seen.
                let tempo =
                    !isSeen[index]
                    ? nil : one.tempo.map { [($0.eccentric, 0.75), ($0.pause, 0.2), ($0.concentric, 0.45)] }
                return Bar(
                    start: one.start, end: one.end, parts: tempo ?? [(one.end - one.start, 0.6)],
                    number: "\(index + 1)", person: one.id)
            })
    }

    static func corrections(_ repetitions: [CorrectedRepetition]) -> BarPanel {
        BarPanel(
            title: "repetitions as corrected (s)",
            bars: repetitions.enumerated().map { index, one in
                Bar(
                    start: one.start, end: one.end, parts: [(one.end - one.start, 0.6)], number: "\(index + 1)",
                    person: one.id)
            })
    }

    static func holds(_ holds: [StoredSession.Hold]) -> BarPanel {
        BarPanel(
            title: "positions held (s); with faults in red",
            bars: holds.enumerated().map { index, one in
                Bar(
                    start: one.start, end: one.end, parts: [(one.end - one.start, 0.6)], number: "\(index + 1)",
                    note: one.faults.map(\.title).joined(separator: ", "), isFaulty: !one.faults.isEmpty,
                    person: one.id)
            })
    }

    static func speeds(_ tosses: [ThrowResult]) -> BarPanel {
        BarPanel(
            title: "speed (m/s), type, landing and points of throws",
            bars: tosses.enumerated().map { index, one in
                Bar(
                    start: one.start, end: one.end, parts: [(one.speedMps, 0.6)], number: "\(index + 1)",
                    note: "\(one.type), \(one.landing), \(one.score)")
            })
    }

    func draw(on canvas: Canvas, time: ChartScale, top: Double) {
        let frame = CGRect(x: time.from, y: top + 26, width: time.to - time.from, height: height - 50)
        let most = bars.map { $0.parts.reduce(0) { $0 + max(0, $1.value) } }.max() ?? 1
        let value = ChartScale(range: 0...max(most * 1.15, 0.1), from: frame.maxY, to: frame.minY)
        canvas.text(title, at: CGPoint(x: frame.minX, y: frame.minY - 8), size: 14, color: SessionChart.ink)
        let (ticks, step) = value.ticks(atMost: 5)
        for tick in ticks {
            let y = value.pixel(tick)
            canvas.stroke(
                [CGPoint(x: frame.minX, y: y), CGPoint(x: frame.maxX, y: y)], color: Color(hex: 0xE3E6EA), width: 1)
            canvas.text(
                ChartScale.label(tick, step: step), at: CGPoint(x: frame.minX - 8, y: y + 4.5), size: 13,
                color: SessionChart.ink, bold: false, alignment: .trailing)
        }
        for bar in bars { draw(bar, on: canvas, time: time, value: value) }
        canvas.stroke(
            [
                CGPoint(x: frame.minX, y: frame.minY), CGPoint(x: frame.minX, y: frame.maxY),
                CGPoint(x: frame.maxX, y: frame.maxY),
            ], color: SessionChart.ink, width: 1.2)
    }

    private func draw(_ bar: Bar, on canvas: Canvas, time: ChartScale, value: ChartScale) {
        let (left, right) = (time.clamped(bar.start), max(time.clamped(bar.end), time.clamped(bar.start) + 3))
        let color = bar.isFaulty ? Color.fault : Color.chart(bar.person)
        var sum = 0.0
        for part in bar.parts {
            let (low, high) = (value.clamped(sum), value.clamped(sum + max(0, part.value)))
            canvas.fill(
                CGRect(x: left + 1, y: high, width: max(right - left - 2, 1), height: low - high),
                color: color.faded(to: part.strength))
            sum += max(0, part.value)
        }
        let (middle, head) = ((left + right) / 2, value.clamped(sum))
        if canvas.width(of: bar.number, size: 13) < right - left {
            canvas.text(
                bar.number, at: CGPoint(x: middle, y: head - 5), size: 13, color: color, alignment: .center)
        }
        if !bar.note.isEmpty {
            // Upright in the bar, where it fits at any width of it.
            canvas.text(
                bar.note, at: CGPoint(x: middle + 4, y: value.from - 6), size: 12, color: SessionChart.ink,
                bold: false, rotation: -.pi / 2)
        }
    }
}

/// Stretches of time in lanes, one lane a name.
struct LanePanel: SessionPanel {
    /// One stretch, seconds.
    struct Span {
        var lane: String
        var start: Double
        var end: Double
        var note = ""
    }

    private static let lane = 44.0
    private let spans: [Span]
    private let lanes: [String]
    /// How many names have no lane.
    private let rest: Int

    init(_ spans: [Span]) {
        self.spans = spans
        var seen = Set<String>()
        let names = spans.map(\.lane).filter { seen.insert($0).inserted }
        (lanes, rest) = (Array(names.prefix(Self.mostLanes)), max(0, names.count - Self.mostLanes))
    }

    /// More lanes cannot be read, and pictures have a limit too (32767 pixels, Cairo's).
    private static let mostLanes = 40

    var height: Double { Double(lanes.count) * Self.lane + 20 }

    func draw(on canvas: Canvas, time: ChartScale, top: Double) {
        for (row, name) in lanes.enumerated() {
            let y = top + Double(row) * Self.lane
            let color = Color.chart(row)
            canvas.text(name, at: CGPoint(x: time.from, y: y + 12), size: 13, color: color)
            canvas.fill(
                CGRect(x: time.from, y: y + 17, width: time.to - time.from, height: 20), color: Color(hex: 0xF1F3F5))
            for span in spans where span.lane == name {
                let (left, right) = (time.clamped(span.start), time.clamped(span.end))
                canvas.fill(
                    CGRect(x: left, y: y + 17, width: max(right - left, 2), height: 20), color: color.faded(to: 0.6))
                if canvas.width(of: span.note, size: 12, bold: false) + 6 < right - left {
                    canvas.text(
                        span.note, at: CGPoint(x: (left + right) / 2, y: y + 31), size: 12, color: SessionChart.ink,
                        bold: false, alignment: .center)
                }
            }
        }
        if rest > 0 {
            canvas.text(
                "and \(rest) more", at: CGPoint(x: time.from, y: top + height - 4), size: 13, color: SessionChart.pale,
                bold: false)
        }
    }
}
