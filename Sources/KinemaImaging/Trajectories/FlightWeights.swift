/// The weights of `FlightConfidence`, written by `script/trajectories fit`: for each quantity the mean and the
/// deviation among the candidates it was fitted to, the weight, and the value of a typical flight.
enum FlightWeights {
    static let constant = -13.574
    static let terms: [(mean: Double, deviation: Double, weight: Double, typical: Double)] = [
        (2.0061, 0.4258, 0.82846, 2.579),  // points
        (-1.3101, 0.57225, -0.92283, -0.73156),  // seconds
        (2.1968, 0.99363, 2.3019, 3.3507),  // path
        (-1.3059, 0.56667, -0.79589, -2.4082),  // residual
        (1.6634, 0.39377, 3.3176, 2.2366),  // accuracy
        (0.11531, 1.0215, 1.3683, 3.7272),  // certainty
        (4.5029, 5.0727, -1.2971, 0.52984),  // gravity
        (0.5235, 0.63985, -1.1786, 0.012866),  // sideways
        (0.68747, 0.20236, 1.469, 0.86283),  // isolation
        (-1.3507, 0.66854, -1.2889, -2.7839),  // size
        (0.073079, 0.16416, -1.2957, 0.0040219),  // resting
    ]
}
