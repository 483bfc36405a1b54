internal import CFFmpeg
internal import Foundation
internal import KinemaCore

/// An open container: finds its video stream and reads that stream's packets.
final class ContainerHandle {
    /// The bytes, where FFmpeg does not fetch them itself.
    private let file: InputFileHandle?
    private let watch: InterruptHandle
    /// What carries a stream, beside FFmpeg's own connections.
    private let link: StreamLinkHandle?
    private let limits: ReadingLimits
    private let source: String
    /// Whether the connection was made apart from the context, as of HTTP.
    private let ownsConnection: Bool
    // SAFETY: opened in `init`, closed in `deinit` before `file`, whose bytes it reads, and `watch`, which it asks.
    private var context: UnsafeMutablePointer<AVFormatContext>?
    private let stream: UnsafeMutablePointer<AVStream>

    /// Opens the input: a stream has `timeout` to be reached, then `patience` to send its first packets.
    init(
        _ input: MediaInput, cancellation: CancellationFlag, limits: ReadingLimits = ReadingLimits(),
        timeout: Duration = LiveOptions().connectionTimeout, patience: Duration = LiveOptions().silenceTimeout
    ) throws(KinemaError) {
        Self.silence
        self.limits = limits
        source = input.source
        if case .stream(let address) = input { ownsConnection = !address.isRTSP } else { ownsConnection = false }
        let watch = InterruptHandle(cancellation)
        watch.limit(timeout)
        self.watch = watch
        switch input {
        case .file, .standardInput:
            let bytes = try InputFileHandle(input, cancellation: cancellation)
            (file, link) = (bytes, nil)
            context = try Self.open(bytes, source: source)
        case .stream(let address):
            file = nil
            let link = try StreamLinkHandle(address, cancellation: cancellation)
            self.link = link
            context = try Self.open(address, link, watch, timeout: timeout)
        case .camera(let configuration):
            (file, link) = (nil, nil)
            context = try Self.open(configuration, watch, source: source)
        }
        // From here on it is pictures that are waited for.
        watch.limit(patience)
        do throws(KinemaError) {
            stream = try Self.videoStream(of: context, limits: limits, source: source)
        } catch {
            var connection = ownsConnection ? context?.pointee.pb : nil
            avformat_close_input(&context)
            avio_closep(&connection)
            link?.close()
            throw input.isRemote && watch.isOverdue ? .unanswered(source, patience) : error
        }
    }

    deinit {
        close()
    }

    /// Closes what was opened here, the connection last.
    private func close() {
        var connection = ownsConnection ? context?.pointee.pb : nil
        avformat_close_input(&context)
        avio_closep(&connection)
        link?.close()
    }

    /// FFmpeg writes nothing of its own to the terminal; evaluated once.
    static let silence: Void = av_log_set_level(AV_LOG_QUIET)

    private static func open(_ file: InputFileHandle, source: String) throws(KinemaError)
        -> UnsafeMutablePointer<AVFormatContext>?
    {
        var context = avformat_alloc_context()
        guard let fresh = context else { throw .outOfMemory }
        fresh.pointee.pb = file.io
        fresh.pointee.flags |= kinema_flag_custom_io()
        fresh.pointee.probesize = InputLimits.probeBytes
        fresh.pointee.max_analyze_duration = InputLimits.probeDuration
        kinema_refuse_other_files(fresh)
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        av_dict_set(&options, "format_whitelist", InputLimits.containers, 0)
        // No protocol at all: the bytes come from the handle, and containers must not name other sources.
        av_dict_set(&options, "protocol_whitelist", "none", 0)
        let code = avformat_open_input(&context, nil, nil, &options)
        guard code == 0 else { throw failure(code, source) }
        return context
    }

