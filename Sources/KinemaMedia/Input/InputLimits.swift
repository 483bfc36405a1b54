internal import KinemaCore

/// What a file may ask for before it counts as hostile or broken.
enum InputLimits {
    /// The longest side of a picture in pixels.
    static let side = 16384
    /// The largest picture in pixels: 100 megapixels, 400 MB as BGRA.
    static let area = 100_000_000
    /// Bytes read to find out what is in the file.
    static let probeBytes: Int64 = 5_000_000
    /// Media time read to find out what is in the file, in microseconds.
    static let probeDuration: Int64 = 5_000_000
    /// Read errors in a row after which the rest of the file is given up.
    static let readErrorsInRow = 100

    /// The container formats that hold their own pictures and open no other file, as FFmpeg names them.
    ///
    /// Playlists (hls, dash, concat, imf), name patterns (image2), devices and text formats are left out. The formats of
    /// sound alone are in so that the message can say that there is only sound.
    static let containers = [
        "mov", "mp4", "matroska", "webm", "avi", "mpegts", "mpeg", "flv", "live_flv", "asf", "ogg", "gif", "apng",
        "mjpeg", "mpjpeg", "h264", "hevc", "m4v", "mpegvideo", "obu", "av1", "ivf", "yuv4mpegpipe", "dv", "mxf", "nut",
        "rm",
        "wtv", "h263", "h261", "vc1", "vc1test", "3gp", "avs2", "avs3", "vvc", "nuv", "smk", "bink", "swf",
        "jpeg_pipe", "png_pipe", "webp_pipe", "webp", "bmp_pipe", "tiff_pipe", "pgm_pipe", "ppm_pipe", "pam_pipe",
        "pbm_pipe",
        "jpegxl_pipe", "j2k_pipe", "qoi_pipe", "gif_pipe",
        "mp3", "wav", "flac", "aac", "ac3", "eac3", "dts", "aiff", "amr", "ape", "au", "caf", "w64", "wv", "tta",
        "opus",
    ].joined(separator: ",")

    /// Throws when a picture of this size is refused.
    static func check(width: Int, height: Int, source: String) throws(KinemaError) {
        guard width > 0, height > 0 else { return }
        guard width <= side, height <= side, width * height <= area else {
            throw KinemaError(
                .unreadableInput,
                "pictures of \(width)x\(height) are too large: at most \(side) a side and \(area / 1_000_000) megapixels",
                file: source)
        }
    }
}
