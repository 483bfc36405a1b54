package import KinemaMedia

/// The rotation and mirroring that turn a stored image upright; numbers as in EXIF.
public enum CGImagePropertyOrientation: UInt32, Sendable, Hashable, CaseIterable, Codable {
    /// Stored as shown.
    case up = 1
    /// Mirrored left to right.
    case upMirrored = 2
    /// Turned by 180 degrees.
    case down = 3
    /// Mirrored top to bottom.
    case downMirrored = 4
    /// Mirrored left to right, then turned by 90 degrees counterclockwise.
    case leftMirrored = 5
    /// Needs a turn by 90 degrees clockwise.
    case right = 6
    /// Mirrored left to right, then turned by 90 degrees clockwise.
    case rightMirrored = 7
    /// Needs a turn by 90 degrees counterclockwise.
    case left = 8

    package var exif: ImageReader.Orientation { ImageReader.Orientation(exif: Int(rawValue)) ?? .upright }
}
