import CFFmpeg
import Foundation
import KinemaCore

/// An open container: finds the video stream and reads its packets.
final class ContainerHandle {
    /// The bytes of the input, unless FFmpeg opens it itself.
    private let file: ByteSourceHandle?
    private let interrupt: InterruptHandle
    /// Certificates, proxy and relay of a network stream; nil for other inputs.
    private let proxyConnection: ProxyConnectionHandle?
    private let limits: ReadingLimits
    private let source: String
    /// Whether the connection was opened separately from the context, as for HTTP.
    private let ownsConnection: Bool
    // SAFETY: opened in `init`; closed in `deinit` before `file`, which it reads, and `interrupt`, which it polls.
    private var context: UnsafeMutablePointer<AVFormatContext>?
    private let stream: UnsafeMutablePointer<AVStream>

    /// Opens the input, or uses the `given` file; reaches a stream through the `gate`, if any. A stream must answer
    /// within `timeout` and send its first packets within `readTimeout`.
    init(
        _ input: MediaInput, cancellation: CancellationFlag, limits: ReadingLimits = ReadingLimits(),
        timeout: Duration = LiveOptions().connectionTimeout, readTimeout: Duration = LiveOptions().silenceTimeout,
        given: GivenFile? = nil, gate: GateClient? = nil
    ) throws(KinemaError) {
        Self.silence
        self.limits = limits
        source = input.source
        if case .stream(let address) = input { ownsConnection = !address.isRTSP } else { ownsConnection = false }
        let interrupt = InterruptHandle(cancellation)
        interrupt.setTimeout(timeout)
        self.interrupt = interrupt
        switch input {
        case .file, .standardInput:
            let bytes = try ByteSourceHandle(input, given: given, cancellation: cancellation)
            (file, proxyConnection) = (bytes, nil)
            context = try Self.open(bytes, source: source)
        case .stream(let address):
            file = nil
            let proxyConnection = try ProxyConnectionHandle(address, gate: gate, cancellation: cancellation)
            self.proxyConnection = proxyConnection
            context = try Self.open(address, proxyConnection, interrupt, timeout: timeout)
        case .camera(let configuration):
            (file, proxyConnection) = (nil, nil)
            context = try Self.open(configuration, interrupt, source: source)
        }
        // From here on, the timeout applies to pictures.
        interrupt.setTimeout(readTimeout)
        do throws(KinemaError) {
            stream = try Self.videoStream(of: context, limits: limits, source: source)
        } catch {
            var connection = ownsConnection ? context?.pointee.pb : nil
            avformat_close_input(&context)
            avio_closep(&connection)
            proxyConnection?.close()
            throw input.isRemote && interrupt.hasTimedOut ? .timedOut(source, readTimeout) : error
        }
    }

    deinit {
        var connection = ownsConnection ? context?.pointee.pb : nil
        avformat_close_input(&context)
        avio_closep(&connection)
        proxyConnection?.close()
    }

    /// Stops FFmpeg from writing to the terminal; evaluated once.
    static let silence: Void = av_log_set_level(AV_LOG_QUIET)

    private static func open(_ file: ByteSourceHandle, source: String) throws(KinemaError)
        -> UnsafeMutablePointer<AVFormatContext>?
    {
        var context = avformat_alloc_context()
        guard let allocated = context else { throw .outOfMemory }
        allocated.pointee.pb = file.io
        allocated.pointee.flags |= kinema_flag_custom_io()
        allocated.pointee.probesize = InputLimits.probeBytes
        allocated.pointee.max_analyze_duration = InputLimits.probeDuration
        kinema_refuse_other_files(allocated)
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        av_dict_set(&options, "format_whitelist", InputLimits.containers, 0)
        av_dict_set(&options, "codec_whitelist", InputLimits.codecs.joined(separator: ","), 0)
        // No protocols: the bytes come from the handle, and a container must not open other sources.
        av_dict_set(&options, "protocol_whitelist", "none", 0)
        // Slow motion of phones is played by a list of edits with rates; the frames keep the times of what was filmed.
        if file.changesRate { av_dict_set(&options, "ignore_editlist", "1", 0) }
        let code = avformat_open_input(&context, nil, nil, &options)
        guard code == 0 else { throw failure(code, source) }
        return context
    }

    static func failure(_ code: Int32, _ source: String) -> KinemaError {
        if code == kinema_exit_requested() {
            return KinemaError.unreadable("reading was cancelled", source)
        }
        return KinemaError.unreadable("not a video or image, or damaged; check the file", source)
    }

