import Foundation
import KinemaCore

/// Reads an input from its first frame to its last: container, decoder, timestamps. Synchronous; for one thread.
final class VideoDecoder: FrameDecoding {
    let input: MediaInput
    let facts: StreamFacts
    /// The displayed size, from the first decoded frame.
    private(set) var displayedSize = (width: 0, height: 0)

    private let container: ContainerHandle
    private let codec: CodecHandle
    private let packet: PacketHandle
    private let cancellation: CancellationFlag
    private let diagnostics: DiagnosticCollector?
    /// The longest silence of a server; nil for files.
    private let readTimeout: Duration?
    /// Seconds from the first frame at which to stop; nil to read everything.
    private let timeLimit: Double?
    private let limits: ReadingLimits
    private var repair: TimestampRepair<DecodedPicture>
    private var report = DecodingReport()
    private var ready: [VideoFrame] = []
    /// The EXIF orientation of a picture, found in its packet.
    private var pictureOrientation: PixelOrientation?
    private var phase = Phase.reading
    private var consecutiveReadErrors = 0
    /// Whether the last packet is shorter than the container states.
    private var isLastPacketCut = false
    private var framesDecoded = 0
    private var lastEnd = 0
    /// The time of the first frame on the input's own clock, in seconds; nil if unknown.
    private var firstTime: Double?
    private let part: PartStart?
    /// The key frames, where decoding can begin, from the container's index.
    private var keys: [Int64]?
    /// The ticks of the part's start, once decoding has jumped to it.
    private var firstTick: Int?

    private enum Phase {
        case reading, draining, finished
    }

    /// Opens a file and decodes its first frame; `orientation` replaces that of a picture's EXIF block.
    convenience init(_ file: URL, orientation: PixelOrientation? = nil) throws {
        let cancellation = CancellationFlag()
        let container = try ContainerHandle(.file(file), cancellation: cancellation)
        try self.init(
            .file(file), container, options: ReadingOptions(), orientation: orientation, cancellation: cancellation)
    }

    /// Decodes the first frame of an open container, so that unreadable input fails here.
    init(
        _ input: MediaInput, _ container: ContainerHandle, options: ReadingOptions,
        orientation: PixelOrientation? = nil, cancellation: CancellationFlag
    ) throws {
        (self.input, self.container, self.cancellation) = (input, container, cancellation)
        pictureOrientation = orientation
        diagnostics = options.diagnostics
        if case .stream = input { readTimeout = options.live.silenceTimeout } else { readTimeout = nil }
        timeLimit = options.live.duration.map { $0 / .seconds(1) }
        (limits, part) = (options.limits, options.part)
        facts = container.facts().timed(options.timing)
        try limits.check(width: facts.width, height: facts.height, source: input.source)
        codec = try container.makeDecoder(options)
        packet = try PacketHandle()
        if facts.length?.origin == .container { container.followEveryStream() }
        // Without a known rate, assume 25 frames a second, as FFmpeg does for raw streams.
        repair = TimestampRepair(nominalStep: Double(facts.timescale) / (facts.frameRate ?? 25))
        try advance { framesDecoded > 0 }
        guard framesDecoded > 0 else { throw decodingError() }
        keys = facts.isPicture ? [] : container.keyTimestamps(in: facts.container, mayJump: part != nil)
        if let part { try jump(to: part) }
    }

    /// Continues at a part's start. Throws if the file cannot be read from there.
    private func jump(to part: PartStart) throws {
        let first = Int((part.time * Double(facts.timescale)).rounded())
        guard !facts.isPicture, let timestamp = repair.timestamp(at: first) else { throw irregular }
        let units = Double(facts.timescale) / Double(facts.ticksPerUnit)
        let keys = keys ?? []
        // The index has decoding times, which are earlier by the frames that decoders reorder.
        let early = Int64(timestamp / facts.ticksPerUnit) - Int64(Self.mostReordered / (facts.frameRate ?? 25) * units)
        guard container.seek(to: max(keys.min() ?? early, min(keys.max() ?? early, early))) else { throw irregular }
        codec.flush()
        repair.jump()
        (firstTick, ready, phase, report) = (first, [], .reading, DecodingReport())
    }

