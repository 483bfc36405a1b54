import KinemaCore

/// Reads a camera or a stream, reconnects after each loss, and timestamps the frames. Synchronous; for one thread.
final class ReconnectingDecoder: FrameDecoding {
    let description: StreamDescription
    private let input: MediaInput
    private let reading: ReadingOptions
    private let cancellation: CancellationFlag
    private var decoder: LiveDecoder?
    private var first: LiveDecoder.ReceivedPicture?
    private var mapper: LiveTimestampMapper
    private var frozen: FrozenFrameDetector
    /// The monotonic time of the first frame, and that of the end of the run.
    private let began: Duration
    private let end: Duration?
    private let isPaced: Bool

    private var options: LiveOptions { reading.live }

    private static let cancellationCheckInterval = Duration.milliseconds(20)

    /// Waits for the first frame of a connected source, so that an unreadable source fails here.
    init(_ input: MediaInput, _ container: ContainerHandle, reading: ReadingOptions, cancellation: CancellationFlag)
        throws
    {
        (self.input, self.reading, self.cancellation) = (input, reading, cancellation)
        let decoder = try LiveDecoder(input, container, reading: reading, cancellation: cancellation)
        let first: LiveDecoder.ReceivedPicture?
        do {
            first = try decoder.next(until: nil)
        } catch let loss as ConnectionLoss {
            throw KinemaError(.unreadableInput, loss.reason + "; check the source", file: input.source)
        }
        guard let first else {
            throw KinemaError.unreadable("ended before its first frame; check the source", input.source)
        }
        (self.decoder, self.first) = (decoder, first)
        began = MonotonicClock.now
        end = reading.live.duration.map { [began] in began + $0 }
        let rate = decoder.hasTimestamps ? decoder.facts.frameRate : nil
        mapper = LiveTimestampMapper(usesTimestamps: decoder.hasTimestamps, nominalRate: rate)
        frozen = FrozenFrameDetector(timeout: reading.live.frozenTimeout)
        isPaced = decoder.hasTimestamps && input.arrivesFasterThanRealTime
        description = StreamDescription(
            width: first.picture.width, height: first.picture.height, frameRate: rate ?? 0,
            timescale: LiveTimestampMapper.timescale, duration: 0, expectedFrameCount: nil, isLive: true)
        reading.onState?(.live)
    }

    /// Returns the next frame, or nil after the run; throws CancellationError, and `KinemaError` when it gives up.
    func next() throws -> VideoFrame? {
        while true {
            do {
                guard let arrival = try first ?? decoder?.next(until: end) else { return nil }
                first = nil
                return try frame(arrival)
            } catch let loss as ConnectionLoss {
                guard try reconnect(loss.reason) else { return nil }
            }
        }
    }

    private func frame(_ arrival: LiveDecoder.ReceivedPicture) throws -> VideoFrame? {
        if isPaced, let due = mapper.due(arrival.timestamp) { try wait(for: due) }
        let now = MonotonicClock.now - began
        if frozen.isFrozen(arrival.picture.digest, at: now) {
            throw ConnectionLoss.frozen(options.frozenTimeout ?? .zero)
        }
        let jumps = mapper.jumps
        let range = mapper.range(timestamp: arrival.timestamp, arrived: ticks(now))
        if mapper.jumps > jumps, jumps == 0 {
            reading.diagnostics?.report(
                Diagnostic(
                    "live.clock", "the source's clock jumped; this machine's clock takes over", file: input.source,
                    time: now / .seconds(1)))
        }
        if let duration = options.duration, range.lowerBound >= ticks(duration) { return nil }
        return VideoFrame(
            arrival.picture,
            id: TemporalSegmentIdentifier(source: input.source, range: range, timescale: LiveTimestampMapper.timescale))
    }

    /// Waits until a frame is due. A due time too far ahead is a jump of the source's clock.
    private func wait(for due: Int) throws {
        let ahead = due - ticks(MonotonicClock.now - began)
        guard ahead > 0, ahead < LiveTimestampMapper.maximumDelay else { return }
        try sleep(.seconds(Double(ahead) / Double(LiveTimestampMapper.timescale)))
    }

    private func ticks(_ duration: Duration) -> Int {
        Int(duration / .seconds(1) * Double(LiveTimestampMapper.timescale))
    }

