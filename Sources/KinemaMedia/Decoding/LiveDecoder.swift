import Foundation
import KinemaCore

/// Decodes one connection to a camera or a stream until it is lost. Synchronous; for one thread.
final class LiveDecoder {
    /// A picture as received.
    struct ReceivedPicture {
        var picture: DecodedPicture
        /// The source's own timestamp in ticks of `LiveTimestampMapper`; nil if it has none.
        var timestamp: Int?
    }

    let facts: StreamFacts
    private let input: MediaInput
    private let options: LiveOptions
    private let limits: ReadingLimits
    private let container: ContainerHandle
    private let codec: CodecHandle
    private let packet: PacketHandle
    private let cancellation: CancellationFlag
    /// When the camera ran dry, and when packets stopped yielding pictures; nil while all is well. Both count only
    /// while someone reads, since the reader may pause.
    private var silentSince: Duration?
    private var undecodedSince: Duration?
    private var consecutiveReadErrors = 0

    /// How often a camera is polled for a picture: four times a frame at 60 frames a second.
    private static let cameraPollInterval = Duration.milliseconds(4)

    init(
        _ input: MediaInput, _ container: ContainerHandle, reading: ReadingOptions, cancellation: CancellationFlag
    ) throws(KinemaError) {
        self.input = input
        (options, limits) = (reading.live, reading.limits)
        self.container = container
        self.cancellation = cancellation
        facts = container.facts()
        try limits.check(width: facts.width, height: facts.height, source: input.source)
        codec = try container.makeDecoder(reading)
        packet = try PacketHandle()
    }

    /// Whether a device left pictures to the processor.
    var isPassedOver: Bool { codec.isPassedOver }

    /// Whether the source timestamps its pictures. Some formats have no timestamps, or made-up ones.
    var hasTimestamps: Bool { !Self.formatsWithoutTimestamps.contains(facts.container) }

    private static let formatsWithoutTimestamps: Set<String> = [
        "mpjpeg", "mjpeg", "h264", "hevc", "m4v", "mpegvideo", "obu", "vvc",
    ]

    /// Returns the next picture; nil at `end` on the monotonic clock, or when a camera's test source ends.
    ///
    /// Throws `ConnectionLoss` when the source is lost, `KinemaError` when a picture is refused, and CancellationError.
    func next(until end: Duration?) throws -> ReceivedPicture? {
        while true {
            if cancellation.isRaised { throw CancellationError() }
            if let end, MonotonicClock.now >= end { return nil }
            switch try codec.receive() {
            case .frame(let frame): return try arrival(frame)
            case .needsPacket:
                guard try feed(until: end) else { return nil }
            case .failure: continue
            case .end: throw ConnectionLoss.ended
            }
        }
    }

    /// Sends the next packet to the decoder; false if there are no more.
    private func feed(until end: Duration?) throws -> Bool {
        let now = MonotonicClock.now
        guard now - (undecodedSince ?? now) < max(options.connectionTimeout, options.silenceTimeout) else {
            throw ConnectionLoss.undecodable
        }
        let remaining = end.map { min($0 - now, options.silenceTimeout) } ?? options.silenceTimeout
        switch container.readPacket(into: packet, timeout: max(remaining, .zero)) {
        case .packet:
            (silentSince, consecutiveReadErrors) = (nil, 0)
            undecodedSince = undecodedSince ?? MonotonicClock.now
            _ = codec.send(packet)
            packet.clear()
        case .notReady:
            silentSince = silentSince ?? now
            guard now - (silentSince ?? now) < options.silenceTimeout else {
                throw ConnectionLoss.timedOut(options.silenceTimeout)
            }
            MonotonicClock.sleep(for: Self.cameraPollInterval)
        case .damaged:
            consecutiveReadErrors += 1
            guard consecutiveReadErrors < InputLimits.maximumConsecutiveReadErrors else {
                throw ConnectionLoss.undecodable
            }
        case .end:
            if case .camera = input { return false }
            throw ConnectionLoss.ended
        case .failure:
            // `next` finds out whether reading was cancelled or has ended.
            if cancellation.isRaised || end.map({ MonotonicClock.now >= $0 }) == true { return true }
            throw container.hasTimedOut ? .timedOut(options.silenceTimeout) : ConnectionLoss(reason: failure)
        }
        return true
    }