    /// Some of the times at which decoding can begin, at most `StreamDescription.maximumKeyTimes`; nil if unknown.
    private var keyTimes: [Double]? {
        guard let keys else { return nil }
        let times = keys.compactMap { ticks($0).flatMap(repair.time) }.sorted().map {
            Double(max(0, $0)) / Double(facts.timescale)
        }
        let step = max(1, (times.count + StreamDescription.maximumKeyTimes - 1) / StreamDescription.maximumKeyTimes)
        return stride(from: 0, to: times.count, by: step).map { times[$0] }
    }

    /// Decoders reorder at most 16 frames (H.264, A.3.1).
    private static let mostReordered = 16.0

    private var irregular: KinemaError { KinemaError.unreadable(PartReader.irregular, input.source) }

    /// Returns the next frame, or nil after the last one. Throws CancellationError when cancelled.
    func next() throws -> VideoFrame? {
        try advance { !ready.isEmpty }
        guard let frame = ready.first, timeLimit.map({ frame.time < $0 }) != false else { return nil }
        return ready.removeFirst()
    }

    var description: StreamDescription {
        StreamDescription(
            width: displayedSize.width, height: displayedSize.height,
            frameRate: facts.isPicture ? 0 : facts.frameRate ?? 0,
            hasConstantRate: !facts.isPicture && facts.hasConstantRate,
            timescale: facts.isPicture ? 1 : facts.timescale,
            duration: facts.isPicture ? 1 : facts.length?.seconds(from: firstTime) ?? 0,
            expectedFrameCount: facts.expectedFrameCount(from: firstTime), isLive: false, keyTimes: keyTimes,
            slowdown: facts.slowdown, captureRate: facts.captureRate)
    }

    private func advance(until done: () -> Bool) throws {
        while !done(), phase != .finished {
            if cancellation.isRaised { throw CancellationError() }
            if part?.isStrict == true, !repair.isRegular || report.hasDefects { throw irregular }
            switch try codec.receive() {
            case .frame(let frame): try accept(frame)
            case .needsPacket: feed()
            case .failure: report.damagedPackets += 1
            case .end: finish()
            }
        }
    }

    private func feed() {
        guard phase == .reading else { return finish() }
        switch container.readPacket(into: packet, timeout: readTimeout) {
        case .packet:
            consecutiveReadErrors = 0
            isLastPacketCut = packet.isCut
            if facts.isPicture, pictureOrientation == nil {
                pictureOrientation = ExifOrientation.find(in: packet.bytes) ?? .upright
            }
            if !codec.send(packet) { report.damagedPackets += 1 }
            packet.clear()
        case .damaged:
            report.readErrors += 1
            consecutiveReadErrors += 1
            if consecutiveReadErrors >= InputLimits.maximumConsecutiveReadErrors { drain() }
        case .failure:
            report.readErrors += 1
            consecutiveReadErrors += 1
            drain()
        case .notReady: return
        case .end:
            drain()
        }
    }

    private func drain() {
        phase = .draining
        _ = codec.send(nil)
    }

    private func accept(_ frame: FrameHandle) throws {
        // Decoding begins at a key frame, before the part.
        if let firstTick, let time = ticks(frame.timestamp).flatMap(repair.time), time < firstTick {
            lastEnd = max(lastEnd, time + (ticks(frame.duration) ?? 0))
            return
        }
        let aspect = facts.honoursPixelAspect ? PixelAspect(container: facts.pixelAspect, frame: frame) : .square
        let size = aspect.squareSize(width: frame.width, height: frame.height)
        try limits.check(width: size.width, height: size.height, source: input.source)
        let orientation = facts.isPicture ? pictureOrientation ?? .upright : facts.orientation
        let picture = try DecodedPicture(
            frame, orientation: orientation, isPicture: facts.isPicture, pixelAspect: aspect)
        if framesDecoded == 0 {
            displayedSize = (picture.width, picture.height)
            firstTime = frame.timestamp.map { facts.timeBase.seconds($0) }
        }
        framesDecoded += 1
        if frame.isDamaged { report.damagedFrames += 1 }
        if facts.isPicture {
            emit([.init(frame: picture, range: 0..<1)], timescale: 1)
            return finish()
        }
        emit(
            repair.add(picture, timestamp: ticks(frame.timestamp), duration: ticks(frame.duration)),
            timescale: facts.timescale)
    }

