import Foundation
import KinemaCore

/// Decodes one connection to a camera or a stream until it is lost. Synchronous; for one thread.
final class LiveDecoder {
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
    /// The start of the camera's silence, and of packets without pictures; nil otherwise. Counts while a reader waits.
    private var silentSince: Duration?
    private var undecodedSince: Duration?
    private var consecutiveReadErrors = 0

    /// The interval of polling a camera: four times a frame at 60 frames a second.
    private static let cameraPollInterval = Duration.milliseconds(4)

    init(
        _ input: MediaInput, _ container: ContainerHandle, reading: ReadingOptions, cancellation: CancellationFlag
    ) throws(KinemaError) {
        self.input = input
        (options, limits) = (reading.live, reading.limits)
        (self.container, self.cancellation) = (container, cancellation)
        facts = container.facts()
        try limits.check(width: facts.width, height: facts.height, source: input.source)
        codec = try container.makeDecoder(reading)
        packet = try PacketHandle()
    }

    /// Whether the source timestamps its pictures. Some formats have no timestamps, or artificial ones.
    var hasTimestamps: Bool { !Self.formatsWithoutTimestamps.contains(facts.container) }

    private static let formatsWithoutTimestamps: Set<String> = [
        "mpjpeg", "mjpeg", "h264", "hevc", "m4v", "mpegvideo", "obu", "vvc",
    ]

    /// Returns the next picture; nil at `end` on the monotonic clock, or when a test source ends.
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
        let picture = try DecodedPicture(frame, orientation: facts.orientation, isPicture: false, pixelAspect: aspect)
        undecodedSince = nil
        let ticks = frame.timestamp.map { facts.timeBase.seconds($0) * Double(LiveTimestampMapper.timescale) }
        let timestamp = ticks.flatMap { abs($0) < 1e15 ? Int($0.rounded()) : nil }
        return ReceivedPicture(picture: picture, timestamp: timestamp)
    }
}
