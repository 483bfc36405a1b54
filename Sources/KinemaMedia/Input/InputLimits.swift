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
    /// The same of a live source, where every second is one of delay.
    static let liveProbeDuration: Int64 = 1_000_000
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

    /// What an RTSP session may turn out to hold.
    static let rtspFormats = "rtsp,sdp,rtp,mpegts,asf"

    /// The protocols that an address may lead to, as FFmpeg names them: its own, what carries that, and from HTTP on to
    /// HTTPS. A playlist that names a file or another service gets nothing.
    static func protocols(of address: StreamAddress) -> String {
        switch address.scheme {
        case "rtsp": "rtsp,rtp,rtcp,tcp,udp"
        case "rtsps": "rtsp,rtsps,rtp,rtcp,tcp,udp,tls"
        case "https": "https,tls,tcp,httpproxy,crypto"
        default: "http,https,tls,tcp,httpproxy,crypto"
        }
    }

    /// Throws when a picture of this size is refused.
    static func check(width: Int, height: Int, source: String) throws(KinemaError) {
        guard width > 0, height > 0 else { return }
        guard accepts(width: width, height: height) else {
            throw KinemaError(
                .unreadableInput,
                "pictures of \(width)x\(height) are too large: at most \(side) a side and \(area / 1_000_000) megapixels",
                file: source)
        }
    }

    /// Whether pictures of this size are read.
    static func accepts(width: Int, height: Int) -> Bool {
        width <= side && height <= side && width * height <= area
    }
}
