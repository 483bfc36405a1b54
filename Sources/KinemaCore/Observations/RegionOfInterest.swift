public import Foundation

extension NormalizedPoint {
    /// A point of a region of interest (0...1 of the region) in pixels of the whole picture.
    public func toImageCoordinates(
        from regionOfInterest: NormalizedRect, imageSize: CGSize, origin: CoordinateOrigin = .lowerLeft
    ) -> CGPoint {
        inFullImage(from: regionOfInterest).toImageCoordinates(imageSize, origin: origin)
    }

    /// A point of a region of interest (0...1 of the region) as a point of the whole picture (0...1 of the picture).
    public func inFullImage(from regionOfInterest: NormalizedRect) -> NormalizedPoint {
        NormalizedPoint(
            x: regionOfInterest.origin.x + x * regionOfInterest.size.width,
            y: regionOfInterest.origin.y + y * regionOfInterest.size.height)
    }
}

extension NormalizedRect {
    /// A rectangle of a region of interest (0...1 of the region) in pixels of the whole picture.
    public func toImageCoordinates(
        from regionOfInterest: NormalizedRect, imageSize: CGSize, origin corner: CoordinateOrigin = .lowerLeft
    ) -> CGRect {
        inFullImage(from: regionOfInterest).toImageCoordinates(imageSize, origin: corner)
    }

    /// A rectangle of a region of interest (0...1 of the region) as one of the whole picture (0...1 of the picture).
    public func inFullImage(from regionOfInterest: NormalizedRect) -> NormalizedRect {
        NormalizedRect(
            x: regionOfInterest.origin.x + origin.x * regionOfInterest.size.width,
            y: regionOfInterest.origin.y + origin.y * regionOfInterest.size.height,
            width: size.width * regionOfInterest.size.width, height: size.height * regionOfInterest.size.height)
    }
}
