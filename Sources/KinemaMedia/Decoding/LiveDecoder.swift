internal import Foundation
internal import KinemaCore

/// Decodes one connection to a camera or a stream, from its first picture until it is lost. Synchronous, for one thread.
final class LiveDecoder {
    /// A picture as it came.
    struct Arrival {
        var picture: DecodedPicture
        /// The source's own time in ticks of `LiveTimeline`; nil when it gives none.
        var stamp: Int?
    }

    let facts: StreamFacts
    private let input: MediaInput
    private let options: LiveOptions
    private let limits: ReadingLimits
    private let container: ContainerHandle
    private let codec: CodecHandle
    private let packet: PacketHandle
    private let cancellation: CancellationFlag
    /// Since when a camera has had nothing, and since when packets have made no picture; nil when all is well. Not since the
    /// last packet or picture: whoever reads may have been away.
    private var silentSince: Duration?
    private var blindSince: Duration?
    private var readErrorsInRow = 0

    /// How often a camera is asked for a picture that is not there yet: four times a frame at 60 a second.
    private static let cameraPause = Duration.milliseconds(4)

    init(
        _ input: MediaInput, _ container: ContainerHandle, reading: ReadingOptions, cancellation: CancellationFlag
    ) throws(KinemaError) {
        self.input = input
        (options, limits) = (reading.live, reading.limits)
        self.container = container
        self.cancellation = cancellation
        facts = container.facts()
        try limits.check(width: facts.width, height: facts.height, source: input.source)
        codec = try container.makeDecoder(threads: reading.decodingThreads)
        packet = try PacketHandle()
    }

    /// Whether the source tells when its pictures were taken; the others come without, or with made-up stamps.
    var givesStamps: Bool { !Self.withoutStamps.contains(facts.container) }

    private static let withoutStamps: Set<String> = [
        "mpjpeg", "mjpeg", "h264", "hevc", "m4v", "mpegvideo", "obu", "vvc",
    ]

    /// The next picture; nil when `end`, by the machine's clock, has come first or the stand-in for a camera is at its end.
    ///
    /// Throws `LiveLoss` when the source is lost, `KinemaError` when its pictures are refused, and CancellationError.
    func next(until end: Duration?) throws -> Arrival? {
        while true {
            if cancellation.isRaised { throw CancellationError() }
            if let end, MachineClock.now >= end { return nil }
            switch try codec.receive() {
            case .frame(let frame): return try arrival(frame)
            case .needsPacket:
                guard try feed(until: end) else { return nil }
            case .failure: continue
            case .end: throw LiveLoss.ended
            }
        }
    }

    /// Gives the decoder the next packet; false when there will be none.
    private func feed(until end: Duration?) throws -> Bool {
        let now = MachineClock.now
        guard now - (blindSince ?? now) < max(options.connectionTimeout, options.silenceTimeout) else {
            throw LiveLoss.undecodable
        }
        let remaining = end.map { min($0 - now, options.silenceTimeout) } ?? options.silenceTimeout
        switch container.readPacket(into: packet, timeout: max(remaining, .zero)) {
        case .packet:
            (silentSince, readErrorsInRow) = (nil, 0)
            blindSince = blindSince ?? MachineClock.now
            _ = codec.send(packet)
            packet.clear()
        case .nothingYet:
            silentSince = silentSince ?? now
            guard now - (silentSince ?? now) < options.silenceTimeout else {
                throw LiveLoss.silent(options.silenceTimeout)
            }
            MachineClock.rest(Self.cameraPause)
        case .damage:
            readErrorsInRow += 1
            guard readErrorsInRow < InputLimits.readErrorsInRow else { throw LiveLoss.undecodable }
        case .end:
            if case .camera = input { return false }
            throw LiveLoss.ended
        case .failure:
            // `next` tells whether it was cancelled, or is over.
            if cancellation.isRaised || end.map({ MachineClock.now >= $0 }) == true { return true }
            throw container.isOverdue ? .silent(options.silenceTimeout) : LiveLoss(reason: failure)
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

    private func arrival(_ frame: FrameHandle) throws -> Arrival {
        let aspect = facts.honoursPixelAspect ? PixelAspect(container: facts.pixelAspect, frame: frame) : .square
        let size = aspect.squareSize(width: frame.width, height: frame.height)
        try limits.check(width: size.width, height: size.height, source: input.source)
        let picture = try DecodedPicture(
            frame, orientation: facts.orientation, isPicture: false, pixelAspect: aspect)
        blindSince = nil
        return Arrival(picture: picture, stamp: frame.stamp.flatMap(ticks))
    }

    /// Stream units in ticks; nil where that is no sensible number.
    private func ticks(_ units: Int64) -> Int? {
        let ticks = facts.timeBase.seconds(units) * Double(LiveTimeline.timescale)
        return abs(ticks) < 1e15 ? Int(ticks.rounded()) : nil
    }
}
