/// The weights of `CycleScore`, written by `script/counting fit`: of each term the mean and the scale among the cycles it
/// was fitted with, and the weight.
///
/// Fitted with 301 recordings and rendered clips (labels by eye, labels of RepCount, and the renderer's truth) and
/// 130 figures of rods; 128 of all are without exercise.
enum CycleWeights {
    static let terms: [(mean: Float, scale: Float, weight: Float)] = [
        (0, 1, -1.3996),  // constant
        (1.7303, 0.86496, -0.52571),  // count
        (0.19246, 0.45666, 0.13223),  // alike
        (0.175, 0.45351, 1.0618),  // alikePlaced
        (0.40396, 0.50085, -0.51881),  // alikeInPairs
        (0.20928, 0.19773, -0.47593),  // irregular
        (0.16949, 0.14326, -0.18542),  // uneven
        (-0.64362, 0.86803, 0.89473),  // amplitude
        (-0.040701, 0.99826, -0.53029),  // range
        (0.37923, 0.3773, 0.20489),  // share
        (0.81715, 0.17903, -0.099499),  // path
        (0.77979, 0.1943, 0.064367),  // span
        (0.18582, 0.64928, -0.3803),  // period
        (-0.15453, 0.60404, -0.39875),  // halves
        (0.054911, 0.11076, 0.12909),  // detours
        (0.33945, 0.12203, 0.028448),  // hysteresis
        (0.49628, 0.49999, 0.026595),  // placed
        (0.61365, 0.48691, 0.15256),  // component
        (0.47371, 0.27978, 0.072084),  // agreement
        (-0.4002, 0.46996, -0.092157),  // density
        (-0.21606, 2.0746, 0.064652),  // unlike
        (0.43326, 0.37351, 0.089551),  // before
        (0.41629, 0.35146, -0.018461),  // after
        (0.28833, 0.45299, -0.023767),  // openBefore
        (0.30502, 0.46041, -0.072174),  // openAfter
        (0.012241, 0.5928, -0.022178),  // dwell
        (0.15418, 0.095627, -0.073084),  // pauses
        (-0.9088, 1.7031, -0.98868),  // legsApart
        (-0.65847, 1.6798, -1.1013),  // armsApart
        (0.37326, 0.31586, -0.36182),  // legShare
        (-0.94008, 2.2391, 0.17346),  // trunk
        (-1.1817, 1.2624, -0.31462),  // drift
        (-2.2826, 0.78371, -0.2623),  // growth
        (-1.5291, 1.2993, 0.24388),  // closures
        (-0.56068, 1.0014, -0.33599),  // retraces
        (0.16427, 0.23577, -0.13862),  // detourAll
        (-0.043099, 2.2509, -0.1193),  // shape
        (-0.17914, 2.2078, -0.54994),  // neighbour
        (-0.0082985, 0.23204, 0.026324),  // size
        (0.015179, 0.30424, 0.038252),  // length
        (0.13604, 0.18815, 0.11762),  // sizeOff
        (0.16603, 0.25539, -0.14497),  // lengthOff
        (-0.22475, 0.31163, 0.24325),  // balance
        (0.59659, 0.3511, -0.03509),  // cycleDensity
        (0.73073, 0.56377, -1.1252),  // cycleDensityOff
        (0.44413, 0.49687, -0.11712),  // end
        (-0.10747, 1.3709, 0.11265),  // endShape
        (-0.0081593, 0.15782, -0.079398),  // endSize
        (-1.5426, 1.3819, -0.038849),  // closure
        (-0.58297, 1.0874, -0.10971),  // retrace
        (0.17888, 0.26125, -0.19019),  // detour
        (3.7423, 3.2735, -0.36457),  // count squared
        (0.24558, 0.35541, -0.11953),  // alike squared
        (0.23629, 0.33908, -0.037352),  // alikePlaced squared
        (0.41403, 0.4072, 0.14564),  // alikeInPairs squared
        (0.082894, 0.13655, 0.27513),  // irregular squared
        (0.04925, 0.069386, 0.085502),  // uneven squared
        (1.1677, 2.4891, -0.2549),  // amplitude squared
        (0.99817, 1.1843, 0.1107),  // range squared
        (0.28618, 0.37022, 0.60931),  // share squared
        (0.69978, 0.24716, 0.14213),  // path squared
        (0.64583, 0.25845, -0.13773),  // span squared
        (0.45609, 0.6676, -0.22721),  // period squared
        (0.38874, 0.28444, -0.38155),  // halves squared
        (0.015282, 0.06999, -0.021266),  // detours squared
        (0.13012, 0.085431, 0.0031949),  // hysteresis squared
        (0.49628, 0.49999, 0.026595),  // placed squared
        (0.61365, 0.48691, 0.15256),  // component squared
        (0.30267, 0.30393, -0.41438),  // agreement squared
        (0.38102, 0.59431, -0.19379),  // density squared
        (4.3506, 4.5579, -0.19929),  // unlike squared
        (0.32722, 0.68057, -0.058199),  // before squared
        (0.29682, 0.62811, 0.068268),  // after squared
        (0.28833, 0.45299, -0.023767),  // openBefore squared
        (0.30502, 0.46041, -0.072174),  // openAfter squared
        (0.35156, 0.64791, 0.042978),  // dwell squared
        (0.032917, 0.046222, 0.081608),  // pauses squared
        (3.7265, 4.1191, -1.0824),  // legsApart squared
        (3.2553, 3.6269, -0.14017),  // armsApart squared
        (0.23909, 0.29797, 0.54437),  // legShare squared
        (5.8975, 7.4974, 0.67374),  // trunk squared
        (2.99, 2.3275, -0.58434),  // drift squared
        (5.8246, 2.7959, -0.067361),  // growth squared
        (4.0262, 4.6125, 0.079924),  // closures squared
        (1.3171, 1.7611, -0.039107),  // retraces squared
        (0.082572, 0.23511, 0.30234),  // detourAll squared
        (5.0684, 5.5416, -0.20855),  // shape squared
        (4.9067, 4.6658, -0.1059),  // neighbour squared
        (0.053909, 0.13648, -0.034999),  // size squared
        (0.092791, 0.27591, 0.067391),  // length squared
        (0.053909, 0.13648, -0.034999),  // sizeOff squared
        (0.092791, 0.27591, 0.067391),  // lengthOff squared
        (0.14763, 0.42517, 0.060115),  // balance squared
        (0.47919, 0.68952, 0.024974),  // cycleDensity squared
        (0.8518, 1.1439, 0.6237),  // cycleDensityOff squared
        (0.44413, 0.49687, -0.11712),  // end squared
        (1.891, 4.2062, 0.25728),  // endShape squared
        (0.024973, 0.098611, -0.017469),  // endSize squared
        (4.2892, 5.1156, 0.33459),  // closure squared
        (1.5222, 2.2064, -0.010705),  // retrace squared
        (0.10025, 0.26813, 0.012893),  // detour squared
        (0.36739, 0.80498, 0.9435),  // alike times count
        (0.38793, 0.41069, 0.21284),  // count times irregular
        (0.16889, 0.38616, -0.27165),  // alike times path
        (0.047751, 0.314, -0.23881),  // alike times period
        (-0.14161, 1.2002, 0.64825),  // count times halves
        (1.4351, 0.85786, 0.31378),  // count times span
        (0.58271, 0.36971, -0.12166),  // hysteresis times count
        (0.14678, 0.29869, -0.35704),  // agreement times alike
        (0.74336, 0.57767, 0.079565),  // agreement times count
        (-0.73752, 0.96557, -0.28152),  // density times count
        (0.20918, 4.6002, -0.27506),  // shape times count
        (-0.75577, 1.1964, 0.024128),  // shape times alike
        (0.14317, 0.506, -0.22225),  // sizeOff times shape
        (0.1701, 0.59515, -0.13091),  // lengthOff times shape
        (3.8954, 5.0058, 0.29943),  // shape times unlike
        (-0.11954, 0.27799, 0.18231),  // cycleDensity times density
        (0.17469, 0.30848, -0.025537),  // before times end
        (0.16864, 0.29633, 0.017605),  // after times end
        (0.80395, 0.91559, -0.051312),  // before times count
        (0.76881, 0.83759, -0.061608),  // after times count
        (-0.026702, 0.37753, -0.013149),  // dwell times before
        (2.1966, 3.1064, -0.4707),  // legsApart times armsApart
        (1.3213, 3.1154, -0.069706),  // legsApart times drift
        (-1.5067, 3.4755, -0.20212),  // legsApart times count
        (2.3747, 4.4532, -0.6989),  // drift times trunk
        (0.057413, 2.3446, -0.32267),  // range times trunk
        (-2.5197, 2.61, -0.49688),  // closures times count
        (-0.87978, 1.8676, 0.33109),  // retraces times count
        (-0.051265, 0.15253, 0.22876),  // retraces times detourAll
        (1.5555, 4.8893, -0.10296),  // closure times shape
    ]
}
