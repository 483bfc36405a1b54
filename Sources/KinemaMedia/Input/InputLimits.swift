internal import KinemaCore

/// What a file may ask for before it counts as hostile or broken.
enum InputLimits {
    /// Bytes read to find out what is in the file.
    static let probeBytes: Int64 = 5_000_000
    /// Media time read to find out what is in the file, in microseconds.
    static let probeDuration: Int64 = 5_000_000
    /// The same of a live source, where every second is one of delay.
    static let liveProbeDuration: Int64 = 1_000_000
    /// Read errors in a row after which the rest of the file is given up.
    static let readErrorsInRow = 100

    /// How often a server of RTSP may send on to another; FFmpeg's own limit for HTTP is 8.
    static let redirections = 4

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
        // Encryption is not FFmpeg's part here, see `StreamLinkHandle`.
        case "rtsp" where address.reach == .anywhere: "rtsp,rtp,rtcp,tcp,udp"
        case "rtsp", "rtsps": "rtsp,rtp,rtcp,tcp"
        case "https": "https,tls,tcp,httpproxy,crypto"
        default: "http,https,tls,tcp,httpproxy,crypto"
        }
    }
}

/// What reading one input may take of this machine; what asks for more is refused in one line.
package struct ReadingLimits: Hashable, Sendable {
    /// The longest side of a picture, pixels.
    package var side = 16_384
    /// The most pixels of a picture: 100 megapixels, 400 MB with four bytes a pixel.
    package var area = 100_000_000
    /// Bytes that the pictures of one reading may take.
    ///
    /// The decoder counts every picture it makes room for and gets a half: two pictures of the largest size with 16 bits
    /// a channel. The other half is for the pictures that wait and are looked at: fewer wait the larger they are.
    package var memory = 4 << 30

    /// For whoever reads inputs of their own.
    package init() {}

    /// For inputs of people who are not trusted, several at once: 4096 pixels a side, 1 GiB. Cameras of telephones give
    /// 3840x2160.
    package static var untrusted: ReadingLimits {
        var limits = ReadingLimits()
        (limits.side, limits.area, limits.memory) = (4_096, 4_096 * 4_096, 1 << 30)
        return limits
    }

    /// Bytes for the decoder's own pictures.
    var decoderMemory: Int { memory / 2 }

    /// How many decoded pictures of a size may wait, at most `wanted`: besides them there are the one being looked at, its
    /// copy for drawing, and the one whose end is not known yet.
    func picturesAhead(width: Int, height: Int, wanted: Int) -> Int {
        let bytes = max(width * height * Self.bytesPerPixel, 1)
        return min(max(memory / 2 / bytes - Self.picturesInHand, 1), wanted)
    }

    /// As converted for drawing.
    private static let bytesPerPixel = 4
    private static let picturesInHand = 3

    /// The largest piece of memory that a picture within these limits needs: 16 bits a channel, four channels, and
    /// rows padded to whole blocks.
    var largestAllocation: Int { area * 9 }

    /// Throws when a picture of this size is refused.
    func check(width: Int, height: Int, source: String) throws(KinemaError) {
        guard width > 0, height > 0, !accepts(width: width, height: height) else { return }
        throw KinemaError(
            .unreadableInput,
            "pictures of \(width)x\(height) are too large: at most \(side) a side and \(area / 1_000_000) megapixels; "
                + "make them smaller first", file: source)
    }

    /// Whether pictures of this size are read.
    func accepts(width: Int, height: Int) -> Bool {
        width <= side && height <= side && width * height <= area
    }
}
