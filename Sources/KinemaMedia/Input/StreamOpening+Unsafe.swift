internal import CFFmpeg
internal import KinemaCore

extension ContainerHandle {
    /// Connects to a stream, which FFmpeg fetches itself: by the protocols of its own scheme and no other.
    static func open(
        _ address: StreamAddress, _ link: StreamLinkHandle, _ watch: InterruptHandle, timeout: Duration
    ) throws(KinemaError) -> UnsafeMutablePointer<AVFormatContext>? {
        var target = address
        for _ in 0...InputLimits.redirections {
            let outcome = try open(target, link, watch)
            if case .opened(let context) = outcome { return context }
            guard case .failed(let code) = outcome else { return nil }
            if let next = watch.redirection {
                do { target = try target.redirected(to: next) } catch { throw .unreachable(address.description, 0) }
                continue
            }
            if watch.isOverdue { throw .unanswered(address.description, timeout) }
            throw link.refusesCertificate(of: target, code, watch)
                ? .untrusted(address.description) : .unreachable(address.description, code)
        }
        throw .unreachable(address.description, 0)
    }

    private enum Outcome {
        case opened(UnsafeMutablePointer<AVFormatContext>?)
        case failed(Int32)
    }

    private static func open(
        _ address: StreamAddress, _ link: StreamLinkHandle, _ watch: InterruptHandle
    ) throws(KinemaError) -> Outcome {
        let place = address.isRTSP ? try link.place(of: address, watch) : address.address
        // SAFETY: the context is FFmpeg's own; it frees it when opening fails, and `ContainerHandle` does otherwise.
        var context = avformat_alloc_context()
        guard let fresh = context else { throw .outOfMemory }
        watch.install(on: fresh)
        fresh.pointee.probesize = InputLimits.probeBytes
        fresh.pointee.max_analyze_duration = InputLimits.liveProbeDuration
        // The rate is no reason to wait for more frames.
        fresh.pointee.fps_probe_size = 0
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        for (name, value) in settings(address) { av_dict_set(&options, name, value, 0) }
        let code: Int32
        if address.isRTSP {
            watch.hold(fresh, at: place, once: address.reach != .anywhere)
            code = avformat_open_input(&context, place, nil, &options)
            watch.letGo()
        } else {
            code = openConnected(address, &context, link, watch, &options)
        }
        return code == 0 ? .opened(context) : .failed(code)
    }

    /// Of HTTP the connection is made first, and what comes tells what it is, not the address: FFmpeg would take "a.jpg" for
    /// a file's name. Only of playlists it wants to see the ending.
    private static func openConnected(
        _ address: StreamAddress, _ context: inout UnsafeMutablePointer<AVFormatContext>?, _ link: StreamLinkHandle,
        _ watch: InterruptHandle, _ options: inout OpaquePointer?
    ) -> Int32 {
        var io: UnsafeMutablePointer<AVIOContext>?
        av_dict_copy(&options, link.options, 0)
        var callback = watch.callback
        let code = avio_open2(&io, address.address, AVIO_FLAG_READ, &callback, &options)
        guard code == 0 else {
            avformat_free_context(context)
            context = nil
            return code
        }
        context?.pointee.pb = io
        kinema_open_parts_with(context, link.options)
        // The protocol has eaten it.
        av_dict_set(&options, "protocol_whitelist", InputLimits.protocols(of: address), 0)
        let name = address.isPlaylist ? address.address : ""
        let opened = kinema_open_connected(
            &context, io, name, address.address, UInt32(InputLimits.probeBytes), &options)
        if opened != 0 { avio_closep(&io) }
        return opened
    }

    private static func settings(_ address: StreamAddress) -> [String: String] {
        var settings = ["protocol_whitelist": InputLimits.protocols(of: address)]
        if address.isRTSP {
            settings["format_whitelist"] = InputLimits.rtspFormats
            // What carries encrypted RTSP, or looks at where it goes, carries one connection.
            settings["rtsp_transport"] =
                address.isEncrypted || address.reach != .anywhere ? "tcp" : address.transport.rawValue
            // Sound is not even asked for.
            settings["allowed_media_types"] = "video"
        } else {
            settings["format_whitelist"] = InputLimits.containers + ",hls"
        }
        return settings
    }
}

extension KinemaError {
    /// Nothing came in time.
    static func unanswered(_ source: String, _ timeout: Duration) -> KinemaError {
        let seconds = Double(Int(timeout / .milliseconds(100))) / 10
        return KinemaError(
            .unreadableInput, "no answer within \(seconds) s; check the address and that the server runs", file: source)
    }

    /// The server is not known to be who it says it is.
    static func untrusted(_ source: String) -> KinemaError {
        KinemaError(
            .unreadableInput,
            "the server's certificate is not trusted: signed by no known authority, expired, or of another host; name its "
                + "authority's file in SSL_CERT_FILE, or take any certificate with --insecure", file: source)
    }

    /// Why a stream that was read broke off, from FFmpeg's number.
    static func broken(_ source: String, _ code: Int32) -> KinemaError {
        // The number for names that cannot be resolved is also that of connections that break.
        guard kinema_stream_trouble(code) == KINEMA_TROUBLE_UNREACHABLE else { return unreachable(source, code) }
        return KinemaError(.unreadableInput, "the server broke the connection off", file: source)
    }

    /// Why a stream could not be opened, from FFmpeg's number.
    static func unreachable(_ source: String, _ code: Int32) -> KinemaError {
        let reason =
            switch kinema_stream_trouble(code) {
            case KINEMA_TROUBLE_CANCELLED: "reading was cancelled"
            case KINEMA_TROUBLE_REFUSED:
                "nothing listens there (connection refused); check host and port, and that the server runs"
            case KINEMA_TROUBLE_UNREACHABLE:
                "the host cannot be reached; check its name and the network"
            case KINEMA_TROUBLE_LOGIN:
                "the server refuses the user's name or password; give them as in rtsp://USER:PASSWORD@HOST/PATH"
            case KINEMA_TROUBLE_NOT_FOUND: "the server has no such stream; check the path"
            case KINEMA_TROUBLE_SERVER: "the server refuses the request or is in trouble; look at its log"
            case KINEMA_TROUBLE_SILENT: "the server does not answer; check that it runs"
            case KINEMA_TROUBLE_LOST: "the server closed the connection; look at its log"
            case KINEMA_TROUBLE_PROTOCOL:
                "this FFmpeg does not speak that protocol, or the stream leads to another one; save it to a file first"
            default: "what comes from there is no video or picture that can be read; check the path"
            }
        return KinemaError(.unreadableInput, reason, file: source)
    }
}