    /// Tries to reconnect until the source is back; false if the run ends first.
    private func reconnect(_ reason: String) throws -> Bool {
        decoder = nil
        reading.onState?(.reconnecting(reason: reason))
        let lost = MonotonicClock.now
        var backoff = ReconnectBackoff(options)
        while true {
            let attempt = backoff.next()
            try sleep(attempt.pause)
            let now = MonotonicClock.now
            if let end, now >= end { return false }
            if let limit = options.givesUpAfter, now - lost >= limit {
                throw KinemaError(
                    .unreadableInput, "lost and not reconnected: \(reason)", file: input.source,
                    time: (lost - began) / .seconds(1))
            }
            guard try connect(attempt) else { continue }
            let seconds = Double(Int((MonotonicClock.now - lost) / .milliseconds(100))) / 10
            let attempts = PlainText.counted(backoff.attempts, "attempt")
            reading.diagnostics?.report(
                Diagnostic(
                    "live.reconnected", "\(reason); reconnected after \(seconds) s and \(attempts)",
                    file: input.source, time: (lost - began) / .seconds(1)))
            return true
        }
    }

    private func connect(_ attempt: ReconnectBackoff.Attempt) throws -> Bool {
        do {
            let container = try ContainerHandle(
                input, cancellation: cancellation, limits: reading.limits, timeout: attempt.timeout,
                readTimeout: options.silenceTimeout, gate: reading.gate)
            let decoder = try LiveDecoder(input, container, reading: reading, cancellation: cancellation)
            first = try decoder.next(until: end)
            self.decoder = decoder
        } catch let error where error is ConnectionLoss || error is KinemaError {
            if cancellation.isRaised { throw CancellationError() }
            return false
        }
        mapper.reconnect()
        reading.onState?(.live)
        return true
    }

    /// Waits, but not beyond the end of the run.
    private func sleep(_ duration: Duration) throws {
        let until = min(MonotonicClock.now + duration, end ?? .seconds(Int64.max / 2))
        while true {
            if cancellation.isRaised { throw CancellationError() }
            let remaining = until - MonotonicClock.now
            guard remaining > .zero else { return }
            MonotonicClock.sleep(for: min(remaining, Self.cancellationCheckInterval))
        }
    }
}

extension MediaInput {
    /// Whether frames may arrive early: a server may buffer some, and a filter has no clock.
    fileprivate var arrivesFasterThanRealTime: Bool {
        switch self {
        case .stream(let address): !address.isRTSP
        case .camera(let configuration): configuration.filter != nil
        case .file, .standardInput: false
        }
    }
}

/// Detects a source that keeps sending the same picture; the wait doubles while that continues after reconnecting.
struct FrozenFrameDetector {
    private let initialTimeout: Duration?
    private var timeout: Duration?
    private var last: UInt64?
    /// The time of the last change, on the monotonic clock.
    private var since = Duration.zero

    init(timeout: Duration?) {
        initialTimeout = timeout
        self.timeout = timeout
    }

    /// Takes the next picture's digest and arrival time; true if the source is frozen.
    mutating func isFrozen(_ digest: UInt64, at time: Duration) -> Bool {
        guard let timeout else { return false }
        if digest != last {
            (last, since, self.timeout) = (digest, time, initialTimeout)
            return false
        }
        guard time - since >= timeout else { return false }
        since = time
        self.timeout = timeout * 2
        return true
    }
}

/// The retries of a lost source: soon, then at growing intervals; a returned source is found within 2 s.
struct ReconnectBackoff {
    struct Attempt: Equatable {
        var pause: Duration
        var timeout: Duration
    }

    private(set) var attempts = 0
    private let options: LiveOptions

    /// The timeout of most attempts, which covers one TCP retransmission after 1 s (RFC 6298, 2.1).
    private static let quickTimeout = Duration.milliseconds(1500)
    /// Every fourth attempt gets the timeout of the first connection, for slow servers.
    private static let patientEvery = 4

    init(_ options: LiveOptions) { self.options = options }

    mutating func next() -> Attempt {
        attempts += 1
        let isPatient = attempts % Self.patientEvery == 0
        // A quarter, a half, then the whole of the longest pause.
        let pause = options.longestPause / (attempts == 1 ? 4 : attempts == 2 ? 2 : 1)
        return Attempt(
            pause: pause,
            timeout: isPatient ? options.connectionTimeout : min(Self.quickTimeout, options.connectionTimeout))
    }
}
