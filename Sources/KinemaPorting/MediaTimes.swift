public import KinemaCore
public import KinemaMedia
public import KinemaVision

// The rarer names of Core Media's times.
#if !canImport(CoreMedia)
    /// What is known of a time.
    public struct CMTimeFlags: OptionSet, Sendable {
        /// The flags' bits.
        public let rawValue: UInt32

        /// Makes flags from bits.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// A time at all; rounded; infinite; not known.
        public static let valid = Self(rawValue: 1), hasBeenRounded = Self(rawValue: 2),
            positiveInfinity = Self(rawValue: 4), negativeInfinity = Self(rawValue: 8), indefinite = Self(rawValue: 16)
    }

    /// How ticks are rounded: halves away from zero, towards zero, away from zero.
    public enum CMTimeRoundingMethod: Sendable {
        /// To the nearest tick, halves away from zero.
        case roundHalfAwayFromZero, `default`
        /// To the next tick in one direction.
        case roundTowardZero, roundAwayFromZero, roundTowardPositiveInfinity, roundTowardNegativeInfinity

        fileprivate var rule: FloatingPointRoundingRule {
            switch self {
            case .roundHalfAwayFromZero, .default: .toNearestOrAwayFromZero
            case .roundTowardZero: .towardZero
            case .roundAwayFromZero: .awayFromZero
            case .roundTowardPositiveInfinity: .up
            case .roundTowardNegativeInfinity: .down
            }
        }
    }

    extension CMTime {
        /// Earlier than every other time.
        public static let negativeInfinity = CMTime(seconds: -.infinity, preferredTimescale: 1)
        /// Whether it is later, or earlier, than every other time.
        public var isPositiveInfinity: Bool { seconds == .infinity }
        /// Whether it is earlier than every other time.
        public var isNegativeInfinity: Bool { seconds == -.infinity }
        /// Always 0: there are no epochs here.
        public var epoch: Int64 { 0 }

        /// What is known of the time; rounding is not recorded.
        public var flags: CMTimeFlags {
            guard isValid else { return [] }
            if isIndefinite { return [.valid, .indefinite] }
            return isNumeric ? .valid : isPositiveInfinity ? [.valid, .positiveInfinity] : [.valid, .negativeInfinity]
        }

        /// The time in other ticks.
        public func convertScale(_ newTimescale: CMTimeScale, method: CMTimeRoundingMethod) -> CMTime {
            guard isNumeric, newTimescale > 0 else { return self }
            let ticks = (Double(value) * Double(newTimescale) / Double(timescale)).rounded(method.rule)
            return CMTime(value: CMTimeValue(ticks), timescale: newTimescale)
        }
    }

    /// The time in other ticks.
    public func CMTimeConvertScale(_ time: CMTime, timescale: Int32, method: CMTimeRoundingMethod) -> CMTime {
        time.convertScale(timescale, method: method)
    }

    /// A multiple of a time.
    public func CMTimeMultiply(_ time: CMTime, multiplier: Int32) -> CMTime {
        CMTimeMultiplyByFloat64(time, multiplier: Double(multiplier))
    }

    /// A multiple of a time, rounded to its ticks.
    public func CMTimeMultiplyByFloat64(_ time: CMTime, multiplier: Double) -> CMTime {
        time.isNumeric
            ? CMTime(seconds: time.seconds * multiplier, preferredTimescale: time.timescale) : time
    }

    /// A fraction of a time, rounded to its ticks.
    public func CMTimeMultiplyByRatio(_ time: CMTime, multiplier: Int32, divisor: Int32) -> CMTime {
        CMTimeMultiplyByFloat64(time, multiplier: Double(multiplier) / Double(divisor))
    }

    /// The earlier of two times.
    public func CMTimeMinimum(_ one: CMTime, _ other: CMTime) -> CMTime { min(one, other) }

    /// The later of two times.
    public func CMTimeMaximum(_ one: CMTime, _ other: CMTime) -> CMTime { max(one, other) }

    /// The time without its sign.
    public func CMTimeAbsoluteValue(_ time: CMTime) -> CMTime { time < .zero ? .zero - time : time }

    /// Whether it is a time at all.
    public func CMTIME_IS_VALID(_ time: CMTime) -> Bool { time.isValid }

    /// Whether it is not a time.
    public func CMTIME_IS_INVALID(_ time: CMTime) -> Bool { !time.isValid }

    /// Whether it is a finite, known time.
    public func CMTIME_IS_NUMERIC(_ time: CMTime) -> Bool { time.isNumeric }

    extension CMTimeRange {
        /// No time at the start.
        public static let zero = CMTimeRange(start: .zero, duration: .zero)
        /// Not a range.
        public static let invalid = CMTimeRange(start: .invalid, duration: .invalid)
        /// Whether it is a range at all.
        public var isValid: Bool { start.isValid && duration.isValid && duration >= .zero }
        /// Whether it has no length.
        public var isEmpty: Bool { isValid && duration == .zero }

        /// What two ranges share; without length if nothing.
        public func intersection(_ other: CMTimeRange) -> CMTimeRange {
            let first = max(start, other.start)
            return CMTimeRange(start: first, end: max(first, min(end, other.end)))
        }
    }

    /// The first moment after a range.
    public func CMTimeRangeGetEnd(_ range: CMTimeRange) -> CMTime { range.end }

    /// Whether a time is within a range.
    public func CMTimeRangeContainsTime(_ range: CMTimeRange, time: CMTime) -> Bool { range.containsTime(time) }

    /// Makes a range from its start and its end.
    public func CMTimeRangeFromTimeToTime(start: CMTime, end: CMTime) -> CMTimeRange {
        CMTimeRange(start: start, end: end)
    }

    /// When a sample is shown and for how long.
    public struct CMSampleTimingInfo: Hashable, Sendable {
        /// The sample's length, when it is shown, and when it is decoded.
        public var duration, presentationTimeStamp, decodeTimeStamp: CMTime

        /// Makes the times of a sample.
        public init(
            duration: CMTime = .invalid, presentationTimeStamp: CMTime = .invalid, decodeTimeStamp: CMTime = .invalid
        ) {
            (self.duration, self.presentationTimeStamp) = (duration, presentationTimeStamp)
            self.decodeTimeStamp = decodeTimeStamp
        }
    }

    /// The time for which a sample is shown.
    public func CMSampleBufferGetDuration(_ sampleBuffer: CMSampleBuffer) -> CMTime { sampleBuffer.duration }

    /// Whether a sample can be read: always.
    public func CMSampleBufferIsValid(_ sampleBuffer: CMSampleBuffer) -> Bool { true }

    /// Whether a sample's picture is there: always.
    public func CMSampleBufferDataIsReady(_ sampleBuffer: CMSampleBuffer) -> Bool { true }
#endif