    private static func videoStream(
        of context: UnsafeMutablePointer<AVFormatContext>?, limits: ReadingLimits, source: String
    ) throws(KinemaError) -> UnsafeMutablePointer<AVStream> {
        guard let context else { throw failure(0, source) }
        try probe(context, limits, source: source)
        let index = av_find_best_stream(context, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0)
        guard index >= 0, let stream = context.pointee.streams[Int(index)],
            stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
        else {
            let hasSound = av_find_best_stream(context, AVMEDIA_TYPE_AUDIO, -1, -1, nil, 0) >= 0
            throw KinemaError(
                .unreadableInput,
                hasSound
                    ? "contains only sound; give a video or an image"
                    : "contains no video; it is damaged or of another kind", file: source)
        }
        for other in 0..<Int(context.pointee.nb_streams) where other != Int(index) {
            context.pointee.streams[other]?.pointee.discard = AVDISCARD_ALL
        }
        return stream
    }

    /// Has FFmpeg examine the first packets, with the picture limits already in force.
    private static func probe(
        _ context: UnsafeMutablePointer<AVFormatContext>, _ limits: ReadingLimits, source: String
    ) throws(KinemaError) {
        let count = Int(context.pointee.nb_streams)
        var options = [OpaquePointer?](repeating: nil, count: max(count, 1))
        defer { for index in options.indices { av_dict_free(&options[index]) } }
        for index in 0..<count {
            guard let parameters = context.pointee.streams[index]?.pointee.codecpar.pointee else { continue }
            // Checked before anything is decoded, if the container reports a size.
            if parameters.codec_type == AVMEDIA_TYPE_VIDEO {
                try limits.check(width: Int(parameters.width), height: Int(parameters.height), source: source)
            }
            av_dict_set(&options[index], "max_pixels", String(limits.codedArea), 0)
            av_dict_set(&options[index], "threads", "1", 0)
            // Animated PNGs are not examined until `CodecHandle` has removed texts and profiles from their header.
            if parameters.codec_id == AV_CODEC_ID_APNG { av_dict_set(&options[index], "codec_whitelist", "none", 0) }
        }
        // Decoding shows whether a failure here is fatal.
        _ = avformat_find_stream_info(context, &options)
    }

    func facts() -> StreamFacts {
        let stream = stream.pointee
        var matrix: [Int32] = []
        withUnsafePointer(to: stream) { pointer in
            // SAFETY: the shim returns nine numbers.
            if let numbers = kinema_display_matrix(pointer) {
                matrix = Array(UnsafeBufferPointer(start: numbers, count: 9))
            }
        }
        let name = context?.pointee.iformat.map { String(cString: $0.pointee.name) } ?? ""
        let parameters = stream.codecpar.pointee
        return StreamFacts(
            container: name, width: Int(parameters.width), height: Int(parameters.height),
            timeBase: Rational(stream.time_base), averageRate: Rational(stream.avg_frame_rate),
            nominalRate: Rational(stream.r_frame_rate), length: length(in: name),
            frameCount: stream.nb_frames > 0 ? Int(stream.nb_frames) : nil,
            orientation: PixelOrientation(displayMatrix: matrix), pixelAspect: Rational(stream.sample_aspect_ratio),
            captureRate: captureRate)
    }

    /// The rate in a tag such as com.android.capture.fps, of the container or the stream; nil if there is none.
    private var captureRate: Double? {
        var rates: [Double] = []
        for tags in [context?.pointee.metadata, stream.pointee.metadata] {
            var entry: UnsafeMutablePointer<AVDictionaryEntry>?
            while let next = av_dict_get(tags, "", entry, AV_DICT_IGNORE_SUFFIX) {
                entry = next
                // SAFETY: FFmpeg's entries have a key and a value, both C strings.
                guard let key = next.pointee.key, let value = next.pointee.value,
                    FrameTiming.isCaptureRate(String(cString: key)),
                    let rate = FrameTiming.rate(of: String(cString: value))
                else { continue }
                rates.append(rate)
            }
        }
        return FrameTiming.rate(among: rates)
    }

