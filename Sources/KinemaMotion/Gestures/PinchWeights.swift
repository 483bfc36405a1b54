/// The weights of `PinchEvidence`, written by `script/pinches fit`: of each term the mean and the scale among the frames it
/// was fitted with, the weight, and the mean of frames with tips that touch.
///
/// Fitted with 1738 frames of hands in 14 recordings (labels by eye) and 14 streams of hands of rods.
enum PinchWeights {
    static let constant = -7.71
    static let terms: [(mean: Double, scale: Double, weight: Double, touching: Double)] = [
        (0.4217, 0.1276, -2.664, 0.2159),  // gap
        (0.5574, 0.07844, 2.861, 0.6467),  // reach
        (0.6349, 0.3107, -2.523, 0.2093),  // dip
        (0.1175, 0.1364, -0.4983, 0.1133),  // depth
    ]
}
