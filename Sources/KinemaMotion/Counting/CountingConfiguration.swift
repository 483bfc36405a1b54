import Foundation

/// How a movement is read for repetitions, while it goes on and at its end, and how sure they must be.
///
/// `CycleScore` says how likely a cycle is to be a repetition.
struct CountingConfiguration: Sendable {
    // MARK: Signals

    /// How wide joints are smoothed, seconds: two to four frames, the reach of landmarks' jitter.
    var jointSmoothing: TimeInterval = 0.12
    /// How wide signals of long windows are smoothed on top of that, seconds.
    var signalSmoothing: TimeInterval = 0.25
    /// How long the windows are whose principal components are signals, seconds; the whole stretch is one more.
    var windows: [TimeInterval] = [6, 16]
    /// How many principal components of each window are signals.
    var components = 2
    /// A signal of a smaller range is stillness, body sizes; one of less than the second is no set's, but has a vote: that of
    /// 585 recordings' true sets has 0.41 or more (raised heels 0.6), standing and swaying 0.25 to 0.3.
    var leastRange: Float = 0.1, leastSetRange: Float = 0.32

    // MARK: Cycles

    /// The ways back that make a turning point, shares of a signal's range.
    var hystereses: [Float] = [0.2, 0.35, 0.5]
    /// What a cycle of a run may have of the run's median amplitude, and the most of its median length.
    var leastAmplitude: Float = 0.35, mostAmplitude: Float = 2.8, mostLength: Float = 4
    /// A pause ends a run that lasts longer than this, seconds, and than the longest cycle would.
    var longestPause: TimeInterval = 3

    // MARK: The choice of sets
    // Chosen on the recordings with labels, each judged by trees fitted without its source.

    /// A cycle speaks for its hypothesis by how much its probability is above this, second by second.
    var breakEvenProbability: Float = 0.35
    /// Two hypotheses show the same cycle if they share more than this of what it spans in both.
    var sameCycle: Float = 0.8
    /// A hypothesis must be worth more than this many of its median cycles, however sure.
    var cost: Float = 0.3
    /// Cycles of a hypothesis that is chosen are reported if they are likelier than this.
    var leastProbability: Float = 0.3
    /// Two sets may share as much of a median cycle.
    var overlap: Float = 0.15
    /// A set is reported at the end if the mean probability of its repetitions exceeds this.
    var sureProbability: Float = 0.7
    /// A set's repetition is not new if more than this share of it lies in reported ones; and it is one of these, seen
    /// better, if both share more than this of what they span. As many of the newest are compared.
    var mostShared = 0.2, sameOverlap = 0.6, mostRevised = 40

    /// The same where poses were stretched to the picture (`JointExtent`): what tells walking from exercise is lost there, so
    /// nothing is sure.
    var breakEvenIfStretched: Float = 0.1, sureIfStretched: Float = 0

    /// A repetition that was reported while it went on stays in the result if it was likelier than this, even if the whole
    /// recording does not show it.
    var keptProbability: Float = 0.75

    // MARK: Breaks

    /// A set goes on after a break if rhythms differ by less than this factor, and these probabilities are then enough.
    var mostOtherRhythm = 1.6, breakEvenBesideSet: Float = 0.35, sureBesideSet: Float = 0.55
    /// A break divides a repetition that had come this far, if the rhythm is kept within this share of one and the body moves
    /// at least this share of a repetition's way.
    var leastWithin: Float = 0.15, rhythmTolerance = 0.3, leastPathAcross: Float = 0.6

    /// The same across a break from a set.
    var besideSet: CountingConfiguration {
        var configuration = self
        (configuration.cost, configuration.breakEvenProbability) = (0, min(breakEvenProbability, breakEvenBesideSet))
        return configuration
    }

    // MARK: What is reported meanwhile
    // Chosen on the recordings with labels, as above. A reading each quarter of a second costs twice as much and counts two more
    // of 212 exactly; 30 rows a second and three hystereses count as well.

    /// How long a movement is read, seconds, and how many rows a second it is brought to.
    var recent: TimeInterval = 20, meanwhileRate = 15.0
    /// A run that ended longer ago was read before, seconds.
    var patienceMeanwhile: TimeInterval = 3
    /// The hystereses then, and how long the window is, the latest one, that has signals beside the whole, seconds.
    var hysteresesMeanwhile: [Float] = [0.35, 0.5], latestMeanwhile: TimeInterval = 8
    /// The unexplained time between two readings, and the longest after a report, seconds.
    var readingInterval: TimeInterval = 0.5, longestWithoutReading: TimeInterval = 1
    /// What a hypothesis must be worth then, median cycles; and a set is reported if as many repetitions are as likely in the
    /// mean.
    var costMeanwhile: Float = 0.42, sureMeanwhile: Float = 0.72, leastMeanwhile = 2
    /// The last repetition must have come back by this share of its way.
    var leastReturn: Float = 0.45
    /// The time constant of the position in a set, seconds; from where on it is out; and where it is read on the way back.
    var phaseSmoothing: TimeInterval = 0.03, farPhase: Float = 0.6
    var lookPhases: (first: Float, second: Float) = (0.4, 0.1)
    /// How long the movement is by which the ends of two readings are matched, and how long before a set the body is at the
    /// end that the chart calls 0, seconds.
    var compared: TimeInterval = 2, before: TimeInterval = 1.5

    // MARK: The camera
    // Chosen on 77 clips with simulated sway, zoom, turn, hand shake and steps: people at rest are at 0.44 or more, those who
    // exercise at 0.40 or less.

    /// A set is the camera's where the background explains at least this much of its rigid movement, in the median.
    var mostOfCamera: Float = 0.42
    /// And where at least this share of the movement is rigid: a person who moves the arms moves, whatever the camera does.
    var leastRigid: Float = 0.35

    // MARK: Sides
    // The mirror explains 0.46 or more of clips whose halves are two sides, and 0.23 or less of the others.

    /// A mirror explains at least this share of a movement that alternates sides.
    var leastMirrored: Float = 0.4
    /// And more of it than the same movement again would, by this share.
    var clearlyMirrored: Float = 0.25
    /// A repetition this many times as long as the one before it says alone which sides it has.
    var clearlyLonger = 1.4

    // MARK: Memory

    /// A longer silence ends a stretch, seconds.
    var longestGap: TimeInterval = 0.7
    /// The longest stretch that is read together, seconds.
    var memory: TimeInterval = 60
    /// The share of a stretch, its last part, that is read again with what follows.
    var again = 0.4

    // MARK: How a stretch is read

    /// The most rows a second, and how long ago the last cycle of a run may have ended, seconds.
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

    /// The share of its way that a last repetition must have come back.
    var leastLastReturn: Float = 0

    /// The same for poses that were stretched to the picture.
    var ifStretched: CountingConfiguration {
        var configuration = self
        (configuration.breakEvenProbability, configuration.sureProbability) = (breakEvenIfStretched, sureIfStretched)
        return configuration
    }
}