    /// Stream units in ticks; nil if unknown or out of range.
    private func ticks(_ units: Int64?) -> Int? {
        guard let units else { return nil }
        let (value, overflow) = Int(units).multipliedReportingOverflow(by: facts.ticksPerUnit)
        return overflow ? nil : value
    }

    private func emit(_ frames: [TimestampRepair<DecodedPicture>.TimedFrame], timescale: Int) {
        for item in frames {
            let id = TemporalSegmentIdentifier(source: input.source, range: item.range, timescale: timescale)
            lastEnd = item.range.upperBound
            ready.append(VideoFrame(item.frame, id: id))
        }
    }

    private func finish() {
        guard phase != .finished else { return }
        phase = .finished
        if !facts.isPicture { emit(repair.finish(), timescale: facts.timescale) }
        let end = Double(lastEnd) / Double(facts.timescale)
        if !facts.isPicture, breaksOff(at: end) { report.brokeOffAt = end }
        // The next call throws.
        if part?.isStrict == true, !repair.isRegular || report.hasDefects { return phase = .reading }
        for finding in report.diagnostics(repairs: repair.repairs, source: input.source) {
            diagnostics?.report(finding)
        }
    }

    /// Whether the file is cut short, with the last frame at `end` seconds: its pictures or its data end early.
    private func breaksOff(at end: Double) -> Bool {
        let isCut = consecutiveReadErrors > 0 || isLastPacketCut
        guard let length = facts.length, length.origin != .estimate else { return isCut }
        let isShort = Self.isShort(end, of: length.seconds(from: firstTime))
        // If only the longest stream's end is known, the others are read too, since one of them reaches it.
        if length.origin == .container {
            return isCut || isShort && Self.isShort((container.lastEnd ?? 0) / facts.slowdown, of: length.end)
        }
        return isShort || isCut && end < length.seconds(from: firstTime) - Self.frameSlack
    }

    /// Clearly shorter: by more than a second and more than a twentieth.
    private static func isShort(_ end: Double, of length: Double) -> Bool { length - end > max(1, length / 20) }

    /// The missing time, in seconds, that a complete file may have despite unreadable data at its end.
    private static let frameSlack = 0.1

    private func decodingError() -> any Error {
        if cancellation.isRaised { return CancellationError() }
        let size = codec.codedSize
        do {
            try limits.check(width: size.width, height: size.height, source: input.source)
        } catch {
            return error
        }
        // Decoders reject pictures beyond the limit without reporting their size.
        return KinemaError.unreadable(
            "no frame could be decoded: the file is damaged, too large (over \(limits.area / 1_000_000) megapixels) "
                + "or of an unknown kind", input.source)
    }
}

struct DecodingReport {
    var damagedPackets = 0
    var damagedFrames = 0
    var readErrors = 0
    /// Seconds from the first frame to where the file ends early; nil if it is complete.
    var brokeOffAt: Double?

    var hasDefects: Bool { damagedPackets + damagedFrames + readErrors > 0 || brokeOffAt != nil }

    func diagnostics(repairs: [TimestampRepair<DecodedPicture>.Kind: Int], source: String) -> [Diagnostic] {
        var found: [Diagnostic] = []
        func add(_ count: Int?, _ code: String, _ what: String, _ message: String) {
            guard let count, count > 0 else { return }
            found.append(Diagnostic(code, "\(count) \(what)\(count == 1 ? "" : "s") \(message)", file: source))
        }
        add(damagedPackets, "packets.damaged", "damaged packet", "skipped")
        add(damagedFrames, "frames.damaged", "damaged frame", "may look wrong")
        add(repairs[.missing], "timestamps.missing", "frame", "without a timestamp; timed by the frame rate")
        add(repairs[.equal], "timestamps.equal", "frame", "with the same timestamp as the previous frame; moved")
        add(repairs[.backward], "timestamps.backward", "frame", "with a timestamp before the previous one; moved")
        add(repairs[.restarted], "timestamps.restarted", "backward jump", "of the stream's clock; joined")
        if let brokeOffAt {
            found.append(
                Diagnostic(
                    "input.truncated", "the file ends early; everything before this point was read", file: source,
                    time: brokeOffAt))
        } else {
            add(readErrors, "input.damaged", "part", "of the file could not be read; skipped")
        }
        return found
    }
}
