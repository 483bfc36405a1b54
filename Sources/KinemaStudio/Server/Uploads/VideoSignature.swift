/// Tells by a file's first bytes whether it is a video that holds its own pictures.
///
/// The decoder also reads lists that name other files and addresses (HLS, DASH, concat, SDP); an upload of such a list
/// would have the studio open what it names.
enum VideoSignature {
    /// How many of the first bytes are looked at: two packets of an MPEG transport stream.
    static let length = 189

    /// Bytes at a place that give a container away.
    private static let known: [(offset: Int, bytes: [UInt8])] =
        ["ftyp", "moov", "mdat", "wide", "free", "skip", "pnot"].map { (4, Array($0.utf8)) } + [
            (0, [0x1A, 0x45, 0xDF, 0xA3]),  // Matroska, WebM
            (8, Array("AVI ".utf8)),
            (0, Array("OggS".utf8)),
            (0, Array("FLV".utf8)),
            (0, Array("GIF8".utf8)),
            (0, Array("YUV4MPEG2".utf8)),
            (0, [0x30, 0x26, 0xB2, 0x75]),  // ASF, WMV
            (0, [0x00, 0x00, 0x01, 0xBA]), (0, [0x00, 0x00, 0x01, 0xB3]),  // MPEG program and video streams
            (0, [0x00, 0x00, 0x00, 0x01]), (0, [0x00, 0x00, 0x01, 0x67]),  // H.264 and H.265 without a container
            (0, [0xFF, 0xD8, 0xFF]),  // Motion JPEG
        ]

    /// Whether the file begins like a video.
    static func isVideo(_ bytes: [UInt8]) -> Bool {
        if bytes.count >= length, bytes[0] == 0x47, bytes[length - 1] == 0x47 { return true }
        return known.contains { bytes.dropFirst($0.offset).starts(with: $0.bytes) }
    }
}