    static func failure(_ code: Int32, _ source: String) -> KinemaError {
        if code == kinema_exit_requested() {
            return KinemaError(.unreadableInput, "reading was cancelled", file: source)
        }
        return KinemaError(
            .unreadableInput, "not a video or picture that can be read, or damaged; check the file",
            file: source)
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
                    ? "holds only sound; give a video or a picture"
                    : "holds no video; it is damaged or of another kind", file: source)
        }
        for other in 0..<Int(context.pointee.nb_streams) where other != Int(index) {
            context.pointee.streams[other]?.pointee.discard = AVDISCARD_ALL
        }
        return stream
    }

    /// Lets FFmpeg look at the first packets, with the picture limits already in force.
    private static func probe(
        _ context: UnsafeMutablePointer<AVFormatContext>, _ limits: ReadingLimits, source: String
    ) throws(KinemaError) {
        let count = Int(context.pointee.nb_streams)
        var options = [OpaquePointer?](repeating: nil, count: max(count, 1))
        defer { for index in options.indices { av_dict_free(&options[index]) } }
        for index in 0..<count {
            guard let parameters = context.pointee.streams[index]?.pointee.codecpar.pointee else { continue }
            // Before anything is decoded, where the container tells the size.
            if parameters.codec_type == AVMEDIA_TYPE_VIDEO {
                try limits.check(width: Int(parameters.width), height: Int(parameters.height), source: source)
            }
            av_dict_set(&options[index], "max_pixels", String(limits.area), 0)
            av_dict_set(&options[index], "threads", "1", 0)
            // An animated PNG is looked at only after texts and profiles were taken out of its head, by `CodecHandle`.
            if parameters.codec_id == AV_CODEC_ID_APNG { av_dict_set(&options[index], "codec_whitelist", "none", 0) }
        }
        // A failure here means too little was found; whether that is fatal shows when decoding.
        _ = avformat_find_stream_info(context, &options)
    }

    /// What the container says about its video.
    func facts() -> StreamFacts {
        let stream = stream.pointee
        var matrix: [Int32] = []
        withUnsafePointer(to: stream) { pointer in
            // SAFETY: nine numbers, see the shim.
            if let numbers = kinema_display_matrix(pointer) {
                matrix = Array(UnsafeBufferPointer(start: numbers, count: 9))
            }
        }
        let name = context?.pointee.iformat.map { String(cString: $0.pointee.name) } ?? ""
        let parameters = stream.codecpar.pointee
        let streamDuration = stream.duration > 0 ? Rational(stream.time_base).seconds(stream.duration) : nil
        let fileDuration = (context?.pointee.duration).flatMap {
            $0 > 0 ? Double($0) / Double(kinema_time_base()) : nil
        }
        return StreamFacts(
            container: name, width: Int(parameters.width), height: Int(parameters.height),
            timeBase: Rational(stream.time_base), averageRate: Rational(stream.avg_frame_rate),
            nominalRate: Rational(stream.r_frame_rate), duration: streamDuration ?? fileDuration,
            frameCount: stream.nb_frames > 0 ? Int(stream.nb_frames) : nil,
            orientation: PixelOrientation(displayMatrix: matrix), pixelAspect: Rational(stream.sample_aspect_ratio))
    }

    /// Makes the decoder of the video.
    func makeDecoder(threads: Int) throws(KinemaError) -> CodecHandle {
        try CodecHandle(
            stream.pointee.codecpar, timeBase: timeBase, threads: threads, limits: limits, source: source)
    }

    /// The codec parameters, for copying the stream.
    var parameters: UnsafeMutablePointer<AVCodecParameters> { stream.pointee.codecpar }

    var timeBase: AVRational { stream.pointee.time_base }

    /// What one call of `readPacket` brought.
    enum Reading {
        case packet
        case end
        /// A damaged stretch, behind which more may follow.
        case damage
        /// A camera has no picture yet.
        case nothingYet
        case failure
    }

    /// FFmpeg's number for the last failure.
    private(set) var lastFailure: Int32 = 0
    /// Whether the last reading took longer than it may.
    var isOverdue: Bool { watch.isOverdue }

    /// Reads the next packet of the video stream into `packet`, skipping all others; fails when that takes longer than
    /// `timeout`.
    func readPacket(into packet: PacketHandle, timeout: Duration? = nil) -> Reading {
        guard let context else { return .end }
        watch.limit(timeout)
        while true {
            let code = av_read_frame(context, packet.pointer)
            if code == kinema_end_of_file() { return .end }
            if code == kinema_again() { return .nothingYet }
            lastFailure = code
            guard code >= 0 else { return code == kinema_invalid_data() ? .damage : .failure }
            if packet.pointer.pointee.stream_index == stream.pointee.index { return .packet }
            packet.clear()
        }
    }
}

/// Tells what a file is by its first bytes, without opening it.
package enum ContainerProbe {
    /// What FFmpeg takes a file for that begins so, whatever its name: all names of that container, such as
    /// "mov,mp4,m4a,3gp,3g2,mj2"; nil for nothing it knows.
    package static func container(of head: [UInt8]) -> String? {
        // SAFETY: the zeros behind the bytes are what FFmpeg reads over the end.
        var padded = head + [UInt8](repeating: 0, count: Int(AVPROBE_PADDING_SIZE))
        return padded.withUnsafeMutableBufferPointer {
            kinema_container_of($0.baseAddress, Int32(clamping: head.count)).map { String(cString: $0) }
        }
    }
}

extension Rational {
    init(_ value: AVRational) {
        self.init(numerator: Int(value.num), denominator: Int(value.den))
    }
}
