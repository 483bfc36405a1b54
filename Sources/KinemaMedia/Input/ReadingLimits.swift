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
