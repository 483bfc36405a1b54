import CFFmpeg
import KinemaCore

extension ContainerHandle {
    /// Opens a stream that FFmpeg fetches itself, using only the protocols of its scheme.
    static func open(
        _ address: StreamAddress, _ proxyConnection: ProxyConnectionHandle, _ interrupt: InterruptHandle,
        timeout: Duration
    ) throws(KinemaError) -> UnsafeMutablePointer<AVFormatContext>? {
        var target = address
        for _ in 0...InputLimits.maximumRedirects {
            let outcome = try open(target, proxyConnection, interrupt)
            if case .opened(let context) = outcome { return context }
            guard case .failed(let code) = outcome else { return nil }
            if let next = interrupt.redirect {
                do { target = try target.redirected(to: next) } catch { throw .unreachable(address.description, 0) }
                continue
            }
            if interrupt.hasTimedOut { throw .timedOut(address.description, timeout) }
            throw proxyConnection.refusesCertificate(of: target, code, interrupt)
                ? .untrusted(address.description) : .unreachable(address.description, code)
        }
        throw .unreachable(address.description, 0)
    }

    private enum Outcome {
        case opened(UnsafeMutablePointer<AVFormatContext>?)
        case failed(Int32)
    }

    private static func open(
        _ address: StreamAddress, _ proxyConnection: ProxyConnectionHandle, _ interrupt: InterruptHandle
    ) throws(KinemaError) -> Outcome {
        let url = address.isRTSP ? try proxyConnection.rtspAddress(for: address, interrupt) : address.address
        // SAFETY: FFmpeg owns the context: it frees it when opening fails, and `ContainerHandle` frees it otherwise.
        var context = avformat_alloc_context()
        guard let allocated = context else { throw .outOfMemory }
        interrupt.install(on: allocated)
        allocated.pointee.probesize = InputLimits.probeBytes
        allocated.pointee.max_analyze_duration = InputLimits.liveProbeDuration
        // Detecting the frame rate is no reason to wait for more frames.
        allocated.pointee.fps_probe_size = 0
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        for (name, value) in settings(address) { av_dict_set(&options, name, value, 0) }
        let code: Int32
        if address.isRTSP {
            interrupt.watchRedirects(of: allocated, at: url, once: address.reach != .anywhere)
            code = avformat_open_input(&context, url, nil, &options)
            interrupt.stopWatchingRedirects()
        } else {
            code = openConnected(address, &context, proxyConnection, interrupt, &options)
        }
        return code == 0 ? .opened(context) : .failed(code)
    }

    /// Opens the HTTP connection first and detects the format from the data, since FFmpeg would take "a.jpg" for a file
    /// name. Only playlists need their extension.
    private static func openConnected(
        _ address: StreamAddress, _ context: inout UnsafeMutablePointer<AVFormatContext>?,
        _ proxyConnection: ProxyConnectionHandle,
        _ interrupt: InterruptHandle, _ options: inout OpaquePointer?
    ) -> Int32 {
        var io: UnsafeMutablePointer<AVIOContext>?
        av_dict_copy(&options, proxyConnection.options, 0)
        var callback = interrupt.callback
        let code = avio_open2(&io, address.address, AVIO_FLAG_READ, &callback, &options)
        guard code == 0 else {
            avformat_free_context(context)
            context = nil
            return code
        }
        context?.pointee.pb = io
        kinema_open_parts_with(context, proxyConnection.options)
        // Opening the connection consumed this option.
        av_dict_set(&options, "protocol_whitelist", InputLimits.protocols(of: address), 0)
        let name = address.isPlaylist ? address.address : ""
        let opened = kinema_open_connected(
            &context, io, name, address.address, UInt32(InputLimits.probeBytes), &options)
        if opened != 0 { avio_closep(&io) }
        return opened
    }

    private static func settings(_ address: StreamAddress) -> [String: String] {
        var settings = [
            "protocol_whitelist": InputLimits.protocols(of: address),
            "codec_whitelist": InputLimits.codecs.joined(separator: ","),
        ]
        if address.isRTSP {
            settings["format_whitelist"] = InputLimits.rtspFormats
            // A relay, or a checked address, carries a single connection.
            settings["rtsp_transport"] =
                address.isEncrypted || address.reach != .anywhere ? "tcp" : address.transport.rawValue
            // Do not even request sound.
            settings["allowed_media_types"] = "video"
        } else {
            settings["format_whitelist"] = InputLimits.containers + ",hls"
        }
        return settings
    }
}

extension KinemaError {
    static func timedOut(_ source: String, _ timeout: Duration) -> KinemaError {
        let seconds = Double(Int(timeout / .milliseconds(100))) / 10
        return KinemaError.unreadable(
            "no answer within \(seconds) s; check the address and that the server is running", source)
    }

    static func untrusted(_ source: String) -> KinemaError {
        KinemaError.unreadable(
            "the server's certificate is not trusted: signed by no known authority, expired, or for another host; "
                + "set SSL_CERT_FILE to the authority's file, or accept any certificate with --insecure", source)
    }

    static func broken(_ source: String, _ code: Int32) -> KinemaError {
        // FFmpeg uses the same code for names that cannot be resolved and for connections that break.
        guard kinema_stream_trouble(code) == KINEMA_TROUBLE_UNREACHABLE else { return unreachable(source, code) }
        return KinemaError.unreadable("the connection to the server was lost", source)
    }

    static func unreachable(_ source: String, _ code: Int32) -> KinemaError {
        let reason =
            switch kinema_stream_trouble(code) {
            case KINEMA_TROUBLE_CANCELLED: "reading was cancelled"
            case KINEMA_TROUBLE_REFUSED:
                "connection refused; check the host and port, and that the server is running"
            case KINEMA_TROUBLE_UNREACHABLE:
                "the host cannot be reached; check its name and the network"
            case KINEMA_TROUBLE_LOGIN:
                "the server rejects the user name or password; give them as in rtsp://USER:PASSWORD@HOST/PATH"
            case KINEMA_TROUBLE_NOT_FOUND: "the server has no such stream; check the path"
            case KINEMA_TROUBLE_SERVER: "the server rejects the request or has failed; check its log"
            case KINEMA_TROUBLE_SILENT: "the server does not answer; check that it is running"
            case KINEMA_TROUBLE_LOST: "the server closed the connection; check its log"
            case KINEMA_TROUBLE_PROTOCOL:
                "this FFmpeg does not support that protocol, or the stream leads to another; save it to a file first"
            default: "the server sends no readable video or image; check the path"
            }
        return KinemaError(.unreadableInput, reason, file: source)
    }
}
