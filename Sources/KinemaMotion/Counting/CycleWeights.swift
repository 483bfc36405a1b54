/// The weights of `CycleScore`, written by `script/counting fit`: of each term the mean and the scale among the cycles it
/// was fitted with, and the weight.
///
/// Fitted with 243 recordings and rendered clips (labels by eye, labels of RepCount, and the renderer's truth), among
/// them 34 without exercise.
enum CycleWeights {
    static let terms: [(mean: Float, scale: Float, weight: Float)] = [
        (0, 1, 0.019921),  // constant
        (2.0374, 0.93739, 0.66083),  // count
        (0.19287, 0.38589, -1.077),  // alike
        (0.18263, 0.38839, 1.4657),  // alikePlaced
        (0.36826, 0.4298, -0.80234),  // alikeInPairs
        (0.28121, 0.2114, -1.0373),  // irregular
        (0.20493, 0.14388, -0.10442),  // uneven
        (-0.24792, 0.63568, 0.41561),  // amplitude
        (0.34736, 0.88141, -0.4922),  // range
        (0.37532, 0.34018, 0.0093102),  // share
        (0.81339, 0.20132, -0.8216),  // path
        (0.78479, 0.21178, 1.1792),  // span
        (0.21473, 0.66047, -0.24354),  // period
        (-0.089781, 0.52036, -0.60756),  // halves
        (0.080472, 0.12113, 0.020874),  // detours
        (0.33787, 0.12158, -0.33845),  // hysteresis
        (0.4895, 0.49989, 0.0040356),  // placed
        (0.60324, 0.48923, 0.1191),  // component
        (0.39931, 0.25648, 0.013221),  // agreement
        (-0.34439, 0.45118, 0.68359),  // density
        (0.035788, 1.8023, 0.39061),  // unlike
        (0.49458, 0.43877, 0.2037),  // before
        (0.46482, 0.40631, 0.36553),  // after
        (0.26324, 0.44039, -0.055463),  // openBefore
        (0.28525, 0.45153, -0.082397),  // openAfter
        (0.027851, 0.6297, 0.051141),  // dwell
        (0.15916, 0.096379, 0.13753),  // pauses
        (0.2201, 1.9686, -0.523),  // shape
        (-0.0012669, 1.9281, -0.64044),  // neighbour
        (-0.010384, 0.26255, 0.069158),  // size
        (0.011169, 0.3697, 0.038756),  // length
        (0.16499, 0.20449, 0.11676),  // sizeOff
        (0.21907, 0.29801, -0.16497),  // lengthOff
        (-0.25738, 0.3317, 0.41794),  // balance
        (0.64058, 0.38042, 0.32662),  // cycleDensity
        (0.67644, 0.54268, -0.29966),  // cycleDensityOff
        (0.35769, 0.47932, -0.12272),  // end
        (-0.020698, 1.1076, 0.25501),  // endShape
        (-0.0072135, 0.15512, -0.063698),  // endSize
        (5.0296, 4.167, -1.301),  // count squared
        (0.18611, 0.29206, 0.0059185),  // alike squared
        (0.1842, 0.28609, -0.78229),  // alikePlaced squared
        (0.32034, 0.35862, 0.20004),  // alikeInPairs squared
        (0.12377, 0.16664, 0.4097),  // irregular squared
        (0.062696, 0.073088, 0.027826),  // uneven squared
        (0.46556, 0.94108, 0.12972),  // amplitude squared
        (0.89754, 1.0223, -0.14047),  // range squared
        (0.25659, 0.3279, 0.68842),  // share squared
        (0.70213, 0.26954, 1.0145),  // path squared
        (0.66075, 0.27496, -1.0603),  // span squared
        (0.48233, 0.78084, -0.50007),  // period squared
        (0.27883, 0.2389, 0.11187),  // halves squared
        (0.021149, 0.072068, 0.026612),  // detours squared
        (0.12894, 0.085013, 0.32954),  // hysteresis squared
        (0.4895, 0.49989, 0.0040356),  // placed squared
        (0.60324, 0.48923, 0.1191),  // component squared
        (0.22523, 0.23433, -0.16272),  // agreement squared
        (0.32217, 0.53186, 0.13652),  // density squared
        (3.2496, 3.3561, -0.15617),  // unlike squared
        (0.43713, 0.84015, -0.10947),  // before squared
        (0.38115, 0.77118, -0.18696),  // after squared
        (0.26324, 0.44039, -0.055463),  // openBefore squared
        (0.28525, 0.45153, -0.082397),  // openAfter squared
        (0.3973, 0.68572, 0.0028859),  // dwell squared
        (0.034621, 0.044786, -0.34528),  // pauses squared
        (3.9239, 4.5526, 0.21707),  // shape squared
        (3.7174, 3.8484, 0.11325),  // neighbour squared
        (0.069038, 0.15559, -0.037708),  // size squared
        (0.1368, 0.34807, 0.060866),  // length squared
        (0.069038, 0.15559, -0.037708),  // sizeOff squared
        (0.1368, 0.34807, 0.060866),  // lengthOff squared
        (0.17627, 0.48517, 0.15049),  // balance squared
        (0.55506, 0.8393, -0.27303),  // cycleDensity squared
        (0.75208, 1.1114, 0.19077),  // cycleDensityOff squared
        (0.35769, 0.47932, -0.12272),  // end squared
        (1.2273, 3.1031, 0.051226),  // endShape squared
        (0.024113, 0.098064, -0.030525),  // endSize squared
        (0.41527, 0.7694, 1.5726),  // alike times count
        (0.59603, 0.50484, 0.61344),  // count times irregular
        (0.16664, 0.32111, -0.1751),  // alike times path
        (0.045445, 0.30663, 0.31975),  // alike times period
        (-0.097056, 1.1528, 0.76289),  // count times halves
        (1.6861, 0.97611, -0.10943),  // count times span
        (0.68203, 0.40854, -0.078974),  // hysteresis times count
        (0.12363, 0.22631, 0.073742),  // agreement times alike
        (0.74324, 0.58903, 0.31862),  // agreement times count
        (-0.73592, 0.98795, -0.14594),  // density times count
        (0.84492, 4.4207, -0.30276),  // shape times count
        (-0.49243, 0.90418, -0.402),  // shape times alike
        (0.19301, 0.51791, -0.066962),  // sizeOff times shape
        (0.2775, 0.71929, -0.087429),  // lengthOff times shape
        (2.9255, 3.7386, -0.076786),  // shape times unlike
        (-0.10107, 0.3308, -0.25782),  // cycleDensity times density
        (0.15415, 0.32137, 0.0044315),  // before times end
        (0.14683, 0.30635, -0.026986),  // after times end
        (1.0845, 1.2062, -0.12146),  // before times count
        (1.0125, 1.0851, -0.20654),  // after times count
        (-0.029223, 0.43237, 0.074473),  // dwell times before
    ]
}
