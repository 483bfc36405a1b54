package import Foundation

/// The ground of the game in the picture: the distance of a person from the hole, and the position of a line.
///
/// The board gives the scale, 2 by 4 feet; a throw gives it more exactly by gravity.
package struct FieldView: Sendable {
    private let camera: FieldCamera
    private let board: FieldBoard
    private let aspectRatio: Double
    private let rules: TossRules

    /// The height of ankles above the ground, in metres: 0.039 of the body height (Drillis and Contini 1966).
    private static let ankleHeight = 0.067
    /// The line's length to each side of the hole, in metres: half a 2-foot board and a 3-foot pitcher's box (American
    /// Cornhole Association).
    private static let halfLine = 1.22
    /// The least downward slope of a ray that meets the ground somewhere known: beyond, a pixel is metres.
    private static let minimumSlope = 0.02

    /// Derives the view from a board alone; nil if its corners make no board.
    init?(_ observation: TossBoardObservation, aspectRatio: Double, rules: TossRules) {
        guard let correspondences = BoardCorrespondences(observation, aspectRatio: aspectRatio, rules: rules) else {
            return nil
        }
        (camera, board) = TossField.cameraAndBoard(of: correspondences)
        (self.aspectRatio, self.rules) = (aspectRatio, rules)
    }

    init(_ field: TossField, aspectRatio: Double, rules: TossRules) {
        (camera, board) = (field.camera, field.board)
        (self.aspectRatio, self.rules) = (aspectRatio, rules)
    }

    /// The distance along the ground from the hole to ankles at a normalised point, in metres; nil above the horizon.
    func distance(ofAnklesAt point: CGPoint) -> Double? {
        let ray = camera.point(at: point.centred(aspectRatio: aspectRatio), depth: 1)
        let height = ground + Self.ankleHeight
        guard ray.y < -Self.minimumSlope, height < 0 else { return nil }
        let offset = ray * (height / ray.y) - hole
        return hypot(offset.x, offset.z)
    }

    /// The ends of a line on the ground at a distance from the hole in metres: normalised, origin at the lower left.
    package func line(at distance: Double) -> [CGPoint] {
        let level = hypot(board.along.x, board.along.z)
        let middle = hole - FieldPoint(board.along.x, 0, board.along.z) / level * distance
        return [-Self.halfLine, Self.halfLine].map { side in
            var end = middle + board.across * side
            end.y = ground
            let image = camera.project(end)
            return CGPoint(x: image.x / aspectRatio + 0.5, y: image.y + 0.5)
        }
    }

    private var hole: FieldPoint { board.point(rules.holeCentre.x, 0) }
    /// The height of the ground: the face is 3 inches high at its near end.
    private var ground: Double { board.point(-rules.boardLength / 2, 0).y - 0.076 }
}