    private func length(in container: String) -> StreamLength? {
        guard let context = context?.pointee else { return nil }
        let stream = stream.pointee
        let (units, microseconds) = (Rational(stream.time_base), Rational(numerator: 1, denominator: 1_000_000))
        // For a truncated AVI file, FFmpeg gives the duration of the rest; the number of frames is that of the whole.
        let duration = container == "avi" ? max(stream.duration, stream.nb_frames) : stream.duration
        func seconds(_ value: Int64, _ unit: Rational) -> Double? {
            value == kinema_no_timestamp() ? nil : unit.seconds(value)
        }
        func tag(_ name: String, ignoringSuffix: Bool = false) -> String? {
            let entry = av_dict_get(stream.metadata, name, nil, ignoringSuffix ? AV_DICT_IGNORE_SUFFIX : 0)
            return entry.flatMap { $0.pointee.value }.map { String(cString: $0) }
        }
        return StreamLength(
            StreamLength.Statement(
                container: container, streamStart: seconds(stream.start_time, units),
                streamDuration: duration > 0 ? seconds(duration, units) : nil,
                tag: tag("DURATION") ?? tag("DURATION-", ignoringSuffix: true),
                tagIsStatistic: tag("_STATISTICS_", ignoringSuffix: true) != nil,
                containerStart: seconds(context.start_time, microseconds),
                containerDuration: context.duration > 0 ? seconds(context.duration, microseconds) : nil,
                isEstimate: context.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE))
    }

    /// The times of the key frames in the container's index, in the stream's time base; empty without an index, nil if
    /// reading the index requires a seek.
    func keyTimestamps(in container: String, mayJump: Bool) -> [Int64]? {
        guard ["mov", "matroska", "avi"].contains(where: container.hasPrefix) else { return [] }
        // Matroska's index is read at the first seek.
        if avformat_index_get_entries_count(stream) < 2 {
            guard mayJump else { return nil }
            _ = seek(to: max(0, stream.pointee.start_time))
        }
        return (0..<avformat_index_get_entries_count(stream)).compactMap { index in
            guard let entry = avformat_index_get_entry(stream, index)?.pointee,
                entry.flags & AVINDEX_KEYFRAME != 0
            else { return nil }
            return entry.timestamp
        }
    }

    /// Continues with the last key frame at or before a timestamp; false if the file cannot do that.
    func seek(to timestamp: Int64) -> Bool {
        av_seek_frame(context, stream.pointee.index, timestamp, AVSEEK_FLAG_BACKWARD) >= 0
    }

    /// Makes a decoder for the video stream; its pictures go into `memory` if there is one.
    func makeDecoder(_ options: ReadingOptions) throws(KinemaError) -> CodecHandle {
        try CodecHandle(
            stream.pointee.codecpar, timeBase: timeBase, threads: options.decodingThreads, limits: limits,
            memory: options.memory, source: source)
    }

    var parameters: UnsafeMutablePointer<AVCodecParameters> { stream.pointee.codecpar }

    var timeBase: AVRational { stream.pointee.time_base }

    enum ReadResult {
        case packet
        case end
        /// A damaged stretch; more packets may follow.
        case damaged
        /// A camera has no picture ready.
        case notReady
        case failure
    }

    /// FFmpeg's error code of the last failure.
    private(set) var lastFailure: Int32 = 0
    var hasTimedOut: Bool { interrupt.hasTimedOut }

    /// The end of the last packet of any followed stream, in seconds; nil before the first with a timestamp.
    private(set) var lastEnd: Double?

    /// Reads the other streams too, though only for `lastEnd`.
    func followEveryStream() {
        guard let context = context?.pointee else { return }
        for index in 0..<Int(context.nb_streams) { context.streams[index]?.pointee.discard = AVDISCARD_DEFAULT }
    }

    private func updateLastEnd(_ packet: AVPacket) {
        guard packet.pts != kinema_no_timestamp(), let context = context?.pointee, packet.stream_index >= 0,
            packet.stream_index < context.nb_streams, let stream = context.streams[Int(packet.stream_index)]
        else { return }
        let unit = Rational(stream.pointee.time_base)
        let end = unit.seconds(packet.pts) + unit.seconds(max(packet.duration, 0))
        lastEnd = max(lastEnd ?? end, end)
    }

    /// Reads the next packet of the video stream into `packet`, skipping all others. Fails after `timeout`.
    func readPacket(into packet: PacketHandle, timeout: Duration? = nil) -> ReadResult {
        guard let context else { return .end }
        interrupt.setTimeout(timeout)
        while true {
            let code = av_read_frame(context, packet.pointer)
            if code == kinema_end_of_file() { return .end }
            if code == kinema_again() { return .notReady }
            lastFailure = code
            guard code >= 0 else { return code == kinema_invalid_data() ? .damaged : .failure }
            updateLastEnd(packet.pointer.pointee)
            if packet.pointer.pointee.stream_index == stream.pointee.index { return .packet }
            packet.clear()
        }
    }
}

extension Rational {
    init(_ value: AVRational) {
        self.init(numerator: Int(value.num), denominator: Int(value.den))
    }
}
