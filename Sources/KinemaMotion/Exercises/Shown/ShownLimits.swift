/// Limits for learning and reading.
enum ShownLimits {
    static let recordings = 200, repetitions = 2000
    /// The most recordings whose courses the file keeps; the spread is based on all.
    static let courses = 12
    /// The least number of measures for a comparison.
    static let measures = 4
    /// The most named faults, and the most weights of each.
    static let faults = 20, weights = 12
}
