import Foundation
import KinemaVN

/// Whether a camera stands still: the sum of the shifts between frames.
final class CameraStability {
    private let requestHandler = VNSequenceRequestHandler()
    private var previousSampleBuffer: CMSampleBuffer?
    private(set) var historyPoints = [CGPoint]()

    func checkStability(_ controller: CMSampleBuffer) throws {
        guard let previous = previousSampleBuffer else {
            previousSampleBuffer = controller
            return
        }
        let registrationRequest = VNTranslationalImageRegistrationRequest(targetedCMSampleBuffer: controller)
        try requestHandler.perform([registrationRequest], on: previous)
        previousSampleBuffer = controller
        if let alignment = registrationRequest.results?.first as? VNImageTranslationAlignmentObservation {
            let transform = alignment.alignmentTransform
            historyPoints.append(CGPoint(x: transform.tx, y: transform.ty))
        }
    }

    var isStable: Bool? {
        guard historyPoints.count > 15 else { return nil }
        var movingAverage = CGPoint.zero
        for point in historyPoints {
            movingAverage.x += point.x
            movingAverage.y += point.y
        }
        return abs(movingAverage.x) + abs(movingAverage.y) < 10
    }
}

/// The outline of a board within its rectangle, in the rectangle's coordinates, and its corners in the image.
func boardContour(in image: CGImage, boardBox: CGRect) throws -> (corners: [CGPoint], hole: CGRect?) {
    let contoursRequest = VNDetectContoursRequest()
    contoursRequest.contrastAdjustment = 1.6
    contoursRequest.detectsDarkOnLight = true
    contoursRequest.regionOfInterest = boardBox
    let handler = VNImageRequestHandler(cgImage: image, options: [:])
    try handler.perform([contoursRequest])
    guard let result = contoursRequest.results?.first as? VNContoursObservation else { return ([], nil) }
    let approximations = try result.topLevelContours
        .map { try $0.polygonApproximation(epsilon: 0.01) }
        .filter { $0.pointCount >= 3 }
    guard let board = approximations.max(by: { $0.pointCount < $1.pointCount }) else { return ([], nil) }
    let corners = board.normalizedPoints.map { point in
        VNImagePointForNormalizedPointUsingRegionOfInterest(
            CGPoint(x: CGFloat(point.x), y: CGFloat(point.y)), image.width, image.height, boardBox)
    }
    let outline = try result.contour(at: board.indexPath)
    guard outline.childContourCount > 0 else { return (corners, nil) }
    return (corners, try outline.childContour(at: 0).normalizedPath.boundingBox)
}
