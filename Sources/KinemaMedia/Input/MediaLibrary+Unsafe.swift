import CFFmpeg

/// The FFmpeg libraries of this process.
package enum MediaLibrary {
    /// Loads the libraries now rather than at their first call; false if one is missing.
    // SAFETY: a plain call; it returns a constant or a string of the thread.
    static func load() -> Bool { kinema_ffmpeg_load() == nil }

    package static var version: String {
        // SAFETY: FFmpeg returns a constant string that lives as long as the process.
        av_version_info().map { String(cString: $0) } ?? "unknown"
    }

    /// Whether this FFmpeg can read cameras (Video4Linux).
    package static var readsCameras: Bool {
        // SAFETY: registering twice does nothing; format descriptions are constants of the library.
        kinema_register_devices() != 0 && av_find_input_format("video4linux2") != nil
    }

    package static var cameras: [String] { CameraDeviceHandle.all() }

    /// The H.264 encoder that `VideoWriter` uses; nil if there is none.
    package static var videoEncoder: String? {
        // SAFETY: encoder descriptions are constants of the library.
        (avcodec_find_encoder_by_name("libx264") ?? avcodec_find_encoder(AV_CODEC_ID_H264))
            .flatMap { $0.pointee.name }.map { String(cString: $0) }
    }
}

package enum ContainerProbe {
    /// FFmpeg's container names of a file that begins with `head`, such as "mov,mp4,m4a,3gp,3g2,mj2"; nil if unknown.
    package static func container(of head: [UInt8]) -> String? {
        // SAFETY: FFmpeg may read past the end, into the zeros appended here.
        var padded = head + [UInt8](repeating: 0, count: Int(AVPROBE_PADDING_SIZE))
        return padded.withUnsafeMutableBufferPointer {
            kinema_container_of($0.baseAddress, Int32(clamping: head.count)).map { String(cString: $0) }
        }
    }
}
