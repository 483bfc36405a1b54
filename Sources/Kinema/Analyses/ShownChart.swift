package import KinemaCounting
import Foundation
import KinemaCore
import KinemaDraw

/// A chart that compares the performance with the demonstration: for each finding the overlaid courses, and both
/// skeletons at its moment.
package struct ShownChart {
    private let title: String
    private let rows: [ShownExplanation]
    /// The numbers of the repetitions among those coached.
    private let numbers: [Int]

    private static let most = 8
    private static let (width, top, rowHeight) = (1100.0, 84.0, 300.0)
    /// The left and right end of the courses, and the positions of the two skeletons.
    private static let (left, right, figures) = (76.0, 660.0, [780.0, 980])
    private static let (shown, done) = (Color.chart(0), Color.chart(1))
    private static let ink = ChartPanel.ink

    package init(title: String, coach: ExerciseCoach?) {
        self.title = title
        let reviews = coach?.reviews ?? []
        rows = Array(reviews.explained.prefix(Self.most))
        numbers = reviews.map { review in (coach?.repetitions.firstIndex { $0.start == review.start } ?? 0) + 1 }
    }

    package func write(to url: URL) throws {
        let height = Self.top + Self.rowHeight * Double(max(1, rows.count))
        try Canvas.write(width: Self.width, height: height, to: url) { canvas in
            canvas.fill(CGRect(x: 0, y: 0, width: Self.width, height: height), color: .white)
            canvas.title(title, upTo: Self.width - 100)
            var x = 70.0
            for (text, color) in [
                ("shown, with its spread", Self.shown), ("done", Self.done), ("finding", .fault),
            ] {
                canvas.fill(CGRect(x: x, y: 46, width: 18, height: 12), color: color)
                canvas.text(text, at: CGPoint(x: x + 24, y: 57), size: 13, color: Self.ink, bold: false)
                x += canvas.width(of: text, size: 13, bold: false) + 50
            }
            if rows.isEmpty {
                let place = CGPoint(x: Self.width / 2, y: height / 2)
                canvas.text(
                    "no repetition could be compared", at: place, size: 15, color: ChartPanel.pale, alignment: .center)
            }
            for (index, row) in rows.enumerated() {
                draw(row, top: Self.top + Self.rowHeight * Double(index), on: canvas)
            }
        }
    }

    private func draw(_ row: ShownExplanation, top: Double, on canvas: Canvas) {
        let words = "repetition \(numbers[row.review]): \(row.words)"
        canvas.text(words, at: CGPoint(x: Self.left, y: top + 22), size: 15, color: Self.ink)
        let (mean, spread) = (row.measure.mean, row.measure.spread)
        let (upper, lower) = (zip(mean, spread).map { $0 + $1 }, zip(mean, spread).map { $0 - $1 })
        let all = row.done.flatMap(\.self) + upper + lower
        let frame = CGRect(x: Self.left, y: top + 40, width: Self.right - Self.left, height: Self.rowHeight - 92)
        // Over the phase, or over seconds.
        let shownAt = row.seconds?.shown ?? mean.indices.map(Double.init)
        let doneAt = row.seconds?.done ?? row.done.map { _ in shownAt }
        let last = ([shownAt] + doneAt).compactMap(\.last).max() ?? 1
        let phase = ChartScale(range: 0...last, from: frame.minX, to: frame.maxX)
        let value = ChartScale(range: (all.min() ?? 0)...(all.max() ?? 1), from: frame.maxY, to: frame.minY)
        func line(_ course: [Double], _ times: [Double]) -> [CGPoint] {
            zip(times, course).map { CGPoint(x: phase.pixel($0), y: value.pixel($1)) }
        }
        for point in row.points {
            let (from, to) = (phase.clamped(Double(point) - 0.5), phase.clamped(Double(point) + 0.5))
            canvas.fill(
                CGRect(x: from, y: frame.minY, width: to - from, height: frame.height),
                color: Color.fault.faded(to: 0.1))
        }
        canvas.fill(line(upper, shownAt) + line(lower, shownAt).reversed(), color: Self.shown.faded(to: 0.18))
        for (index, course) in row.done.enumerated() where index != row.review {
            canvas.stroke(line(course, doneAt[index]), color: Self.done.faded(to: 0.3), width: 1.2)
        }
        canvas.stroke(line(mean, shownAt), color: Self.shown, width: 2.4)
        canvas.stroke(line(row.done[row.review], doneAt[row.review]), color: Self.done, width: 2.4)
        drawAxes(row.measure.measure, row.seconds == nil ? nil : phase, value, in: frame, on: canvas)
        for (index, label) in ["shown", "done"].enumerated() {
            let box = CGRect(x: Self.figures[index] - 90, y: frame.minY, width: 180, height: frame.height)
            draw(
                row.skeletons[index], marked: index == 0 ? [] : row.joints, color: index == 0 ? Self.shown : Self.done,
                in: box, on: canvas)
            canvas.text(
                label, at: CGPoint(x: box.midX, y: box.maxY + 22), size: 13, color: Self.ink, bold: false,
                alignment: .center)
        }
    }

    /// The horizontal axis shows the phase, unless there is a scale of seconds.
    private func drawAxes(
        _ measure: BodyMeasure, _ seconds: ChartScale?, _ value: ChartScale, in frame: CGRect, on canvas: Canvas
    ) {
        canvas.axes(frame, width: 1.2)
        let (ticks, step) = value.ticks(atMost: 5)
        var places: [(String, CGFloat)] = [
            ("start", frame.minX), ("turn", frame.midX), ("back at the start", frame.maxX),
        ]
        if let seconds {
            let (times, every) = seconds.ticks(atMost: 6)
            places = times.map { (ChartScale.label($0, step: every) + " s", CGFloat(seconds.pixel($0))) }
        }
        let labels: [(String, CGFloat, CGFloat)] =
            ticks.map { (ChartScale.label($0, step: step), frame.minX - 22, CGFloat(value.pixel($0) + 4)) }
            + places.map { text, x in (text, x, frame.maxY + 20) }
        for (text, x, y) in labels {
            canvas.text(text, at: CGPoint(x: x, y: y), size: 12, color: Self.ink, bold: false, alignment: .center)
        }
        canvas.text(
            "\(measure.name), \(measure.unit.rawValue)",
            at: CGPoint(x: 22, y: frame.midY), size: 13, color: Self.ink, bold: false, alignment: .center,
            rotation: -.pi / 2)
    }

    /// Draws a skeleton around the centre of a box, all at one scale.
    private func draw(
        _ joints: [JointKey: SIMD3<Float>], marked: Set<JointKey>, color: Color, in box: CGRect, on canvas: Canvas
    ) {
        let (xs, ys) = (joints.values.map { Double($0.x) }, joints.values.map { Double($0.y) })
        guard let west = xs.min(), let east = xs.max(), let south = ys.min(), let north = ys.max() else { return }
        // A person is three and a half trunks tall.
        let scale = min(box.height / max(north - south, 3.6), box.width / max(east - west, 1))
        let places = joints.mapValues { joint in
            CGPoint(
                x: box.midX + (Double(joint.x) - (east + west) / 2) * scale,
                y: box.midY - (Double(joint.y) - (north + south) / 2) * scale)
        }
        for bone in Skeleton.segments {
            guard let from = places[bone.from], let to = places[bone.to] else { continue }
            let isMarked = marked.contains(bone.from) && marked.contains(bone.to)
            canvas.stroke([from, to], color: isMarked ? .fault : color, width: isMarked ? 5 : 3.5)
        }
        for (key, place) in places {
            canvas.disc(at: place, radius: key == .nose ? 8 : 4.5, color: marked.contains(key) ? .fault : color)
        }
    }
}
