import Foundation
public import KinemaCore

extension ContoursObservation.Contour {
    /// The area inside as a share of the region of interest; children are not taken off.
    ///
    /// With `useOrientedArea` the area of outlines that turn clockwise, which are those of holes, is negative.
    public func calculateArea(useOrientedArea: Bool) -> Double {
        let area = Polygon.orientedArea(normalizedPoints.lazy.map { SIMD2<Double>($0) })
        return useOrientedArea ? area : abs(area)
    }

    /// The length all around, in widths of the region of interest; the picture's aspect ratio is taken into account.
    public func calculatePerimeter() -> Double {
        Polygon.perimeter(isotropicPoints)
    }

    /// The smallest circle around the outline; the picture's aspect ratio is taken into account.
    public func boundingCircle() -> NormalizedCircle {
        let circle = EnclosingCircle(around: isotropicPoints)
        return NormalizedCircle(center: normalized(circle.center), radius: circle.radius)
    }

    /// The turned rectangle of least area around the outline; the picture's aspect ratio is taken into account.
    public var boundingQuad: RectangleObservation {
        let corners = EnclosingRectangle(around: isotropicPoints).corners
        // The corners go counterclockwise; the one furthest to the upper left is the first.
        let first = corners.indices.max { corners[$0].y - corners[$0].x < corners[$1].y - corners[$1].x } ?? 0
        let turned = (0..<4).map { normalized(corners[(first + $0) % 4]) }
        return RectangleObservation(
            topLeft: turned[0], topRight: turned[3], bottomRight: turned[2], bottomLeft: turned[1])
    }

    /// The corners with the same unit in both directions: widths of the picture, origin at the lower left.
    private var isotropicPoints: [SIMD2<Double>] {
        let scale = SIMD2(1, 1 / Double(aspectRatio))
        return normalizedPoints.map { SIMD2<Double>($0) * scale }
    }

    private func normalized(_ point: SIMD2<Double>) -> NormalizedPoint {
        NormalizedPoint(x: point.x, y: point.y * Double(aspectRatio))
    }
}
