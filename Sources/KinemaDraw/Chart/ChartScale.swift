internal import Foundation

/// An axis: numbers of a range laid out over pixels, with round numbers to write at it.
package struct ChartScale {
    package let range: ClosedRange<Double>
    /// Where the range's lower and upper end lie, pixels; `to` may be less than `from`.
    package let from: Double
    package let to: Double

    /// Makes an axis of a range over pixels.
    package init(range: ClosedRange<Double>, from: Double, to: Double) {
        self.range = range
        self.from = from
        self.to = to
    }

    /// The pixel of a number.
    package func pixel(_ value: Double) -> Double {
        let width = range.upperBound - range.lowerBound
        return from + (to - from) * (width > 0 ? (value - range.lowerBound) / width : 0)
    }

    /// Values held within the range, so that nothing is drawn outside.
    package func clamped(_ value: Double) -> Double {
        pixel(min(max(value, range.lowerBound), range.upperBound))
    }

    /// Round numbers in the range, at most `limit`, and their distance: 1, 2 or 5 times a power of ten.
    package func ticks(atMost limit: Int) -> (values: [Double], step: Double) {
        let width = range.upperBound - range.lowerBound
        guard width > 0, width.isFinite, limit > 0 else { return ([range.lowerBound], 1) }
        let rough = width / Double(limit)
        let power = pow(10, floor(log10(rough)))
        let step = [1.0, 2, 5, 10].map { $0 * power }.first { $0 >= rough } ?? 10 * power
        let first = Int((range.lowerBound / step - 1e-9).rounded(.up))
        let last = Int((range.upperBound / step + 1e-9).rounded(.down))
        return (first <= last ? (first...last).map { Double($0) * step } : [], step)
    }

    /// A tick's number, with as many decimals as the distance of the ticks asks for.
    package static func label(_ value: Double, step: Double) -> String {
        String(format: "%.\(step >= 1 ? 0 : step >= 0.1 ? 1 : 2)f", value == 0 ? 0 : value)
    }
}
