import Foundation

/// How repetitions are found in a movement, during it and at its end, and how sure they must be.
///
/// `CountingWeights` hold what was fitted.
struct CountingConfiguration: Sendable {
    /// What is added to the logarithm of the odds that nothing is to be counted, where an exercise is expected and where
    /// anything is. Chosen on the labelled and the idle recordings, each judged by weights fitted without its source.
    var nothingOfExercise: Float = 1, nothingOfAnything: Float = 1.4
    /// What is added to those of a solution with a repetition for each jump, and taken off one with about two for each: the
    /// repetitions a jump.
    var jumpEach: Float = 3, jumpSplit: Float = 4, splitJumps = 1.4...2.4
    /// How many jumps are a set, of which each counts.
    var leastJumps = 3
    /// The longest time from a jump's beginning to its highest point, and from there to its end, seconds.
    var longestJump: TimeInterval = 1.2
    /// The power of the likelihood of each count that makes it as often right as it says; chosen likewise.
    var sharpness = 1.5
    /// At the end a movement is also read slowed by this factor; that reading is believed if its repetitions take less than
    /// this, seconds: of 20 drawn figures that repeat two to three times a second 11 have the right count, and 4 without, of
    /// 301 labelled recordings as many as without.
    var slowing = 2.0, quick: TimeInterval = 0.6
    /// What is expected.
    var expectation = CountExpectation.anything

    /// That for what is expected here.
    var nothing: Float { expectation == .exercise ? nothingOfExercise : nothingOfAnything }

    // MARK: Signals

    /// The width of the smoothing of joints, seconds: two to four frames, the extent of landmark jitter.
    var jointSmoothing: TimeInterval = 0.12
    /// The width of the additional smoothing of long windows' signals, seconds.
    var signalSmoothing: TimeInterval = 0.25
    /// The lengths of the windows whose principal components serve as signals, seconds; the whole stretch is another
    /// window. Up to `shortWindow` they give one component, unsmoothed; windows longer than `mostOfWhole` of the stretch
    /// are left out.
    var windows: [TimeInterval] = [4, 10, 24], shortWindow: TimeInterval = 5, mostOfWhole = 0.9
    /// How many principal components of the whole stretch serve as signals.
    var components = 3
    /// Below this range a signal counts as stillness, body sizes and radians.
    var leastRange: Float = 0.08, leastAngle: Float = 0.15

    // MARK: Cycles

    /// The returns that make a turning point, as shares of a signal's range; those at one of them vote on other signals.
    var hystereses: [Float] = [0.2, 0.35, 0.5], votingHysteresis: Float = 0.35
    /// The limits on a cycle's amplitude and length in a run, relative to the run's medians.
    var leastAmplitude: Float = 0.35, mostAmplitude: Float = 2.8, mostLength: Float = 4
    /// A pause ends a run if it lasts longer than this, seconds, and longer than the longest permitted cycle.
    var longestPause: TimeInterval = 3
    /// How many hypotheses are judged, those that most signals show.
    var mostHypotheses = 260

    // MARK: Solutions

    /// Each second of a cycle adds the excess of its probability over this to the worth of its run.
    var breakEvenProbability: Float = 0.3
    /// A run costs this many of its median cycles, however sure.
    var cost: Float = 0.3
    /// Cycles of a run count if they are more likely than this.
    var leastProbability: Float = 0.3
    /// Two runs may overlap by this share of a median cycle.
    var overlap: Float = 0.15
    /// How many solutions are judged, those worth most.
    var mostSolutions = 40
    /// Of solutions with the same count, those at least this share as likely as the likeliest are compared by when their
    /// repetitions begin: what an amplitude away from there before and after costs, and what a principal component and
    /// each of the newest reported repetitions add, in logarithms of odds. A set must not jump by half a cycle.
    var leastShare: Float = 0.05, awayWeight: Float = 2, wholeBodyWeight: Float = 1, continuity: Float = 1,
        mostContinued = 4
    /// A repetition is not new if more than `mostShared` of it lies in reported ones; it is the same as another if their
    /// intersection over union exceeds `sameOverlap`. Only the newest `mostRevised` reported ones are compared.
    var mostShared = 0.2, sameOverlap = 0.6, mostRevised = 40

    // MARK: Live reports
    // Chosen on a third of the labelled recordings, each judged by weights fitted without its source.

    /// How much of the movement is read, seconds.
    var recent: TimeInterval = 30
    /// Runs that ended longer ago than this are ignored, since they were read before, seconds.
    var patienceMeanwhile: TimeInterval = 3
    /// The hystereses for live reading, and the length of the latest window, which has signals besides those of the
    /// whole, seconds.
    var hysteresesMeanwhile: [Float] = [0.35, 0.5], latestMeanwhile: TimeInterval = 8
    /// How many hypotheses are judged then.
    var mostMeanwhile = 60
    /// The unexplained time between two readings, and the longest such time after a report, seconds.
    var readingInterval: TimeInterval = 0.25, longestWithoutReading: TimeInterval = 1
    /// The time until the next reading after a body came back and nothing was reported, seconds.
    var readingAgain: TimeInterval = 0.2
    /// A repetition is reported if it is more likely than this.
    var sureProbability: Float = 0.5
    /// What a longer stay where repetitions begin than where they turn adds to the comparison of solutions with the same
    /// count, and what the network's own wave costs, which says little of when they begin; logarithms of odds.
    var dwellMeanwhile: Float = 0.5, waveMeanwhile: Float = 1
    /// The last repetition must have returned by this share of its amplitude.
    var leastReturn: Float = 0.3
    /// The time constant of the position in a set, seconds; the position beyond which the body is out; and the
    /// positions at which it is read on the way back.
    var phaseSmoothing: TimeInterval = 0.03, farPhase: Float = 0.6
    var lookPhases: (first: Float, second: Float) = (0.4, 0.1)
    /// Signals turn together within this share of a median cycle; a set is charted along one that explains more than this
    /// share of the movement.
    var sameTurn: Float = 0.2, leastCharted: Float = 0.25
    /// How much of the movement is used to match the ends of two readings, and how long before a set the body is at the
    /// end that the chart calls 0, seconds.
    var compared: TimeInterval = 2, before: TimeInterval = 1.5

