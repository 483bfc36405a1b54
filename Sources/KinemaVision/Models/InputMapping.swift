/// The mapping from a model's input to the picture: `origin` + pixel x `step`, without rotation.
struct InputMapping: Sendable, Equatable {
    /// The position of the input's first pixel in the picture.
    var origin: SIMD2<Double>
    /// The distance between neighbouring pixels of the input in the picture.
    var step: SIMD2<Double>

    /// The whole picture in an input; the outermost samples are half a step from the picture's edge when it is stretched.
    init(_ fit: ModelManifest.Fit, of size: SIMD2<Double>, in input: SIMD2<Double>) {
        step = size / input
        if fit == .stretch {
            origin = step / 2 - 0.5
            return
        }
        let scale = step.max()
        step = SIMD2(repeating: scale)
        let rest = fit == .letterbox ? ((input - size / scale) / 2).rounded(.down) : .zero
        origin = step / 2 - 0.5 - rest * step
    }

    /// A box with padding, widened to the input's shape about its centre.
    init(_ box: SIMD4<Double>, padding: Double, in input: SIMD2<Double>) {
        let center = SIMD2(box.x + box.z, box.y + box.w) / 2
        let scale = (SIMD2(box.z - box.x, box.w - box.y) / input).max() * padding
        step = SIMD2(repeating: max(scale, 1e-3))
        origin = center - input / 2 * step
    }

    func picture(_ point: SIMD2<Double>) -> SIMD2<Double> { origin + point * step }

    func picture(_ joints: DecodedJoints) -> DecodedJoints {
        var joints = joints
        joints.points = joints.points.map { picture($0) }
        return joints
    }
}

extension ModelManifest.Input {
    var size: SIMD2<Double> { SIMD2(Double(width), Double(height)) }
}
