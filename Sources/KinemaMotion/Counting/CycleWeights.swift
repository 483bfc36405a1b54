/// The weights of `CycleScore`, written by `script/counting fit`: of each term the mean and the scale among the cycles it
/// was fitted with, and the weight.
///
/// Fitted with 301 recordings and rendered clips (labels by eye, labels of RepCount, and the renderer's truth) and
/// 130 figures of rods; 128 of all are without exercise.
enum CycleWeights {
    static let terms: [(mean: Float, scale: Float, weight: Float)] = [
        (0, 1, -1.4585),  // constant
        (1.7243, 0.86652, -0.2922),  // count
        (0.20103, 0.46077, 0.11278),  // alike
        (0.16236, 0.44967, 0.73966),  // alikePlaced
        (0.43574, 0.50263, -0.33946),  // alikeInPairs
        (0.20734, 0.19607, -0.30946),  // irregular
        (0.16923, 0.14397, -0.1384),  // uneven
        (-0.54595, 0.68867, 0.42704),  // amplitude
        (-0.014162, 0.98831, -0.40576),  // range
        (0.36604, 0.37398, 0.25864),  // share
        (0.82055, 0.17925, 0.00066963),  // path
        (0.77883, 0.19534, 0.028903),  // span
        (0.19147, 0.6412, -0.32672),  // period
        (-0.17861, 0.6026, -0.34683),  // halves
        (0.050712, 0.098907, 0.15842),  // detours
        (0.33988, 0.122, 0.022653),  // hysteresis
        (0.48401, 0.49974, 0.015509),  // placed
        (0.6305, 0.48267, 0.15758),  // component
        (0.47413, 0.27394, 0.18867),  // agreement
        (-0.38303, 0.45785, -0.026356),  // density
        (-0.30603, 2.0559, 0.013443),  // unlike
        (0.4267, 0.36763, 0.073356),  // before
        (0.4095, 0.34331, 0.0034957),  // after
        (0.28705, 0.45239, -0.026993),  // openBefore
        (0.30313, 0.45961, -0.066224),  // openAfter
        (0.01155, 0.59498, -0.068213),  // dwell
        (0.15517, 0.095409, -0.015437),  // pauses
        (-0.95267, 1.7369, -0.69168),  // legsApart
        (-0.7018, 1.706, -1.1329),  // armsApart
        (0.37821, 0.32407, -0.15298),  // legShare
        (-1.1772, 1.9984, 0.070673),  // trunk
        (-1.183, 1.2616, -0.17229),  // drift
        (-2.2787, 0.78257, -0.16857),  // growth
        (-1.5824, 1.3081, 0.14724),  // closures
        (-0.59845, 1.0193, -0.11275),  // retraces
        (0.1343, 0.18021, -0.15634),  // detourAll
        (-0.12281, 2.2501, -0.20746),  // shape
        (-0.25183, 2.2177, -0.54977),  // neighbour
        (-0.00852, 0.23359, 0.021224),  // size
        (0.01558, 0.30258, 0.035269),  // length
        (0.13633, 0.18987, 0.060827),  // sizeOff
        (0.16519, 0.25399, -0.161),  // lengthOff
        (-0.22356, 0.31148, 0.19369),  // balance
        (0.60008, 0.3431, 0.15679),  // cycleDensity
        (0.71913, 0.56305, -0.67701),  // cycleDensityOff
        (0.44749, 0.49724, -0.11155),  // end
        (-0.13724, 1.3761, 0.13133),  // endShape
        (-0.008008, 0.15946, -0.072407),  // endSize
        (-1.5949, 1.3934, -0.10241),  // closure
        (-0.62197, 1.1084, -0.089518),  // retrace
        (0.1491, 0.21315, -0.16753),  // detour
        (3.7239, 3.2731, -0.17285),  // count squared
        (0.25273, 0.35963, -0.050519),  // alike squared
        (0.22856, 0.33878, 0.020239),  // alikePlaced squared
        (0.4425, 0.41054, 0.03476),  // alikeInPairs squared
        (0.081434, 0.13668, 0.15932),  // irregular squared
        (0.049365, 0.069725, 0.0469),  // uneven squared
        (0.77232, 1.2812, -0.51701),  // amplitude squared
        (0.97695, 1.1393, 0.1568),  // range squared
        (0.27385, 0.36572, 0.47511),  // share squared
        (0.70543, 0.24713, 0.09176),  // path squared
        (0.64473, 0.2591, -0.083257),  // span squared
        (0.4478, 0.65542, -0.25919),  // period squared
        (0.39503, 0.28474, -0.31829),  // halves squared
        (0.012354, 0.054903, -0.00834),  // detours squared
        (0.13041, 0.085436, 0.017103),  // hysteresis squared
        (0.48401, 0.49974, 0.015509),  // placed squared
        (0.6305, 0.48267, 0.15758),  // component squared
        (0.29985, 0.29761, -0.37556),  // agreement squared
        (0.35634, 0.55696, -0.12049),  // density squared
        (4.3204, 4.5884, -0.18191),  // unlike squared
        (0.31722, 0.66449, 0.0085154),  // before squared
        (0.28555, 0.60218, 0.04082),  // after squared
        (0.28705, 0.45239, -0.026993),  // openBefore squared
        (0.30313, 0.45961, -0.066224),  // openAfter squared
        (0.35414, 0.64955, 0.013104),  // dwell squared
        (0.033179, 0.045882, 0.024722),  // pauses squared
        (3.9244, 4.2912, -0.93222),  // legsApart squared
        (3.4028, 3.6629, -0.059971),  // armsApart squared
        (0.24806, 0.30641, 0.40462),  // legShare squared
        (5.3795, 6.0479, 0.26755),  // trunk squared
        (2.9912, 2.3289, -0.51936),  // drift squared
        (5.805, 2.7876, 0.0078573),  // growth squared
        (4.2153, 4.6696, 0.10337),  // closures squared
        (1.3972, 1.8054, 0.023523),  // retraces squared
        (0.050512, 0.12248, 0.20924),  // detourAll squared
        (5.0779, 5.5865, -0.28401),  // shape squared
        (4.9815, 4.7168, -0.20809),  // neighbour squared
        (0.054639, 0.13834, -0.015951),  // size squared
        (0.091796, 0.27725, 0.050981),  // length squared
        (0.054639, 0.13834, -0.015951),  // sizeOff squared
        (0.091796, 0.27725, 0.050981),  // lengthOff squared
        (0.147, 0.42858, 0.028808),  // balance squared
        (0.47781, 0.64528, 0.063815),  // cycleDensity squared
        (0.83418, 1.131, 0.3268),  // cycleDensityOff squared
        (0.44749, 0.49724, -0.11155),  // end squared
        (1.9125, 4.2697, 0.30902),  // endShape squared
        (0.02549, 0.099689, -0.014815),  // endSize squared
        (4.4854, 5.185, 0.30164),  // closure squared
        (1.6155, 2.2788, -0.0081248),  // retrace squared
        (0.067665, 0.17007, -0.032141),  // detour squared
        (0.38073, 0.80818, 0.59081),  // alike times count
        (0.38545, 0.41002, 0.17553),  // count times irregular
        (0.1764, 0.39032, -0.044239),  // alike times path
        (0.052131, 0.31767, -0.23194),  // alike times period
        (-0.18656, 1.1985, 0.50978),  // count times halves
        (1.4308, 0.86019, 0.13877),  // count times span
        (0.58173, 0.37041, -0.14313),  // hysteresis times count
        (0.1487, 0.2949, -0.19495),  // agreement times alike
        (0.73838, 0.5613, -0.061483),  // agreement times count
        (-0.69499, 0.92408, -0.097124),  // density times count
        (0.046822, 4.5755, -0.26068),  // shape times count
        (-0.77695, 1.2164, -0.021081),  // shape times alike
        (0.13862, 0.5147, -0.15704),  // sizeOff times shape
        (0.16226, 0.5962, -0.080094),  // lengthOff times shape
        (3.8403, 5.0444, 0.18837),  // shape times unlike
        (-0.11456, 0.27016, 0.024787),  // cycleDensity times density
        (0.17393, 0.30461, -0.057747),  // before times end
        (0.16696, 0.29038, 0.016404),  // after times end
        (0.78805, 0.90204, -0.044879),  // before times count
        (0.75522, 0.82612, -0.072059),  // after times count
        (-0.028674, 0.38278, 0.014807),  // dwell times before
        (2.3035, 3.1877, -0.5359),  // legsApart times armsApart
        (1.4084, 3.2168, -0.0013891),  // legsApart times drift
        (-1.605, 3.6, -0.32822),  // legsApart times count
        (2.8766, 3.8583, -0.34475),  // drift times trunk
        (0.2729, 2.2201, -0.31402),  // range times trunk
        (-2.6159, 2.6558, -0.34762),  // closures times count
        (-0.94981, 1.9217, 0.15005),  // retraces times count
        (-0.057879, 0.14731, 0.15709),  // retraces times detourAll
        (1.6251, 5.0162, -0.096785),  // closure times shape
    ]
}
