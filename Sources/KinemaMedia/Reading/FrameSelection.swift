package import KinemaCore

/// The frames of an input that are analysed.
package enum FrameSelection: Hashable, Sendable, Codable {
    /// Every Nth frame; 1 for all.
    case every(Int)
    /// About this many frames a second of a faster recording, evenly spaced.
    case perSecond(Double)

    package static let all = every(1)

    /// The most frames that are left out between two, for which a video is still drawn on every frame.
    private static let longestGap = 16

    /// Whether frames that are left out may be shown with positions between those analysed.
    package var isDense: Bool {
        switch self {
        case .every(let step): step <= Self.longestGap
        case .perSecond: true
        }
    }

    /// The most frames that an input's reader may have to decode for one that it delivers; 1 if that is a few.
    var longestWait: Int {
        switch self {
        case .every(let step): step
        case .perSecond: 1
        }
    }
}

/// A selection for one input: which of its frames are analysed, by their times where the rate is known, so that every
/// reader of a file selects the same frames wherever it begins.
package struct FrameStep: Hashable, Sendable {
    private enum Rule: Hashable {
        case all
        /// Every Nth frame that arrives.
        case counted(Int)
        /// The frame at each multiple of the period after the offset, in seconds.
        case timed(period: Double, offset: Double)
        /// The first frame after each period, in seconds, in a stream whose times may jump.
        case paced(period: Double, slack: Double)
    }

    /// A longer time is invalid, and sums with it would overflow.
    private static let mostTicks = 0x1p60

    private let rule: Rule

    /// The rule in words that are the same in every process.
    package var identity: String {
        switch rule {
        case .all: "all"
        case .counted(let step): "every \(step)"
        case .timed(let period, let offset): "every \(period) s after \(offset)"
        case .paced(let period, let slack): "every \(period) s within \(slack)"
        }
    }

    /// The number of frames for each that is analysed.
    let factor: Int
    private var number = 0
    /// The time from which the next frame is due.
    private var due = -Double.infinity

    init(_ selection: FrameSelection, _ stream: StreamDescription) {
        let rate = stream.frameRate
        switch selection {
        case .every(let step):
            factor = max(1, step)
            let isTimed = stream.hasConstantRate && rate > 0 && !stream.isLive
            rule =
                factor == 1
                ? .all : isTimed ? .timed(period: Double(factor) / rate, offset: 0.5 / rate) : .counted(factor)
        case .perSecond(let wanted):
            factor = rate > 0 ? max(1, Int((rate / wanted).rounded())) : 1
            let period = rate > 0 ? Double(factor) / rate : 1 / wanted
            // Tolerates times that are rounded, to milliseconds in many containers.
            let half = rate > 0 ? 0.5 / rate : 0.001
            rule =
                factor == 1 && rate > 0
                ? .all : stream.isLive ? .paced(period: period, slack: half) : .timed(period: period, offset: half)
        }
    }

    /// Whether all frames are analysed.
    package var takesAll: Bool { rule == .all }

    /// Whether readers that begin in the middle of a file select the same frames.
    var isPositional: Bool { if case .counted = rule { false } else { true } }

    /// Whether the next frame is analysed; the first one always is.
    package mutating func takes(_ id: TemporalSegmentIdentifier) -> Bool {
        let time = id.rangeInSeconds
        switch rule {
        case .all: return true
        case .counted(let step):
            defer { number += 1 }
            return number % step == 0
        case .timed(let period, let offset):
            func passed(_ time: Double) -> Double { ((time - offset) / period).rounded(.up) }
            return id.range.lowerBound == 0 || passed(time.lowerBound) != passed(time.upperBound)
        case .paced(let period, let slack):
            guard time.lowerBound + slack >= due || time.lowerBound < due - 2 * period else { return false }
            due = time.lowerBound + slack >= due + period ? time.lowerBound + period : due + period
            return true
        }
    }

    /// The identifier of an analysed frame, lasting until the next one is due.
    package func lasting(_ id: TemporalSegmentIdentifier) -> TemporalSegmentIdentifier {
        let period: Double
        switch rule {
        case .all: return id
        case .counted(let step): period = Double(step) * id.durationInSeconds
        case .timed(let length, _), .paced(let length, _): period = length
        }
        return id.extended(to: id.range.lowerBound + Int(min(period * Double(id.timescale), Self.mostTicks).rounded()))
    }
}

extension TemporalSegmentIdentifier {
    /// The same beginning with a later end.
    func extended(to end: Int) -> TemporalSegmentIdentifier {
        TemporalSegmentIdentifier(
            source: source, range: range.lowerBound..<max(range.upperBound, end), timescale: timescale)
    }
}

/// Delivers the selected frames of another decoder; each lasts until the next. Synchronous; for one thread.
final class SelectingDecoder: FrameDecoding {
    let description: StreamDescription
    private let decoder: any FrameDecoding
    private var step: FrameStep
    /// A selected frame whose end is not known yet.
    private var waiting: VideoFrame?

    private init(_ decoder: any FrameDecoding, _ step: FrameStep) {
        (self.decoder, self.step, description) = (decoder, step, decoder.description)
    }

    /// The decoder itself if all of its frames are selected.
    static func selecting(_ selection: FrameSelection, of decoder: any FrameDecoding) -> any FrameDecoding {
        let step = FrameStep(selection, decoder.description)
        return step.takesAll ? decoder : SelectingDecoder(decoder, step)
    }

    func next() throws -> VideoFrame? {
        while let frame = try decoder.next() {
            let isTaken = step.takes(frame.id)
            if description.isLive {
                // The next frame may be long in coming.
                guard isTaken else { continue }
                return VideoFrame(frame, id: step.lasting(frame.id))
            }
            guard isTaken else {
                waiting = waiting.map { VideoFrame($0, id: $0.id.extended(to: frame.id.range.upperBound)) }
                continue
            }
            defer { waiting = frame }
            if let waiting { return waiting }
        }
        return waiting.take()
    }
}
