package import Foundation

#if !canImport(CoreMedia)
    /// The number of ticks of a time.
    public typealias CMTimeValue = Int64
    /// Ticks a second.
    public typealias CMTimeScale = Int32

    /// A time in exact ticks, with the names of Core Media, which exists only on Apple's systems.
    public struct CMTime: Hashable, Comparable, Sendable, Codable {
        private enum Kind: Int, Codable { case negativeInfinity, numeric, positiveInfinity, indefinite, invalid }

        /// The number of ticks; 0 unless numeric.
        public let value: CMTimeValue
        /// Ticks a second; 0 unless numeric.
        public let timescale: CMTimeScale
        private let kind: Kind

        /// Makes a time of `value` ticks; it is invalid if `timescale` is not positive.
        public init(value: CMTimeValue, timescale: CMTimeScale) {
            (self.value, self.timescale, kind) = timescale > 0 ? (value, timescale, .numeric) : (0, 0, .invalid)
        }

        /// Makes a time from seconds, rounded to ticks; infinities stay infinite, what is no number is invalid.
        public init(seconds: Double, preferredTimescale: CMTimeScale) {
            let ticks = (seconds * Double(preferredTimescale)).rounded()
            if seconds.isNaN {
                self = .invalid
            } else if abs(ticks) < 0x1p62 {
                self.init(value: CMTimeValue(ticks), timescale: preferredTimescale)
            } else {
                self = ticks > 0 ? .positiveInfinity : CMTime(.negativeInfinity)
            }
        }

        private init(_ kind: Kind) { (value, timescale, self.kind) = (0, 0, kind) }

        /// No time has passed.
        public static let zero = CMTime(value: 0, timescale: 1)
        /// Not a time.
        public static let invalid = CMTime(.invalid)
        /// A time that is not known.
        public static let indefinite = CMTime(.indefinite)
        /// Later than every other time.
        public static let positiveInfinity = CMTime(.positiveInfinity)

        /// The time in seconds; infinite or not a number unless numeric.
        public var seconds: Double {
            switch kind {
            case .numeric: Double(value) / Double(timescale)
            case .positiveInfinity: .infinity
            case .negativeInfinity: -.infinity
            case .indefinite, .invalid: .nan
            }
        }

        /// Whether it is a time at all.
        public var isValid: Bool { kind != .invalid }
        /// Whether it is a finite, known time.
        public var isNumeric: Bool { kind == .numeric }
        /// Whether it is a time that is not known.
        public var isIndefinite: Bool { kind == .indefinite }

        /// Compares as fractions: 1/2 s is 15/30 s.
        public static func == (one: CMTime, other: CMTime) -> Bool { !(one < other) && !(other < one) }

        /// Whether one time is before the other; what is not numeric is ordered as in Core Media.
        public static func < (one: CMTime, other: CMTime) -> Bool {
            guard one.isNumeric, other.isNumeric else { return one.kind.rawValue < other.kind.rawValue }
            let left = one.value.multipliedFullWidth(by: CMTimeValue(other.timescale))
            let right = other.value.multipliedFullWidth(by: CMTimeValue(one.timescale))
            return (left.high, left.low) < (right.high, right.low)
        }

        /// Hashes the fraction in lowest terms.
        public func hash(into hasher: inout Hasher) {
            var (a, b) = (value.magnitude, UInt64(timescale))
            while b != 0 { (a, b) = (b, a % b) }
            hasher.combine(kind)
            hasher.combine(a == 0 ? 0 : value / CMTimeValue(a))
        }

        /// The sum, in the finer of the two time scales.
        public static func + (one: CMTime, other: CMTime) -> CMTime { sum(one, other, sign: 1) }

        /// The difference, in the finer of the two time scales.
        public static func - (one: CMTime, other: CMTime) -> CMTime { sum(one, other, sign: -1) }

        private static func sum(_ one: CMTime, _ other: CMTime, sign: CMTimeValue) -> CMTime {
            guard one.isNumeric, other.isNumeric else { return one.isNumeric ? other : one }
            if one.timescale == other.timescale {
                return CMTime(value: one.value + sign * other.value, timescale: one.timescale)
            }
            return CMTime(
                seconds: one.seconds + Double(sign) * other.seconds,
                preferredTimescale: max(one.timescale, other.timescale))
        }
    }

    /// A time in seconds.
    public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }

    /// Makes a time of `value` ticks.
    public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime { CMTime(value: value, timescale: timescale) }

    /// Makes a time from seconds, rounded to ticks.
    public func CMTimeMakeWithSeconds(_ seconds: Double, preferredTimescale: Int32) -> CMTime {
        CMTime(seconds: seconds, preferredTimescale: preferredTimescale)
    }

    /// The sum of two times, as `+`.
    public func CMTimeAdd(_ one: CMTime, _ other: CMTime) -> CMTime { one + other }

    /// The difference of two times, as `-`.
    public func CMTimeSubtract(_ one: CMTime, _ other: CMTime) -> CMTime { one - other }

    /// -1 if the first time is before the second, 1 if it is after it, otherwise 0.
    public func CMTimeCompare(_ one: CMTime, _ other: CMTime) -> Int32 { one < other ? -1 : other < one ? 1 : 0 }

    /// Makes a range from its start and its length.
    public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange {
        CMTimeRange(start: start, duration: duration)
    }

    /// A start and a duration, with the names of Core Media.
    public struct CMTimeRange: Hashable, Sendable, Codable {
        /// The first moment, and the length.
        public var start, duration: CMTime

        /// Makes a range from its start and its length.
        public init(start: CMTime, duration: CMTime) { (self.start, self.duration) = (start, duration) }

        /// Makes a range from its start and its end.
        public init(start: CMTime, end: CMTime) { self.init(start: start, duration: end - start) }

        /// The first moment after the range.
        public var end: CMTime { start + duration }

        /// Whether a time is within the range.
        public func containsTime(_ time: CMTime) -> Bool { time >= start && time < end }
    }
#endif

extension CMTimeRange {
    /// A range of seconds in nanoseconds, the finest ticks that whole videos need.
    package init(_ seconds: Range<TimeInterval>) {
        self.init(
            start: CMTime(seconds: seconds.lowerBound, preferredTimescale: 1_000_000_000),
            end: CMTime(seconds: seconds.upperBound, preferredTimescale: 1_000_000_000))
    }
}

extension TemporalSegmentIdentifier {
    /// The range in exact ticks.
    package var timeRange: CMTimeRange {
        let ticks = CMTimeScale(clamping: timescale)
        return CMTimeRange(
            start: CMTime(value: CMTimeValue(range.lowerBound), timescale: ticks),
            duration: CMTime(value: CMTimeValue(range.count), timescale: ticks))
    }
}
