package import Foundation

/// What a JPEG says about itself before any of it is decoded.
///
/// Every offset is checked against the end of the bytes, so damaged and hostile pictures give nil.
package struct JPEGHeader: Sendable, Equatable {
    /// Stored columns.
    package var width: Int
    /// Stored rows.
    package var height: Int
    /// How many bytes come before the picture's data.
    package var count: Int
    /// Whether the bytes end as a whole picture does; a broken-off one does not.
    package var isWhole: Bool

    /// Reads the segments up to the picture's data (ITU-T T.81, B.1.1.4); nil when these bytes are no JPEG.
    package init?(_ bytes: Data) {
        guard let size = Self.size(in: bytes), size.width > 0, size.height > 0 else { return nil }
        (width, height, count) = size
        // Some cameras pad with zeros behind the end.
        let last = bytes.suffix(64).reversed().drop { $0 == 0 }.prefix(2)
        isWhole = Array(last) == [0xD9, 0xFF]
    }

    private static func size(in bytes: Data) -> (width: Int, height: Int, count: Int)? {
        func number(_ place: Int) -> Int? {
            guard place + 1 < bytes.count else { return nil }
            return Int(bytes[bytes.startIndex + place]) << 8 | Int(bytes[bytes.startIndex + place + 1])
        }
        guard number(0) == 0xFFD8 else { return nil }
        var place = 2
        var size: (width: Int, height: Int)?
        while let marker = number(place), marker >> 8 == 0xFF {
            if marker == 0xFFFF {
                place += 1
                continue
            }
            guard let length = number(place + 2), length >= 2 else { return nil }
            if marker == 0xFFDA { return size.map { ($0.width, $0.height, place) } }
            if isStartOfFrame(marker & 0xFF) {
                // A second size would be one that nobody checked.
                guard size == nil, let height = number(place + 5), let width = number(place + 7) else { return nil }
                size = (width, height)
            }
            place += 2 + length
        }
        return nil
    }

    /// SOF0 to SOF15 without DHT, JPG and DAC, which lie among them (T.81, table B.1).
    private static func isStartOfFrame(_ marker: Int) -> Bool {
        (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
    }
}
