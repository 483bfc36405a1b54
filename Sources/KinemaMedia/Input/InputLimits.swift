/// The limits beyond which an input counts as hostile or broken.
enum InputLimits {
    /// Bytes to read while detecting the format.
    static let probeBytes: Int64 = 5_000_000
    /// Media time to read while detecting the format, in microseconds.
    static let probeDuration: Int64 = 5_000_000
    /// The same for a live source, where each second adds delay.
    static let liveProbeDuration: Int64 = 1_000_000
    static let maximumConsecutiveReadErrors = 100

    /// The maximum number of RTSP redirects; FFmpeg's own limit for HTTP is 8.
    static let maximumRedirects = 4

    /// The containers that are read, by FFmpeg's names: those of cameras, phones, editors and browsers.
    ///
    /// Every other format is attack surface. Playlists (hls, dash, concat), name patterns (image2), devices and text
    /// also open other files. The last four are sound, for the error message of files without pictures.
    static let containers = [
        "mov", "mp4", "matroska", "webm", "avi", "mpegts", "mpeg", "flv", "live_flv", "asf", "ogg", "gif", "apng",
        "mjpeg", "mpjpeg", "h264", "hevc", "m4v", "mpegvideo", "obu", "ivf", "yuv4mpegpipe", "nut",
        "jpeg_pipe", "png_pipe", "webp_pipe", "webp", "bmp_pipe", "tiff_pipe", "gif_pipe",
        "mp3", "wav", "flac", "aac",
    ].joined(separator: ",")

    /// The decoders that may be opened, by FFmpeg's names; none of sound.
    static let codecs = [
        "h264", "hevc", "vp8", "vp9", "av1", "libdav1d", "libaom-av1", "mpeg1video", "mpeg2video", "mpeg4", "msmpeg4v2",
        "msmpeg4", "h263", "flv", "mjpeg", "prores", "theora", "wmv1", "wmv2", "wmv3", "vc1", "ffv1", "rawvideo",
        "gif", "png", "apng", "webp", "bmp", "tiff",
    ]

    /// The formats an RTSP session may carry.
    static let rtspFormats = "rtsp,sdp,rtp,mpegts,asf"

    /// The protocols an address may use, by FFmpeg's names; a playlist cannot name a file or another service.
    static func protocols(of address: StreamAddress) -> String {
        switch address.scheme {
        // FFmpeg does not do the encryption here; see `ProxyConnectionHandle`.
        case "rtsp" where address.reach == .anywhere: "rtsp,rtp,rtcp,tcp,udp"
        case "rtsp", "rtsps": "rtsp,rtp,rtcp,tcp"
        case "https": "https,tls,tcp,httpproxy,crypto"
        default: "http,https,tls,tcp,httpproxy,crypto"
        }
    }
}
