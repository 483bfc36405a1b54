package import Foundation
import KinemaCore

/// A linear axis: maps values to pixels and picks round tick values.
package struct ChartScale {
    private let range: ClosedRange<Double>
    /// The pixels of the range's lower and upper bound; either may be the greater.
    package let from, to: Double

    package init(range: ClosedRange<Double>, from: Double, to: Double) {
        (self.range, self.from, self.to) = (range, from, to)
    }

    package func pixel(_ value: Double) -> Double {
        let width = range.upperBound - range.lowerBound
        return from + (to - from) * (width > 0 ? (value - range.lowerBound) / width : 0)
    }

    package func clamped(_ value: Double) -> Double { pixel(min(max(value, range.lowerBound), range.upperBound)) }

    /// The part of a frame over a span of values, at least `least` pixels wide.
    func box(_ span: ClosedRange<Double>, in frame: CGRect, least: Double = 0) -> CGRect {
        let (left, right) = (clamped(span.lowerBound), clamped(span.upperBound))
        return CGRect(x: left, y: frame.minY, width: max(right - left, least), height: frame.height)
    }

    /// At most about `limit` round values in the range, and the step between them: 1, 2 or 5 times a power of ten.
    package func ticks(atMost limit: Int) -> (values: [Double], step: Double) {
        let width = range.upperBound - range.lowerBound
        guard width > 0, width.isFinite, limit > 0 else { return ([range.lowerBound], 1) }
        let rough = width / Double(limit)
        let power = pow(10, floor(log10(rough)))
        let step = [1.0, 2, 5, 10].map { $0 * power }.first { $0 >= rough } ?? 10 * power
        let first = (range.lowerBound / step - 1e-9).rounded(.up)
        let last = (range.upperBound / step + 1e-9).rounded(.down)
        // A range too narrow for double precision has no ticks.
        guard step > 0, first <= last, last - first <= Double(limit), abs(first) < 1e15, abs(last) < 1e15 else {
            return ([], step > 0 ? step : 1)
        }
        return ((Int(first)...Int(last)).map { Double($0) * step }, step)
    }

    /// A tick's label, with as many decimals as the step between ticks needs.
    package static func label(_ value: Double, step: Double) -> String {
        String(format: "%.\(step >= 1 ? 0 : step >= 0.1 ? 1 : 2)f", value == 0 ? 0 : value)
    }
}

extension Canvas {
    /// Draws a chart's title, or only its end if it is too long.
    package func title(_ title: String, upTo limit: Double) {
        var cut = title
        if width(of: title, size: 17) > limit {
            cut = String(title.suffix(200))
            while !cut.isEmpty, width(of: "..." + cut, size: 17) > limit { cut.removeFirst() }
            cut = "..." + cut
        }
        text(cut, at: CGPoint(x: 70, y: 30), size: 17, color: ChartPanel.ink)
    }

    func timeTicks(_ time: ChartScale, atMost limit: Int, y: Double, isAbove: Bool) {
        let (values, step) = time.ticks(atMost: limit)
        for value in values {
            let x = time.pixel(value)
            let tick = isAbove ? y + 16 : y
            stroke([CGPoint(x: x, y: tick), CGPoint(x: x, y: tick + 5)], color: ChartPanel.ink, width: 1)
            text(
                ChartScale.label(value, step: step), at: CGPoint(x: x, y: isAbove ? y + 12 : y + 20), size: 13,
                color: ChartPanel.ink, bold: false, alignment: .center)
        }
    }

    func timeAxis(_ time: ChartScale, atMost limit: Int, y: Double) {
        timeTicks(time, atMost: limit, y: y, isAbove: false)
        text(
            "time (s)", at: CGPoint(x: (time.from + time.to) / 2, y: y + 42), size: 14, color: ChartPanel.ink,
            bold: false, alignment: .center)
    }

    /// Draws the lines and the numbers of a vertical axis to the left of a frame.
    package func valueGrid(_ value: ChartScale, in frame: CGRect) {
        let (ticks, step) = value.ticks(atMost: 5)
        for tick in ticks {
            let y = value.pixel(tick)
            stroke([CGPoint(x: frame.minX, y: y), CGPoint(x: frame.maxX, y: y)], color: Color(hex: 0xE3E6EA), width: 1)
            text(
                ChartScale.label(tick, step: step), at: CGPoint(x: frame.minX - 8, y: y + 4.5), size: 13,
                color: ChartPanel.ink, bold: false, alignment: .trailing)
        }
    }

    /// Draws the left and the lower edge of a frame.
    package func axes(_ frame: CGRect, width: Double) {
        stroke([0, 3, 2].map { frame.corners[$0] }, color: ChartPanel.ink, width: width)
    }

    func nobody(at center: CGPoint) {
        text("no person was seen", at: center, size: 15, color: ChartPanel.pale, alignment: .center)
    }
}
