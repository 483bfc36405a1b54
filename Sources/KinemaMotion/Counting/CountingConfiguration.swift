import Foundation

/// How repetitions are found in a movement, during it and at its end, and how sure they must be.
///
/// `CycleScore` says how likely a cycle is to be a repetition.
struct CountingConfiguration: Sendable {
    // MARK: Signals

    /// The width of the smoothing of joints, seconds: two to four frames, the extent of landmark jitter.
    var jointSmoothing: TimeInterval = 0.12
    /// The width of the additional smoothing of long windows' signals, seconds.
    var signalSmoothing: TimeInterval = 0.25
    /// The lengths of the windows whose principal components serve as signals, seconds; the whole stretch is another
    /// window.
    var windows: [TimeInterval] = [6, 16]
    /// How many principal components of each window serve as signals.
    var components = 2
    /// Below the first range, body sizes, a signal counts as stillness; below the second it cannot make a set but still
    /// votes. True sets in 585 recordings have a range of 0.41 or more (raised heels 0.6), standing and swaying 0.25 to
    /// 0.3.
    var leastRange: Float = 0.1, leastSetRange: Float = 0.32

    // MARK: Cycles

    /// The returns that make a turning point, as shares of a signal's range.
    var hystereses: [Float] = [0.2, 0.35, 0.5]
    /// The limits on a cycle's amplitude and length in a run, relative to the run's medians.
    var leastAmplitude: Float = 0.35, mostAmplitude: Float = 2.8, mostLength: Float = 4
    /// A pause ends a run if it lasts longer than this, seconds, and longer than the longest permitted cycle.
    var longestPause: TimeInterval = 3

    // MARK: The choice of sets
    // Chosen on the recordings with labels, each judged by trees fitted without its source.

    /// Each second of a cycle adds the excess of its probability over this to the value of its hypothesis.
    var breakEvenProbability: Float = 0.35
    /// Cycles of two hypotheses are the same one if their intersection over union in time exceeds this.
    var sameCycle: Float = 0.8
    /// A hypothesis must be worth more than this many of its median cycles, however sure.
    var cost: Float = 0.3
    /// Cycles of a hypothesis that is chosen are reported if they are likelier than this.
    var leastProbability: Float = 0.3
    /// Two sets may overlap by this share of a median cycle.
    var overlap: Float = 0.15
    /// A set is reported if the mean probability of its repetitions exceeds the first value; at the end, the second one
    /// suffices for three or more.
    var sureProbability: Float = 0.72, sureOfMany: Float = 0.66
    /// A repetition is not new if more than `mostShared` of it lies in reported ones; it replaces a reported one if
    /// their intersection over union exceeds `sameOverlap`. Only the newest `mostRevised` reported ones are compared.
    var mostShared = 0.2, sameOverlap = 0.6, mostRevised = 40

    /// The same where poses were stretched to the picture (`JointExtent`): what distinguishes walking from exercise is
    /// lost there, so nothing is sure.
    var breakEvenIfStretched: Float = 0.1, sureIfStretched: Float = 0

    /// A repetition reported live stays in the result if it was likelier than this, even if it is not found in the
    /// whole recording.
    var keptProbability: Float = 0.75

    // MARK: Breaks

    /// A set continues after a break if the rhythms differ by less than this factor; these probabilities then suffice.
    var mostOtherRhythm = 1.6, breakEvenBesideSet: Float = 0.35, sureBesideSet: Float = 0.55
    /// A break divides a repetition that had come this far if the rhythm holds to within this share of a repetition and
    /// the body moves at least this share of a repetition's path.
    var leastWithin: Float = 0.15, rhythmTolerance = 0.3, leastPathAcross: Float = 0.6

    /// The same across a break from a set.
    var besideSet: CountingConfiguration {
        var configuration = self
        (configuration.cost, configuration.breakEvenProbability) = (0, min(breakEvenProbability, breakEvenBesideSet))
        return configuration
    }

