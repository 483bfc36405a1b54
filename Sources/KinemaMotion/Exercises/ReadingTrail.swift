import Foundation

/// The readings of the last seconds, with statistics of a time range.
struct ReadingTrail: Sendable {
    /// The time for which readings are kept, seconds.
    let memory: TimeInterval
    private(set) var readings: [BodyReading] = []

    mutating func append(_ reading: BodyReading) {
        readings.append(reading)
        if let first = readings.first, reading.time - first.time > memory {
            readings.removeFirst(readings.count / 4)
        }
    }

    func between(_ start: TimeInterval, _ end: TimeInterval) -> ArraySlice<BodyReading> {
        guard start <= end else { return [] }
        let first = readings.partitioningIndex { $0.time >= start - 1e-6 }
        let last = readings.partitioningIndex { $0.time > end + 1e-6 }
        return readings[min(first, last)..<last]
    }
}

extension Collection<BodyReading> {
    /// A statistic of a measure, in space or as the picture shows it; nil when no reading has it.
    func value(_ measure: BodyMeasure, _ statistic: BodyTrait.Statistic, inPicture: Bool = false) -> Double? {
        let values = map { Double(inPicture ? $0.inPicture(measure) : $0[measure]) }.filter(\.isFinite).sorted()
        guard !values.isEmpty else { return nil }
        func quantile(_ share: Double) -> Double {
            // Interpolated, so that the frame rate matters little.
            let place = share * Double(values.count - 1)
            let low = Int(place)
            let high = Swift.min(low + 1, values.count - 1)
            return values[low] + (values[high] - values[low]) * (place - Double(low))
        }
        return switch statistic {
        case .low: quantile(0.05)
        case .high: quantile(0.95)
        case .middle: quantile(0.5)
        case .range: quantile(0.95) - quantile(0.05)
        }
    }

    /// The middle view of the camera; nil when no reading shows it.
    var view: BodyView? { value(.view, .middle).map { BodyView(degrees: Float($0)) } }

    /// The mean confidence of a measure's joints.
    func confidence(of measure: BodyMeasure) -> Double {
        isEmpty ? 0 : Double(reduce(0) { $0 + $1.confidence(of: measure) }) / Double(count)
    }
}
