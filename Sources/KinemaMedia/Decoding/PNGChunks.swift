/// Removes texts and colour profiles from PNG data before decoding: 200 KB can expand to 200 MB.
enum PNGChunks {
    private static let metadataTypes = ["tEXt", "zTXt", "iTXt", "iCCP"].map { Array($0.utf8) }
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// Length, type and checksum around a chunk's data (PNG third edition, 5.3).
    private static let overhead = 12

    /// The data without texts and profiles, with or without a PNG signature; nil if there is nothing to remove.
    static func strippingMetadata(from bytes: [UInt8]) -> [UInt8]? {
        let reader = ByteReader(bytes)
        var position = bytes.starts(with: signature) ? signature.count : 0
        var kept: [UInt8] = []
        var copied = 0
        while let length = reader.number(at: position, bytes: 4, littleEndian: false) {
            // The decoder stops at a chunk that runs past the end.
            let next = position + overhead + length
            guard next <= bytes.count else { break }
            if metadataTypes.contains(where: { reader.matches($0, at: position + 4) }) {
                kept += bytes[copied..<position]
                copied = next
            }
            position = next
        }
        guard copied > 0 else { return nil }
        return kept + bytes[copied...]
    }
}
