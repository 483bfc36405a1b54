internal import KinemaCore

/// Follows a camera or a stream over every loss of it, and places its frames in time. Synchronous, for one thread.
final class LiveFollower: FrameDecoding {
    let description: StreamDescription
    private let input: MediaInput
    private let reading: ReadingOptions
    private let cancellation: CancellationFlag
    private var decoder: LiveDecoder?
    private var first: LiveDecoder.Arrival?
    private var timeline: LiveTimeline
    private var frozen: FrozenPicture
    /// When the first frame came, and when the run is over, by the machine's clock.
    private let began: Duration
    private let end: Duration?
    private let isPaced: Bool

    private var options: LiveOptions { reading.live }

    /// How often a rest looks whether anybody still waits for it.
    private static let heartbeat = Duration.milliseconds(20)

    /// Waits for the first frame of a source that has been reached, so that one which cannot be read fails here.
    init(_ input: MediaInput, _ container: ContainerHandle, reading: ReadingOptions, cancellation: CancellationFlag)
        throws
    {
        (self.input, self.reading, self.cancellation) = (input, reading, cancellation)
        let decoder = try LiveDecoder(input, container, reading: reading, cancellation: cancellation)
        let first: LiveDecoder.Arrival?
        do {
            first = try decoder.next(until: nil)
        } catch let loss as LiveLoss {
            throw KinemaError(.unreadableInput, loss.reason + "; check the source", file: input.source)
        }
        guard let first else {
            throw KinemaError(.unreadableInput, "ended before its first picture; check the source", file: input.source)
        }
        (self.decoder, self.first) = (decoder, first)
        began = MachineClock.now
        end = reading.live.duration.map { [began] in began + $0 }
        let rate = decoder.givesStamps ? decoder.facts.frameRate : nil
        timeline = LiveTimeline(followsStamps: decoder.givesStamps, nominalRate: rate)
        frozen = FrozenPicture(patience: reading.live.frozenTimeout)
        isPaced = decoder.givesStamps && input.comesFasterThanLife
        description = StreamDescription(
            input: input, width: first.picture.width, height: first.picture.height, frameRate: rate ?? 0,
            timescale: LiveTimeline.timescale, duration: 0, expectedFrameCount: nil, isLive: true)
        reading.onState?(.live)
    }

    /// The next frame; nil when the run is over. Throws CancellationError, and `KinemaError` when a lost source is given up.
    func next() throws -> VideoFrame? {
        while true {
            do {
                guard let arrival = try first ?? decoder?.next(until: end) else { return nil }
                first = nil
                return try frame(arrival)
            } catch let loss as LiveLoss {
                guard try reconnect(loss.reason) else { return nil }
            }
        }
    }

    private func frame(_ arrival: LiveDecoder.Arrival) throws -> VideoFrame? {
        if isPaced, let due = timeline.due(arrival.stamp) { try wait(for: due) }
        let now = MachineClock.now - began
        if frozen.isStuck(arrival.picture.digest, at: now) {
            throw LiveLoss.stuck(options.frozenTimeout ?? .zero)
        }
        let jumps = timeline.jumps
        let range = timeline.place(stamp: arrival.stamp, arrived: ticks(now))
        if timeline.jumps > jumps, jumps == 0 {
            reading.diagnostics?.report(
                Diagnostic(
                    "live.clock", "the source's clock jumps; time goes on by this machine's", file: input.source,
                    time: now / .seconds(1)))
        }
        if let duration = options.duration, range.lowerBound >= ticks(duration) { return nil }
        return VideoFrame(
            arrival.picture,
            id: TemporalSegmentIdentifier(source: input.source, range: range, timescale: LiveTimeline.timescale))
    }

    /// Waits for the moment a frame is to be shown; what lies too far ahead is a jump of the source's clock.
    private func wait(for due: Int) throws {
        let ahead = due - ticks(MachineClock.now - began)
        guard ahead > 0, ahead < LiveTimeline.longestDelay else { return }
        try rest(.seconds(Double(ahead) / Double(LiveTimeline.timescale)))
    }

    private func ticks(_ duration: Duration) -> Int {
        Int(duration / .seconds(1) * Double(LiveTimeline.timescale))
    }

    /// Tries until the source is back; false when the run was over first.
    private func reconnect(_ reason: String) throws -> Bool {
        decoder = nil
        reading.onState?(.reconnecting(reason: reason))
        let lost = MachineClock.now
        var plan = ReconnectPlan(options)
        while true {
            let attempt = plan.next()
            try rest(attempt.pause)
            let now = MachineClock.now
            if let end, now >= end { return false }
            if let patience = options.givesUpAfter, now - lost >= patience {
                throw KinemaError(
                    .unreadableInput, "lost and not back: \(reason)", file: input.source,
                    time: (lost - began) / .seconds(1))
            }
            guard try connect(attempt) else { continue }
            reading.diagnostics?.report(
                Diagnostic(
                    "live.reconnected",
                    "\(reason); back after \(Double(Int((MachineClock.now - lost) / .milliseconds(100))) / 10) s and "
                        + "\(plan.tries) tries", file: input.source, time: (lost - began) / .seconds(1)))
            return true
        }
    }

    /// Tries once.
    private func connect(_ attempt: ReconnectPlan.Try) throws -> Bool {
        do {
            let container = try ContainerHandle(
                input, cancellation: cancellation, limits: reading.limits, timeout: attempt.timeout,
                patience: options.silenceTimeout)
            let decoder = try LiveDecoder(input, container, reading: reading, cancellation: cancellation)
            first = try decoder.next(until: end)
            self.decoder = decoder
        } catch let error where error is LiveLoss || error is KinemaError {
            if cancellation.isRaised { throw CancellationError() }
            return false
        }
        timeline.reconnect()
        reading.onState?(.live)
        return true
    }

    /// Rests, but not beyond the end of the run.
    private func rest(_ duration: Duration) throws {
        let until = min(MachineClock.now + duration, end ?? .seconds(Int64.max / 2))
        while true {
            if cancellation.isRaised { throw CancellationError() }
            let remaining = until - MachineClock.now
            guard remaining > .zero else { return }
            MachineClock.rest(min(remaining, Self.heartbeat))
        }
    }
}

extension MediaInput {
    /// Whether frames can be had before their time: a server may hold some in stock, and a filter makes them as fast as it
    /// can.
    fileprivate var comesFasterThanLife: Bool {
        switch self {
        case .stream(let address): !address.isRTSP
        case .camera(let configuration): configuration.filter != nil
        case .file, .standardInput: false
        }
    }
}
