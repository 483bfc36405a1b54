internal import KinemaCore

/// What an input may demand before it counts as hostile or broken.
enum InputLimits {
    /// Bytes to read while detecting the format.
    static let probeBytes: Int64 = 5_000_000
    /// Media time to read while detecting the format, in microseconds.
    static let probeDuration: Int64 = 5_000_000
    /// The same for a live source, where each second adds delay.
    static let liveProbeDuration: Int64 = 1_000_000
    /// Consecutive read errors after which reading stops.
    static let maximumConsecutiveReadErrors = 100

    /// How many redirects of an RTSP server to follow; FFmpeg's own limit for HTTP is 8.
    static let maximumRedirects = 4

    /// The containers that are read, by FFmpeg's names: those that cameras, phones, editors and browsers make.
    ///
    /// Every format more is code that a hostile file can reach. Playlists (hls, dash, concat), name patterns (image2),
    /// devices and text are left out also because they open other files. The last four are sound, so that the error can
    /// say that the file holds only that.
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

    /// The protocols an address may use, by FFmpeg's names: its own, those that carry it, and HTTPS after HTTP. A
    /// playlist that names a file or another service gets nothing.
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

/// How much of this machine one input may use; larger inputs are refused.
package struct ReadingLimits: Hashable, Sendable, Codable {
    /// The longest side of a picture, pixels.
    package var side = 16_384
    /// The most pixels of a picture: 100 megapixels, 400 MB with four bytes a pixel.
    package var area = 100_000_000
    /// Bytes that the pictures of one reader may take.
    ///
    /// Half is for the decoder, which counts every picture it allocates: two pictures of the largest size at 16 bits a
    /// channel. The other half is for queued pictures: the larger they are, the fewer are queued.
    package var memory = 4 << 30

    /// The limits for the user's own inputs.
    package init() {}

    /// The limits for several inputs at once from untrusted people: 4096 pixels a side, 1 GiB. Phone cameras deliver
    /// 3840x2160.
    package static var untrusted: ReadingLimits {
        var limits = ReadingLimits()
        (limits.side, limits.area, limits.memory) = (4_096, 4_096 * 4_096, 1 << 30)
        return limits
    }

    /// Bytes for the decoder's pictures.
    var decoderMemory: Int { memory / 2 }

    /// Bytes that a decoder process and the one that reads share for pictures: as much as the decoder may have, and a
    /// little for the rounding of blocks.
    var sharedMemory: Int { decoderMemory + (64 << 20) }

    /// How many decoded pictures of a size may be queued, at most `wanted`. Three more are in use: the one being
    /// analysed, its copy for drawing, and the one whose end is not known yet.
    func picturesAhead(width: Int, height: Int, wanted: Int) -> Int {
        let bytes = max(width * height * Self.bytesPerPixel, 1)
        return min(max(memory / 2 / bytes - Self.picturesInUse, 1), wanted)
    }

    /// After conversion for drawing.
    private static let bytesPerPixel = 4
    private static let picturesInUse = 3

    /// The largest allocation a picture within these limits needs: four channels of 16 bits, and rows padded to whole
    /// blocks.
    var largestAllocation: Int { area * 9 }

    /// Throws when pictures of this size are not allowed.
    func check(width: Int, height: Int, source: String) throws(KinemaError) {
        guard width > 0, height > 0, !accepts(width: width, height: height) else { return }
        throw KinemaError(
            .unreadableInput,
            "pictures of \(width)x\(height) are too large: at most \(side) a side and \(area / 1_000_000) megapixels; "
                + "make them smaller first", file: source)
    }

    /// Whether pictures of this size are allowed.
    func accepts(width: Int, height: Int) -> Bool {
        width <= side && height <= side && width * height <= area
    }
}
