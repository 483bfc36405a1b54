/// What the landmark model says about one region; pixels of the picture, origin at the top left.
struct BodyLandmarks: Sendable {
    /// The number of points that belong to the body; two more steer the next region.
    static let count = 33

    /// Where the model looked.
    var region: Region
    /// The probability that a person is in the region.
    var presence: Float
    /// The 33 points.
    var points: [SIMD2<Double>]
    /// How likely each point is in view and not hidden, 0...1.
    var visibility: [Float]
    /// How likely each point is inside the region, 0...1.
    var pointPresence: [Float]
    /// The 33 points in metres: x right, y up, z towards the camera, from the middle of the hips.
    var world: [SIMD3<Float>]
    /// How likely there really is somebody, 0...1: the presence, unless a search knows better.
    var score: Float
    /// The middle of the body and the point that gives size and rotation of the next region.
    var middle: SIMD2<Double>
    var rim: SIMD2<Double>

    /// How sure the joint is: visible and inside.
    func confidence(_ index: Int) -> Float {
        min(visibility[index], pointPresence[index])
    }
}
