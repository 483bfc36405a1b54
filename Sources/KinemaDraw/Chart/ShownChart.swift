package import Foundation
package import KinemaCore

/// A chart of what was done against what was shown: for each finding the courses over each other, and both skeletons at
/// its moment.
package struct ShownChart {
    /// A finding, or a measure without one.
    package struct Row {
        /// The finding in words, and the repetition it is from.
        let title: String
        /// The measure and its unit.
        let axis: String
        /// The mean course shown and the width of its spread at each point.
        let shown: [Double], spread: [Double]
        /// The courses of all repetitions, and the place of the one that is judged.
        let done: [[Double]], judged: Int
        /// The points that are compared; nil without a finding.
        let moment: ClosedRange<Int>?
        /// The skeletons at that moment in torso lengths, x to the right, y up.
        let shownJoints: [JointKey: CGPoint], doneJoints: [JointKey: CGPoint]
        let faulty: Set<JointKey>

        package init(
            title: String, axis: String, shown: [Double], spread: [Double], done: [[Double]], judged: Int,
            moment: ClosedRange<Int>?, shownJoints: [JointKey: CGPoint], doneJoints: [JointKey: CGPoint],
            faulty: Set<JointKey>
        ) {
            (self.title, self.axis, self.shown, self.spread) = (title, axis, shown, spread)
            (self.done, self.judged, self.moment) = (done, judged, moment)
            (self.shownJoints, self.doneJoints, self.faulty) = (shownJoints, doneJoints, faulty)
        }
    }

    private let title: String
    private let rows: [Row]

    package init(title: String, rows: [Row]) { (self.title, self.rows) = (title, rows) }

    private static let (width, top, rowHeight) = (1100.0, 84.0, 300.0)
    /// The courses, and the places of the two skeletons.
    private static let (left, right) = (76.0, 660.0)
    private static let figures = (780.0, 980.0)
    private static let shownColor = Color.chart(0), doneColor = Color.chart(1)
    private var height: Double { Self.top + Self.rowHeight * Double(max(1, rows.count)) }

    /// Writes the chart as `.svg` or `.png`; throws `.invalidArgument` or `.unwritableOutput`.
    package func write(to url: URL) throws {
        try Canvas.write(width: Self.width, height: height, to: url) { draw(on: $0) }
    }

    func draw(on canvas: Canvas) {
        canvas.fill(CGRect(x: 0, y: 0, width: canvas.width, height: canvas.height), color: .white)
        canvas.title(title, upTo: Self.width - 100)
        var x = 70.0
        for (text, color) in [
            ("shown, with its spread", Self.shownColor), ("done", Self.doneColor), ("finding", .fault),
        ] {
            canvas.fill(CGRect(x: x, y: 46, width: 18, height: 12), color: color)
            canvas.text(text, at: CGPoint(x: x + 24, y: 57), size: 13, color: ChartPanel.ink, bold: false)
            x += canvas.width(of: text, size: 13, bold: false) + 50
        }
        if rows.isEmpty {
            canvas.text(
                "no repetition could be compared", at: CGPoint(x: Self.width / 2, y: Self.top + 100), size: 15,
                color: ChartPanel.pale, alignment: .center)
        }
        for (index, row) in rows.enumerated() { draw(row, top: Self.top + Self.rowHeight * Double(index), on: canvas) }
    }

    private func draw(_ row: Row, top: Double, on canvas: Canvas) {
        canvas.text(row.title, at: CGPoint(x: Self.left, y: top + 22), size: 15, color: ChartPanel.ink)
        let (high, low) = (top + 40, top + Self.rowHeight - 52)
        let last = Double(row.shown.count - 1)
        let phase = ChartScale(range: 0...max(last, 1), from: Self.left, to: Self.right)
        let all = row.done.flatMap(\.self) + zip(row.shown, row.spread).flatMap { [$0 - $1, $0 + $1] }
        let value = ChartScale(range: (all.min() ?? 0)...(all.max() ?? 1), from: low, to: high)
        func line(_ course: [Double]) -> [CGPoint] {
            course.enumerated().map { CGPoint(x: phase.pixel(Double($0)), y: value.pixel($1)) }
        }
        if let moment = row.moment {
            let (from, to) = (Double(moment.lowerBound) - 0.5, Double(moment.upperBound) + 0.5)
            canvas.fill(
                CGRect(
                    x: phase.clamped(from), y: high, width: phase.clamped(to) - phase.clamped(from), height: low - high),
                color: Color.fault.faded(to: 0.1))
        }
        let band =
            line(zip(row.shown, row.spread).map { $0 + $1 })
            + line(zip(row.shown, row.spread).map { $0 - $1 }).reversed()
        canvas.fill(band, color: Self.shownColor.faded(to: 0.18))
        for (index, course) in row.done.enumerated() where index != row.judged {
            canvas.stroke(line(course), color: Self.doneColor.faded(to: 0.3), width: 1.2)
        }
        canvas.stroke(line(row.shown), color: Self.shownColor, width: 2.4)
        if row.done.indices.contains(row.judged) {
            canvas.stroke(line(row.done[row.judged]), color: Self.doneColor, width: 2.4)
        }
        axes(row, phase: phase, value: value, high: high, low: low, on: canvas)
        for (x, joints, color, label, faulty) in [
            (Self.figures.0, row.shownJoints, Self.shownColor, "shown", []),
            (Self.figures.1, row.doneJoints, Self.doneColor, "done", row.faulty),
        ] {
            figure(
                joints, faulty: faulty, color: color, in: CGRect(x: x - 90, y: high, width: 180, height: low - high),
                on: canvas)
            canvas.text(
                label, at: CGPoint(x: x, y: low + 22), size: 13, color: ChartPanel.ink, bold: false, alignment: .center)
        }
    }

    private func axes(
        _ row: Row, phase: ChartScale, value: ChartScale, high: Double, low: Double, on canvas: Canvas
    ) {
        canvas.stroke(
            [CGPoint(x: Self.left, y: high), CGPoint(x: Self.left, y: low), CGPoint(x: Self.right, y: low)],
            color: ChartPanel.ink, width: 1.2)
        let (ticks, step) = value.ticks(atMost: 5)
        for tick in ticks {
            canvas.text(
                ChartScale.label(tick, step: step), at: CGPoint(x: Self.left - 8, y: value.pixel(tick) + 4), size: 12,
                color: ChartPanel.ink, bold: false, alignment: .trailing)
        }
        for (text, share) in [("start", 0.0), ("turn", 0.5), ("back at the start", 1)] {
            canvas.text(
                text, at: CGPoint(x: Self.left + share * (Self.right - Self.left), y: low + 20), size: 13,
                color: ChartPanel.ink, bold: false, alignment: .center)
        }
        canvas.text(
            row.axis, at: CGPoint(x: 24, y: (high + low) / 2), size: 13, color: ChartPanel.ink, bold: false,
            alignment: .center, rotation: -.pi / 2)
    }

    /// Both skeletons have one scale, so that a difference shows.
    private func figure(
        _ joints: [JointKey: CGPoint], faulty: Set<JointKey>, color: Color, in box: CGRect, on canvas: Canvas
    ) {
        guard !joints.isEmpty else { return }
        let (xs, ys) = (joints.values.map(\.x), joints.values.map(\.y))
        guard let west = xs.min(), let east = xs.max(), let south = ys.min(), let north = ys.max() else { return }
        // Three and a half trunks are the height of a person.
        let scale = min(box.height / 3.6, box.width / max(east - west, 1), box.height / max(north - south, 1))
        let (middle, centre) = ((east + west) / 2, (north + south) / 2)
        func place(_ key: JointKey) -> CGPoint? {
            joints[key].map { CGPoint(x: box.midX + ($0.x - middle) * scale, y: box.midY - ($0.y - centre) * scale) }
        }
        for bone in Skeleton.bones {
            guard let from = place(bone.from), let to = place(bone.to) else { continue }
            let isFaulty = faulty.contains(bone.from) && faulty.contains(bone.to)
            canvas.stroke([from, to], color: isFaulty ? .fault : color, width: isFaulty ? 5 : 3.5)
        }
        for key in joints.keys {
            guard let point = place(key) else { continue }
            canvas.disc(at: point, radius: key == .nose ? 8 : 4.5, color: faulty.contains(key) ? .fault : color)
        }
    }
}
