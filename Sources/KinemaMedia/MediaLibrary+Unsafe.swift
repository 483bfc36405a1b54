import CFFmpeg

/// The FFmpeg that this process runs with.
package enum MediaLibrary {
    /// FFmpeg's own version text.
    package static var version: String {
        // SAFETY: FFmpeg returns a constant text that lives as long as the process.
        av_version_info().map { String(cString: $0) } ?? "unknown"
    }

    /// Whether this FFmpeg reads cameras (Video4Linux).
    package static var readsCameras: Bool {
        // SAFETY: registering twice does nothing; descriptions of formats are constants of the library.
        avdevice_register_all()
        return av_find_input_format("video4linux2") != nil
    }

    /// The device files of this machine's cameras.
    package static var cameras: [String] { CameraDeviceHandle.all() }

    /// The H.264 encoder that `VideoWriter` will use; nil when there is none.
    package static var videoEncoder: String? {
        // SAFETY: descriptions of encoders are constants of the library.
        (avcodec_find_encoder_by_name("libx264") ?? avcodec_find_encoder(AV_CODEC_ID_H264))
            .flatMap { $0.pointee.name }.map { String(cString: $0) }
    }
}
