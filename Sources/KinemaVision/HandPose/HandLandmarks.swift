import Foundation

/// What the landmark model says about one region; pixels of the picture, origin at the top left.
struct HandLandmarks: Sendable {
    /// The number of points.
    static let count = 21

    /// Where the model looked.
    var region: Region
    /// The probability that a hand is in the region.
    var presence: Float
    /// How likely it is a right hand, as the person sees it, 0...1.
    var rightness: Float
    /// The 21 points in the order of `HandSkeleton`.
    var points: [SIMD2<Double>]
    /// The 21 points in metres: x right, y up, z towards the camera, from the middle of the hand.
    var world: [SIMD3<Float>]

    /// The points that say where the hand is: wrist, thumb up to its last joint, the four fingers' first two joints.
    ///
    /// MediaPipe's choice (hand_landmark_landmarks_to_roi); the finger tips move too much to steer a region.
    private static let steering = [0, 1, 2, 3, 5, 6, 9, 10, 13, 14, 17, 18]

    /// The square in which the hand is looked for in the next frame, MediaPipe's rule: the box of the steering points in
    /// the hand's own direction, shifted by a tenth towards the fingers, twice as large.
    var next: Region {
        let wrist = points[0]
        // The index, middle and ring fingers' knuckles, the middle one weighing as much as the others together.
        let knuckles = ((points[5] + points[13]) / 2 + points[9]) / 2
        let angle = Double.pi / 2 - atan2(-(knuckles.y - wrist.y), knuckles.x - wrist.x)
        let (c, s) = (cos(angle), sin(angle))
        var low = SIMD2(repeating: Double.infinity)
        var high = -low
        for index in Self.steering {
            let point = points[index]
            let turned = SIMD2(c * point.x + s * point.y, c * point.y - s * point.x)
            low = pointwiseMin(low, turned)
            high = pointwiseMax(high, turned)
        }
        let size = high - low
        let middle = (low + high) / 2 - SIMD2(0, 0.1 * size.y)
        return Region(
            center: SIMD2(c * middle.x - s * middle.y, s * middle.x + c * middle.y), side: 2 * size.max(),
            angle: angle)
    }

    /// From the wrist to the middle finger's knuckle, pixels.
    var length: Double { (points[9] - points[0]).length }
}
