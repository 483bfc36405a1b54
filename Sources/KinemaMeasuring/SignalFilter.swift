import Foundation
import KinemaCore

/// Filters for evenly sampled signals; NaN marks a missing sample.
enum SignalFilter {
    /// Samples on both sides in Hampel's filter, and the number of deviations of an outlier: Hampel (1974), with
    /// Sports2D's window of 7.
    private static let (hampelReach, hampelDeviations) = (3, 3.0)

    /// Replaces outliers by the median of their neighbours; deviations below `least` are never outliers.
    static func hampel(_ values: [Double], least: Double) -> [Double] {
        values.indices.map { index in
            let near = values[max(0, index - hampelReach)...min(values.count - 1, index + hampelReach)]
                .filter(\.isFinite)
            guard values[index].isFinite, near.count > hampelReach else { return values[index] }
            let median = near.median
            // 1.4826 scales the median deviation to the standard deviation of a normal distribution.
            let spread = max(1.4826 * near.map { abs($0 - median) }.median, least)
            return abs(values[index] - median) > hampelDeviations * spread ? median : values[index]
        }
    }

    /// Fills gaps of up to `longest` samples linearly.
    static func filled(_ values: [Double], longest: Int) -> [Double] {
        var result = values
        var last: Int?
        for index in values.indices where values[index].isFinite {
            if let last, index - last > 1, index - last - 1 <= longest {
                for gap in last + 1..<index {
                    let share = Double(gap - last) / Double(index - last)
                    result[gap] = values[last] + (values[index] - values[last]) * share
                }
            }
            last = index
        }
        return result
    }

    /// The ranges without missing samples.
    static func runs(_ values: [Double]) -> [Range<Int>] { runs(values.count) { values[$0].isFinite } }

    /// The ranges of indices below `count` that satisfy a condition.
    static func runs(_ count: Int, where holds: (Int) -> Bool) -> [Range<Int>] {
        var (runs, start) = ([Range<Int>](), nil as Int?)
        for index in 0...count {
            if index < count, holds(index) {
                start = start ?? index
            } else if let first = start {
                runs.append(first..<index)
                start = nil
            }
        }
        return runs
    }

    /// Butterworth's low-pass of order 2, forwards and backwards, on each run of samples; runs shorter than its padding
    /// of 9 samples stay as they are (as SciPy's `filtfilt`).
    static func lowPass(_ values: [Double], cutOff: Double, rate: Double) -> [Double] {
        // At half the rate there is nothing left to remove.
        guard cutOff > 0, cutOff < 0.49 * rate else { return values }
        let k = tan(.pi * cutOff / rate)
        let norm = 1 / (1 + 2.0.squareRoot() * k + k * k)
        let b0 = k * k * norm
        let (a1, a2) = (2 * (k * k - 1) * norm, (1 - 2.0.squareRoot() * k + k * k) * norm)
        func pass(_ input: [Double]) -> [Double] {
            // The state of a constant signal, so that the filter starts without a step.
            var z2 = (b0 - a2) * (input.first ?? 0)
            var z1 = (2 * b0 - a1) * (input.first ?? 0) + z2
            return input.map { x in
                let y = b0 * x + z1
                z1 = 2 * b0 * x - a1 * y + z2
                z2 = b0 * x - a2 * y
                return y
            }
        }
        var result = values
        let padding = 9
        for run in runs(values) where run.count > padding {
            let part = Array(values[run])
            let (first, last) = (part[0], part[part.count - 1])
            let before = part[1...padding].reversed().map { 2 * first - $0 }
            let after = part[(part.count - 1 - padding)..<(part.count - 1)].reversed().map { 2 * last - $0 }
            let forwards = pass(before + part + after)
            let both = Array(pass(forwards.reversed()).reversed())
            result.replaceSubrange(run, with: both[padding..<(padding + part.count)])
        }
        return result
    }

    /// The rate of change per second, by central differences; one-sided at the ends of a run.
    static func derivative(_ values: [Double], rate: Double) -> [Double] {
        values.indices.map { index in
            let (low, high) = (max(0, index - 1), min(values.count - 1, index + 1))
            let from = values[low].isFinite ? low : index
            let to = values[high].isFinite ? high : index
            return to > from ? (values[to] - values[from]) * rate / Double(to - from) : .nan
        }
    }

    /// The value between samples, at a fractional index; NaN beyond the ends.
    static func value(_ values: [Double], at index: Double) -> Double {
        guard index >= 0, index <= Double(values.count - 1) else { return .nan }
        let low = Int(index)
        let share = index - Double(low)
        return share == 0 ? values[low] : values[low] * (1 - share) + values[low + 1] * share
    }

    /// The coefficients of the least-squares parabola through samples: constant, linear, quadratic; nil for fewer than 3.
    static func parabola(_ points: [(x: Double, y: Double)]) -> (Double, Double, Double)? {
        guard points.count >= 3 else { return nil }
        let middle = points.map(\.x).reduce(0, +) / Double(points.count)
        var s = [Double](repeating: 0, count: 5)
        var t = [0.0, 0, 0]
        for (x, y) in points {
            var power = 1.0
            for degree in 0..<5 {
                s[degree] += power
                if degree < 3 { t[degree] += power * y }
                power *= x - middle
            }
        }
        func determinant(_ a: [Double], _ b: [Double], _ c: [Double]) -> Double {
            a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0])
        }
        let columns = (Array(s[0..<3]), Array(s[1..<4]), Array(s[2..<5]))
        let whole = determinant(columns.0, columns.1, columns.2)
        guard abs(whole) > 1e-15 else { return nil }
        let c0 = determinant(t, columns.1, columns.2) / whole
        let c1 = determinant(columns.0, t, columns.2) / whole
        let c2 = determinant(columns.0, columns.1, t) / whole
        return (c0 - c1 * middle + c2 * middle * middle, c1 - 2 * c2 * middle, c2)
    }
}