    // MARK: The camera
    // Of figures at rest before a camera that sways, zooms, turns or walks the camera causes 0.8 or more of the movement,
    // of figures exercising before one at most 0.48, and of the labelled recordings of exercise at most 0.23.

    /// A set is attributed to the camera if that caused at least this share of its movement (median).
    var mostOfCamera: Float = 0.65

    // MARK: Sides
    // The mirror explains 0.46 or more of clips whose halves are two sides, and 0.23 or less of the others.

    /// Mirroring explains at least this share of a movement that alternates sides.
    var leastMirrored: Float = 0.4
    /// And mirroring explains more of it than repeating does, by at least this share.
    var clearlyMirrored: Float = 0.25
    /// For a repetition this many times as long as the one before it, only its own halves decide whether it holds both
    /// sides.
    var clearlyLonger = 1.4

    // MARK: Memory

    /// A longer gap between poses ends a stretch, seconds.
    var longestGap: TimeInterval = 4
    /// The longest stretch that is read as one, seconds.
    var memory: TimeInterval = 120
    /// The final share of a stretch that is read again with what follows.
    var again = 0.25

    // MARK: How a stretch is read

    /// How long ago the last cycle of a run may have ended, seconds.
    var patience = TimeInterval.infinity
    /// The length of the window at the end that has signals of its own, seconds.
    var latest: TimeInterval?
    /// The share of its amplitude by which a last repetition must have returned.
    var leastLastReturn: Float = 0
    /// See `dwellMeanwhile` and `waveMeanwhile`: at the end more is known of the rest before and after.
    var dwellWeight: Float = 0, waveWeight: Float = 0

    /// The same for the last seconds while the recording goes on.
    var meanwhile: CountingConfiguration {
        var configuration = self
        (configuration.windows, configuration.hystereses) = ([10], hysteresesMeanwhile)
        (configuration.latest, configuration.mostHypotheses) = (latestMeanwhile, mostMeanwhile)
        (configuration.patience, configuration.leastLastReturn) = (patienceMeanwhile, leastReturn)
        (configuration.dwellWeight, configuration.waveWeight) = (dwellMeanwhile, waveMeanwhile)
        return configuration
    }
}

/// What counting was fitted to: the network, the trees that judge cycles, and those that judge whole solutions.
///
/// `script/counting fit` writes them; the comments at the top of each file say to which recordings they were fitted.
package struct CountingWeights: Sendable {
    let network: RepetitionNetwork
    let cycles: BoostedTrees, solutions: BoostedTrees

    /// The names of the files.
    package static let files = ["RepetitionNetwork.txt", "CycleTrees.txt", "SolutionTrees.txt"]

    /// The built-in weights. A task can count with others, to measure recordings by weights that were fitted without them.
    @TaskLocal package static var inUse = builtIn
    /// Whether the last seconds are read while a recording goes on; a task that only needs evidence of the whole skips it.
    @TaskLocal package static var readsLive = true

    private static let builtIn: CountingWeights = {
        let texts = [CountingData.repetitionNetwork, CountingData.cycleTrees, CountingData.solutionTrees]
        guard let weights = CountingWeights(texts: texts.map { String(decoding: $0, as: UTF8.self) }) else {
            preconditionFailure(
                "the weights in Sources/KinemaMotion/Counting do not fit the code; script/counting fit writes them")
        }
        return weights
    }()

    /// Nil if the texts of `files` do not fit this counter.
    package init?(texts: [String]) {
        guard texts.count == 3, let network = RepetitionNetwork(text: texts[0]),
            let cycles = BoostedTrees(text: texts[1]), let solutions = BoostedTrees(text: texts[2]),
            cycles.quantities == CycleEvidence.whole.count + CycleEvidence.each.count,
            solutions.quantities == SolutionEvidence.names.count
        else { return nil }
        (self.network, self.cycles, self.solutions) = (network, cycles, solutions)
    }

    /// How many quantities the trees of cycles have.
    package var quantities: Int { cycles.quantities }

    /// The probabilities of each hypothesis's cycles, 0...1.
    func probabilities(_ hypotheses: [CycleHypothesis]) -> [[Float]] {
        var evidence: [Float] = []
        for hypothesis in hypotheses {
            for own in hypothesis.each {
                evidence += hypothesis.whole
                evidence += own
            }
        }
        var rest = cycles.sums(evidence).map { 1 / (1 + exp(-$0)) }[...]
        return hypotheses.map { hypothesis in
            defer { rest = rest.dropFirst(hypothesis.each.count) }
            return Array(rest.prefix(hypothesis.each.count))
        }
    }
}
