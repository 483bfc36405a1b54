import CFFmpeg

/// The FFmpeg that this process runs with.
package enum MediaLibrary {
    /// FFmpeg's own version text.
    package static var version: String {
        // SAFETY: FFmpeg returns a constant text that lives as long as the process.
        av_version_info().map { String(cString: $0) } ?? "unknown"
    }

    /// The H.264 encoder that `VideoWriter` will use; nil when there is none.
    package static var videoEncoder: String? {
        // SAFETY: descriptions of encoders are constants of the library.
        (avcodec_find_encoder_by_name("libx264") ?? avcodec_find_encoder(AV_CODEC_ID_H264))
            .flatMap { $0.pointee.name }.map { String(cString: $0) }
    }
}
