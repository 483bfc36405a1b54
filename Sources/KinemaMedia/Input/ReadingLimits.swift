internal import KinemaCore

/// The limits of one input; larger inputs are refused.
package struct ReadingLimits: Hashable, Sendable, Codable {
    /// The longest side of a picture, pixels.
    package var side = 16_384
    /// The most pixels of a picture: 100 megapixels, 400 MB with four bytes a pixel.
    package var area = 100_000_000
    /// Bytes that the pictures of one reader may take: half for the decoder, enough for two of the largest pictures at
    /// 16 bits a channel, and half for the queue.
    package var memory = 4 << 30

    package init() {}

    /// The limits for several untrusted inputs at once: 1 GiB, 4096 pixels a side; phone cameras deliver 3840x2160.
    package static var untrusted: ReadingLimits {
        var limits = ReadingLimits()
        (limits.side, limits.area, limits.memory) = (4_096, 4_096 * 4_096, 1 << 30)
        return limits
    }

    /// The most pixels that a decoder may be asked for: sides are rounded up, by at most 64 (`avcodec_align_dimensions`).
    /// What it delivers is checked against `area`.
    var codedArea: Int { area + 2 * 64 * side + 64 * 64 }

    var decoderMemory: Int { memory / 2 }

    /// Bytes of pictures that a decoder process shares with its parent: the decoder's limit, plus rounding of blocks.
    var sharedMemory: Int { decoderMemory + (64 << 20) }

    /// The number of pictures of a size to queue, at most `wanted`; three more are in use elsewhere.
    func picturesAhead(width: Int, height: Int, wanted: Int) -> Int {
        let bytes = max(width * height * Self.bytesPerPixel, 1)
        return min(max(memory / 2 / bytes - Self.picturesInUse, 1), wanted)
    }

    /// After conversion for drawing.
    private static let bytesPerPixel = 4
    private static let picturesInUse = 3

    func check(width: Int, height: Int, source: String) throws(KinemaError) {
        guard width > 0, height > 0, !accepts(width: width, height: height) else { return }
        throw KinemaError.unreadable(
            "frames of \(width)x\(height) are too large: at most \(side) a side and \(area / 1_000_000) megapixels; "
                + "make them smaller first", source)
    }

    func accepts(width: Int, height: Int) -> Bool {
        width <= side && height <= side && width * height <= area
    }
}

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
