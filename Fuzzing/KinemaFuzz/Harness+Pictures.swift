import Foundation
import KinemaCore
@testable import KinemaMedia

/// Headers of images.
extension Harness {
    /// EXIF in JPEG, PNG and WebP, and the chunks of PNG.
    static let pictures = Harness(name: "pictures", maximumLength: 2048) {
        let exif = Picture.exif(orientation: 6)
        return [
            Picture.jpeg(exif: exif), Picture.png(exif: exif), Picture.webp(exif: exif),
            Picture.jpeg(exif: Picture.exif(orientation: 3, isLittle: false)),
        ]
    } body: { bytes in
        _ = ExifOrientation.find(in: bytes)
        guard let kept = PNGChunks.strippingMetadata(from: bytes) else { return }
        expect(kept.count < bytes.count, "stripped metadata is gone")
        // Stripping again must find less, or nothing.
        expect(PNGChunks.strippingMetadata(from: kept).map { $0.count < kept.count } ?? true, "stripping ends")
    }

    /// JPEG as the studio decodes it, up to 640x480.
    static let jpegs = Harness(name: "jpegs", maximumLength: 4096) {
        [Picture.jpeg(), Picture.jpeg(exif: Picture.exif(orientation: 6)), Picture.jpeg(width: 64, height: 48)]
    } body: { bytes in
        let id = TemporalSegmentIdentifier(source: "client", range: 0..<1, timescale: 1)
        if let header = JPEGHeader((Data([0]) + Data(bytes)).dropFirst()) {
            expect(header.width > 0 && header.height > 0 && header.count <= bytes.count, "a header lies in the file")
        }
        guard let decoder = try? JPEGDecoder(maximumWidth: 640, maximumHeight: 480) else {
            preconditionFailure("this FFmpeg has no JPEG decoder")
        }
        for _ in 0..<2 { _ = try? decoder.frame(Data(bytes), id: id) }
    }
}
