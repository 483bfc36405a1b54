import Foundation
import KinemaCore
import KinemaMedia
import KinemaVision

extension VideoFrame {
    private static let pictureID = TemporalSegmentIdentifier(source: "memory", range: 0..<1, timescale: 1)

    convenience init(picture: Bitmap) { self.init(bitmap: picture, id: Self.pictureID) }

    /// The same picture without its time.
    var picture: VideoFrame { VideoFrame(self, id: Self.pictureID) }

    static func reading(_ url: URL, _ orientation: CGImagePropertyOrientation?) throws -> VideoFrame {
        try ImageReader.read(contentsOf: url, orientation: orientation?.exif)
    }

    static func reading(_ data: Data, _ orientation: CGImagePropertyOrientation?) throws -> VideoFrame {
        try ImageReader.read(data, orientation: orientation?.exif)
    }

    func upright(_ orientation: CGImagePropertyOrientation) throws -> VideoFrame { try oriented(orientation.exif) }
}
