/// How a time-series classifier is trained.
///
/// The names are those of Create ML Components. The fit here has a closed solution, so what steers its iterations there
/// (`maximumIterationCount`, `batchSize`, `learningRate`, the early stopping) is kept and has no effect.
public struct TimeSeriesClassifierConfiguration: Hashable, Sendable, Codable {
    /// No effect: the fit takes one step.
    public var maximumIterationCount = 25
    /// No effect: all examples are taken at once.
    public var batchSize = 32
    /// No effect: the fit takes one step.
    public var learningRate = 0.005
    /// Rows of a window: what is judged at once. Shorter sequences go forth and back until they are as long.
    public var minimumSequenceLength = 100
    /// Rows of a sequence beyond this are not learnt from; nil for all.
    public var maximumSequenceLength: Int?
    /// No effect: the fit takes one step.
    public var earlyStoppingIterationCount = 5
    /// No effect: the fit takes one step.
    public var earlyStoppingTolerance: Float = 0.001
    /// Where all chance comes from; nil is 0, so that two trainings are the same.
    public var randomSeed: Int?

    /// Makes a configuration of the defaults.
    public init() {}
}
