/// Finds the EXIF orientation of a JPEG, PNG or WebP picture, checking every offset.
enum ExifOrientation {
    static func find(in bytes: [UInt8]) -> PixelOrientation? {
        let reader = ByteReader(bytes)
        let block: Range<Int>? =
            if reader.matches([0xFF, 0xD8], at: 0) {
                jpegBlock(reader)
            } else if reader.matches([0x89, 0x50, 0x4E, 0x47], at: 0) {
                pngBlock(reader)
            } else if reader.matches(Array("RIFF".utf8), at: 0), reader.matches(Array("WEBP".utf8), at: 8) {
                webpBlock(reader)
            } else {
                nil
            }
        return block.flatMap { orientation(reader, in: $0) }
    }

    /// JPEG: segments of marker and length up to the picture data (ITU-T T.81, B.1.1.4); EXIF is in APP1.
    private static func jpegBlock(_ reader: ByteReader) -> Range<Int>? {
        var position = 2
        while let marker = reader.number(at: position, bytes: 2, littleEndian: false), marker >> 8 == 0xFF {
            if marker == 0xFFFF {
                position += 1
                continue
            }
            guard marker != 0xFFDA, let length = reader.number(at: position + 2, bytes: 2, littleEndian: false),
                length >= 2
            else { return nil }
            if marker == 0xFFE1, reader.matches(Array("Exif\0\0".utf8), at: position + 4) {
                return position + 10..<max(min(position + 2 + length, reader.count), position + 10)
            }
            position += 2 + length
        }
        return nil
    }

    /// PNG: chunks of length, type, data and checksum (PNG third edition, 5.3); EXIF is in eXIf.
    private static func pngBlock(_ reader: ByteReader) -> Range<Int>? {
        var position = 8
        while let length = reader.number(at: position, bytes: 4, littleEndian: false) {
            if reader.matches(Array("eXIf".utf8), at: position + 4) {
                return position + 8..<min(position + 8 + length, reader.count)
            }
            position += 12 + length
        }
        return nil
    }

    /// WebP: RIFF chunks of type, length and data padded to an even length (RFC 9649, 2.3); EXIF is in the chunk EXIF.
    private static func webpBlock(_ reader: ByteReader) -> Range<Int>? {
        var position = 12
        while let length = reader.number(at: position + 4, bytes: 4, littleEndian: true) {
            if reader.matches(Array("EXIF".utf8), at: position) {
                // Some writers add JPEG's prefix.
                let prefix = reader.matches(Array("Exif\0\0".utf8), at: position + 8) ? 6 : 0
                return position + 8 + prefix..<max(min(position + 8 + length, reader.count), position + 8 + prefix)
            }
            position += 8 + length + length % 2
        }
        return nil
    }

    /// Reads tag 274 from the first directory of a TIFF block (TIFF 6.0, section 2).
    private static func orientation(_ reader: ByteReader, in block: Range<Int>) -> PixelOrientation? {
        guard block.count >= 8 else { return nil }
        let start = block.lowerBound
        let little = reader.matches([0x49, 0x49], at: start)
        guard little || reader.matches([0x4D, 0x4D], at: start),
            let offset = reader.number(at: start + 4, bytes: 4, littleEndian: little),
            let count = reader.number(at: start + offset, bytes: 2, littleEndian: little)
        else { return nil }
        for entry in 0..<count {
            let position = start + offset + 2 + entry * 12
            guard position + 12 <= block.upperBound else { return nil }
            guard reader.number(at: position, bytes: 2, littleEndian: little) == 274 else { continue }
            return reader.number(at: position + 8, bytes: 2, littleEndian: little).flatMap {
                PixelOrientation(exif: $0)
            }
        }
        return nil
    }
}

/// Reads integers from bytes; nil beyond the end.
struct ByteReader {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var count: Int { bytes.count }

    func number(at position: Int, bytes length: Int, littleEndian: Bool) -> Int? {
        guard position >= 0, position <= count - length else { return nil }
        let part = bytes[position..<position + length]
        return littleEndian ? part.reversed().reduce(0) { $0 << 8 | Int($1) } : part.reduce(0) { $0 << 8 | Int($1) }
    }

    func matches(_ expected: [UInt8], at position: Int) -> Bool {
        position >= 0 && position <= count - expected.count
            && bytes[position..<position + expected.count].elementsEqual(expected)
    }
}

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
