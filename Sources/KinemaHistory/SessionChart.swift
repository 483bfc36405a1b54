import Foundation
import Kinema
import KinemaDraw

/// A chart of a stored session's events and their depth, length or speed over time.
struct SessionChart {
    private static let width = 1200.0
    private static let (left, right) = (90.0, 1176.0)
    private static let (top, bottom) = (64.0, 52.0)

    private let title: String
    private let end: Double
    private let panels: [any SessionPanel]

    init(_ session: StoredSession) {
        title = Self.title(session)
        let ends: [[Double]] = [
            session.repetitions.map(\.end), session.holds.map(\.end), session.throwsMade.map(\.end),
            session.pinches.map(\.end), session.segments.map(\.end), session.corrections?.map(\.end) ?? [],
            session.marks.map(\.end),
        ]
        end = max(ends.joined().max() ?? 0, session.duration, 0.1)
        panels = Self.panels(session)
    }

    func svg() throws -> Data { try Canvas.svg(width: Self.width, height: height) { draw(on: $0) } }

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
            case .toss: ", " + PlainText.counted(session.throwsMade.reduce(0) { $0 &+ $1.score }, "point")
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
        if let measured = session.measured, measured.range != nil { panels.append(BarPanel.ranges(measured)) }
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
        canvas.text(title, at: CGPoint(x: Self.left, y: 34), size: 17, color: ChartPanel.ink)
        let time = ChartScale(range: 0...end, from: Self.left, to: Self.right)
        if panels.isEmpty {
            canvas.text(
                "nothing was counted", at: CGPoint(x: Self.width / 2, y: Self.top + 60), size: 15,
                color: ChartPanel.pale, alignment: .center)
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
                color: ChartPanel.ink, bold: false, alignment: .center)
        }
        canvas.text(
            "time (s)", at: CGPoint(x: (time.from + time.to) / 2, y: base + 40), size: 14, color: ChartPanel.ink,
            bold: false, alignment: .center)
    }
}

protocol SessionPanel {
    var height: Double { get }
    func draw(on canvas: Canvas, time: ChartScale, top: Double)
}

/// The paths of all throws of a game in the picture, and its averages; not over time.
struct PathPanel: SessionPanel {
    private let paths: [[CGPoint]]
    private let board: [CGPoint]
    private let title: String
    private let aspectRatio: Double

    private static let fieldHeight = 330.0

    init(_ session: StoredSession) {
        func point(_ pair: ArraySlice<Double>) -> CGPoint? {
            pair.count == 2 ? CGPoint(x: pair[pair.startIndex], y: pair[pair.startIndex + 1]) : nil
        }
        paths = session.throwsMade.map { $0.path.compactMap { point($0.dropFirst()) } }
        board = session.game?.board?.corners.compactMap { point($0[...]) } ?? []
        aspectRatio = min(max(session.game?.aspectRatio ?? 16 / 9, 0.4), 2.8)
        title = ["paths", session.game?.text].compactMap(\.self).joined(separator: ": ")
    }

    let height = fieldHeight + 50

    func draw(on canvas: Canvas, time: ChartScale, top: Double) {
        canvas.text(title, at: CGPoint(x: time.from, y: top + 18), size: 14, color: ChartPanel.ink)
        let field = CGRect(x: time.from, y: top + 26, width: Self.fieldHeight * aspectRatio, height: Self.fieldHeight)
        TossChart.draw(paths, board: board, in: field, on: canvas)
    }
}

/// Time spans in lanes, one lane a name.
struct LanePanel: SessionPanel {
    struct Span {
        var lane: String
        var start: Double
        var end: Double
        var note = ""
    }

    private static let lane = 44.0
    private let spans: [Span]
    private let lanes: [String]
    private let rest: Int

    init(_ spans: [Span]) {
        self.spans = spans
        var seen = Set<String>()
        let names = spans.map(\.lane).filter { seen.insert($0).inserted }
        (lanes, rest) = (Array(names.prefix(Self.mostLanes)), max(0, names.count - Self.mostLanes))
    }

    /// Keeps a chart readable and within Cairo's 32,767 pixels.
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
                        span.note, at: CGPoint(x: (left + right) / 2, y: y + 31), size: 12, color: ChartPanel.ink,
                        bold: false, alignment: .center)
                }
            }
        }
        if rest > 0 {
            canvas.text(
                "and \(rest) more", at: CGPoint(x: time.from, y: top + height - 4), size: 13, color: ChartPanel.pale,
                bold: false)
        }
    }
}
