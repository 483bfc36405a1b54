/// The weights of `PinchEvidence`, written by `script/pinches fit`: of each term the mean and the scale over the frames used
/// for fitting, the weight, and the mean over frames in which the tips touch.
///
/// Fitted to 1738 frames of hands in 14 recordings (labelled by eye) and 14 streams of stick-figure hands.
enum PinchWeights {
    static let constant = -7.143
    static let terms: [(mean: Double, scale: Double, weight: Double, touching: Double)] = [
        (0.393, 0.09424, -2.24, 0.2395),  // gap
        (0.5574, 0.07844, 2.796, 0.6467),  // reach
        (0.641, 0.3023, -2.828, 0.2323),  // dip
        (0.1175, 0.1364, -0.4433, 0.1133),  // depth
    ]
}