    private var failure: String {
        if case .camera(let configuration) = input {
            let isFilter = configuration.filter != nil
            return KinemaError.unusable(input.source, container.lastFailure, isFilter: isFilter).message
        }
        return KinemaError.broken(input.source, container.lastFailure).message
    }

    private func arrival(_ frame: FrameHandle) throws -> ReceivedPicture {
        let aspect = facts.honoursPixelAspect ? PixelAspect(container: facts.pixelAspect, frame: frame) : .square
        let size = aspect.squareSize(width: frame.width, height: frame.height)
        try limits.check(width: size.width, height: size.height, source: input.source)
        let picture = try DecodedPicture(
            frame, orientation: facts.orientation, isPicture: false, pixelAspect: aspect)
        undecodedSince = nil
        return ReceivedPicture(picture: picture, timestamp: frame.timestamp.flatMap(ticks))
    }

    /// Stream units in ticks; nil if out of range.
    private func ticks(_ units: Int64) -> Int? {
        let ticks = facts.timeBase.seconds(units) * Double(LiveTimestampMapper.timescale)
        return abs(ticks) < 1e15 ? Int(ticks.rounded()) : nil
    }
}

/// Maps the timestamps of a live source to the stream's time ranges.
///
/// Times increase strictly. While connected, the source's own timestamps count; a reconnection leaves a gap of its true
/// length. All numbers are ticks since the first frame arrived; `arrived` comes from the monotonic clock.
struct LiveTimestampMapper {
    /// Ticks a second: the RTP clock rate for video (RFC 3551, 5) and that of MPEG-TS, so their timestamps stay exact.
    static let timescale = 90_000

    /// Jumps of the source's clock, after which the arrival time counts.
    private(set) var jumps = 0
    private let usesTimestamps: Bool
    /// Added to a timestamp; nil until the connection's first frame.
    private var offset: Int?
    private var last: Int?
    /// Whether the next frame is the first of its connection.
    private var isFresh = true
    /// Ticks between the last two frames.
    private var step: Int

    /// A larger difference between the two clocks is a jump, not a network delay.
    static var maximumDelay: Int { 5 * timescale }
    /// Smaller differences are network jitter and are not corrected.
    private static var jitter: Int { timescale / 4 }
    /// A lasting difference, such as clock drift, is reduced by this fraction at each frame: so slowly that a delay of
    /// one second changes no frame interval by more than a hundredth.
    private static var correctionDivisor: Int { 10_000 }

    init(usesTimestamps: Bool, nominalRate: Double?) {
        self.usesTimestamps = usesTimestamps
        // Without a known rate, assume 25 frames a second, as FFmpeg does for raw streams.
        step = Int(Double(Self.timescale) / (nominalRate ?? 25))
    }

    /// Starts a new connection, whose timestamps are unrelated to earlier ones.
    mutating func reconnect() {
        offset = nil
        isFresh = true
    }

    /// When a frame is due; nil if its timestamp is unusable.
    func due(_ timestamp: Int?) -> Int? {
        guard usesTimestamps, let timestamp, let offset else { return nil }
        return timestamp + offset
    }

    /// The next frame's time range, up to when the following frame is expected.
    mutating func range(timestamp: Int?, arrived: Int) -> Range<Int> {
        let start = start(timestamp: usesTimestamps ? timestamp : nil, arrived: arrived)
        if let last, !isFresh { step = min(max(start - last, 1), Self.timescale) }
        if let timestamp, usesTimestamps, offset == nil { offset = start - timestamp }
        (last, isFresh) = (start, false)
        return start..<start + step
    }

    private mutating func start(timestamp: Int?, arrived: Int) -> Int {
        let earliest = last.map { $0 + 1 } ?? 0
        let byClock = last == nil ? 0 : max(arrived, earliest)
        guard let timestamp, let offset else { return byClock }
        let start = timestamp + offset
        let ahead = start - arrived
        guard start >= earliest, abs(ahead) <= Self.maximumDelay else {
            jumps += 1
            self.offset = byClock - timestamp
            return byClock
        }
        if abs(ahead) > Self.jitter {
            self.offset = offset - (ahead - ahead.signum() * Self.jitter) / Self.correctionDivisor
        }
        return start
    }
}