    // MARK: Live reports
    // Chosen on the labelled recordings, as above. Reading every quarter of a second costs twice as much and gets two
    // more of 212 exactly right; 30 rows a second and three hystereses count just as well.

    /// How much of the movement is read, seconds, and the rows a second it is resampled to.
    var recent: TimeInterval = 20, meanwhileRate = 15.0
    /// Runs that ended longer ago than this are ignored, since they were read before, seconds.
    var patienceMeanwhile: TimeInterval = 3
    /// The hystereses for live reading, and the length of the latest window, which has signals besides those of the
    /// whole, seconds.
    var hysteresesMeanwhile: [Float] = [0.35, 0.5], latestMeanwhile: TimeInterval = 8
    /// The unexplained time between two readings, and the longest such time after a report, seconds.
    var readingInterval: TimeInterval = 0.5, longestWithoutReading: TimeInterval = 1
    /// The time until the next reading after a body came back and nothing was reported, seconds.
    var readingAgain: TimeInterval = 0.2
    /// What a live hypothesis must be worth, median cycles, and the least number of its repetitions.
    var costMeanwhile: Float = 0.42, leastMeanwhile = 2
    /// What each of the newest reported repetitions adds to that of a hypothesis which has it, so that a set does not jump by
    /// half a cycle, how many are compared, and how many rows are too few for that.
    var continuity: Float = 0.1, mostContinued = 4, leastContinued: Float = 6
    /// The last repetition must have returned by this share of its amplitude.
    var leastReturn: Float = 0.45
    /// The time constant of the position in a set, seconds; the position beyond which the body is out; and the
    /// positions at which it is read on the way back.
    var phaseSmoothing: TimeInterval = 0.03, farPhase: Float = 0.6
    var lookPhases: (first: Float, second: Float) = (0.4, 0.1)
    /// How much of the movement is used to match the ends of two readings, and how long before a set the body is at the
    /// end that the chart calls 0, seconds.
    var compared: TimeInterval = 2, before: TimeInterval = 1.5

    // MARK: The camera
    // Chosen on 77 clips with simulated sway, zoom, turn, hand shake and steps: people at rest score 0.44 or more,
    // people exercising 0.40 or less.

    /// A set is attributed to the camera if the background explains at least this much of its rigid movement (median).
    var mostOfCamera: Float = 0.42
    /// And only if at least this share of its movement is rigid: moving arms are the person's, whatever the camera
    /// does.
    var leastRigid: Float = 0.35

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
    var longestGap: TimeInterval = 0.7
    /// The longest stretch that is read as one, seconds.
    var memory: TimeInterval = 60
    /// The final share of a stretch that is read again with what follows.
    var again = 0.4

    // MARK: How a stretch is read

    /// The highest row rate, rows a second, and how long ago the last cycle of a run may have ended, seconds.
    var fastest = 30.0, patience = TimeInterval.infinity
    /// The length of the window at the end that has signals of its own, seconds.
    var latest: TimeInterval?

    /// The same for the last seconds while the recording goes on.
    var meanwhile: CountingConfiguration {
        var configuration = self
        (configuration.windows, configuration.hystereses) = ([], hysteresesMeanwhile)
        (configuration.latest, configuration.cost) = (latestMeanwhile, costMeanwhile)
        (configuration.fastest, configuration.patience) = (meanwhileRate, patienceMeanwhile)
        configuration.leastLastReturn = leastReturn
        return configuration
    }

    /// The share of its amplitude by which a last repetition must have returned.
    var leastLastReturn: Float = 0

    /// The same for poses that were stretched to the picture.
    var ifStretched: CountingConfiguration {
        var configuration = self
        configuration.breakEvenProbability = breakEvenIfStretched
        (configuration.sureProbability, configuration.sureOfMany) = (sureIfStretched, sureIfStretched)
        return configuration
    }
}
