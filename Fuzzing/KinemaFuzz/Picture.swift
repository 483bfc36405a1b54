import Foundation
import KinemaCore
import KinemaMedia

/// Small images with metadata.
enum Picture {
    private static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func number(_ value: Int, _ count: Int, _ isLittle: Bool) -> [UInt8] {
        isLittle ? big(value, count).reversed() : big(value, count)
    }

    /// A TIFF block with only the orientation.
    static func exif(orientation: Int, isLittle: Bool = true) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] { self.number(value, count, isLittle) }
        let head = (isLittle ? [0x49, 0x49] : [0x4D, 0x4D]) + number(42, 2) + number(8, 4)
        return head + number(1, 2) + number(274, 2) + number(3, 2) + number(1, 4) + number(orientation, 2)
            + number(0, 2) + number(0, 4)
    }

    /// A JPEG written by the media library; `exif` follows its first marker.
    static func jpeg(width: Int = 16, height: Int = 16, exif: [UInt8] = []) -> [UInt8] {
        let url = Harness.folder.appending(path: "seed.jpg")
        var bitmap = Bitmap(width: width, height: height)
        for index in bitmap.pixels.indices { bitmap.pixels[index] = UInt8(truncatingIfNeeded: index * 7) }
        guard (try? ImageWriter.write(bitmap, to: url)) != nil, let data = try? Data(contentsOf: url) else { return [] }
        let bytes = [UInt8](data)
        guard !exif.isEmpty else { return bytes }
        let content = Array("Exif\0\0".utf8) + exif
        let segment: [UInt8] = [0xFF, 0xE1] + big(content.count + 2, 2) + content
        return Array(bytes[..<2]) + segment + Array(bytes[2...])
    }

    /// The chunks of a PNG, without pixels.
    static func png(exif: [UInt8]) -> [UInt8] {
        func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
            big(data.count, 4) + Array(type.utf8) + data + [0, 0, 0, 0]
        }
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        return signature + chunk("IHDR", big(6, 4) + big(4, 4) + [8, 2, 0, 0, 0]) + chunk("tEXt", Array("a\0b".utf8))
            + chunk("zTXt", Array("a\0\0b".utf8)) + chunk("eXIf", exif) + chunk("IEND", [])
    }

    /// The chunks of a WebP, without pixels.
    static func webp(exif: [UInt8]) -> [UInt8] {
        let chunks =
            Array("VP8X".utf8) + number(10, 4, true) + [8, 0, 0, 0, 5, 0, 0, 3, 0, 0] + Array("EXIF".utf8)
            + number(exif.count, 4, true) + exif
        return Array("RIFF".utf8) + number(chunks.count + 4, 4, true) + Array("WEBP".utf8) + chunks
    }
}
