package import KinemaCore

/// How far the postures of a window are apart, whatever their place in the picture.
package struct PostureDistances: Sendable {
    /// The number of poses.
    package let count: Int
    /// The mean squared distance of the joints of two poses, in body sizes, nil where nobody is seen; row by row.
    package let squares: [Float?]

    /// Compares poses in pictures of the given width divided by height.
    package init(_ poses: [Pose], aspectRatio: Float) {
        var last: SeenBody?
        let postures = poses.enumerated().map { index, pose -> JointRow? in
            guard let joints = BodyJoints(pose, aspectRatio: aspectRatio) else { return nil }
            // Only the order matters here.
            last = SeenBody(joints, after: last, at: Double(index))
            return last?.row.centred
        }
        count = postures.count
        let sizes = postures.compactMap { $0.map { ($0.squared / Float(JointRow.joints)).squareRoot() } }
        let scale = 1 / max(1e-4, median(sizes))
        var squares = [Float?](repeating: nil, count: count * count)
        for row in postures.indices {
            for column in row..<count {
                guard let one = postures[row], let two = postures[column] else { continue }
                let square = (one - two).squared / Float(JointRow.joints) * scale * scale
                squares[row * count + column] = square
                squares[column * count + row] = square
            }
        }
        self.squares = squares
    }
}
