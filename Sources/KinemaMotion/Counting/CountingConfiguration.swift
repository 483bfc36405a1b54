import Foundation

/// How the whole of a recording is looked at for repetitions, and how sure they must be.
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
    /// A signal of a smaller range is stillness, body sizes.
    var leastRange: Float = 0.08

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
    var breakEvenProbability: Float = 0.5
    /// A hypothesis must be worth more than this many of its median cycles, however sure.
    var cost: Float = 0.6
    /// Cycles of a hypothesis that is chosen are reported if they are likelier than this.
    var leastProbability: Float = 0.3
    /// Two sets may share as much of a median cycle.
    var overlap: Float = 0.15
    /// A set adds to what was reported live if its cycles are likelier than this in the mean.
    var sureProbability: Float = 0.75
    /// And if less than this share of them was reported.
    var minimumReportedShare = 0.8

    /// The same three where poses were stretched to the picture (`JointExtent`): what tells walking from exercise is lost
    /// there, so nothing is sure, and where most repetitions were reported the rest are as often a cut or an end.
    var breakEvenIfStretched: Float = 0.1, sureIfStretched: Float = 0, minimumShareIfStretched = 0.66

    // MARK: What is reported live

    /// A movement is reported if the score gives it at least this probability.
    var leastSupport: Float = 0.25
    /// It is judged with as much as was seen before it, and waits twice as long to become likely, seconds.
    var lead: TimeInterval = 8
    /// What follows a repetition within this time belongs to the same set, seconds.
    var following: TimeInterval = 3

    // MARK: What the live pass overlooks
    // Chosen on the recordings with labels, as above: live within one 0.929 in place of 0.892, idle figures as before. The
    // windows of the end would take five times as long and give 0.929, too.

    /// The unexplained time between two judgements of the latest movement, and the longest after a report, seconds.
    var lookInterval: TimeInterval = 1, longestWithoutLook: TimeInterval = 3
    /// How long a movement is judged, seconds.
    var recent: TimeInterval = 20
    /// A set that is as likely in the mean is reported then if at least as many of its repetitions are missing; what goes on
    /// with them is, one by one. It is surer than at the end: with 0.75 one more of twenty who talk wildly is counted.
    var sureMeanwhile: Float = 0.85, leastOverlooked = 3
    /// Of a movement that is reported no larger share lies in others that were.
    var mostShared = 0.5

    // MARK: The camera
    // Chosen on 77 clips with simulated sway, zoom, turn, hand shake and steps: people at rest are at 0.44 or more, those who
    // exercise at 0.40 or less.

    /// A set is the camera's where the background explains at least this much of its rigid movement, in the median.
    var mostOfCamera: Float = 0.42
    /// And where at least this share of the movement is rigid: a person who moves the arms moves, whatever the camera does.
    var leastRigid: Float = 0.35
    /// The same for what goes on with a set of the body's own.
    var leastRigidWithin: Float = 0.6

    // MARK: Sides
    // The mirror explains 0.46 or more of clips whose halves are two sides, and 0.23 or less of the others.

    /// A mirror explains at least this share of a movement that alternates sides.
    var leastMirrored: Float = 0.4
    /// And more of it than the same movement again would, by this share.
    var clearlyMirrored: Float = 0.25

    // MARK: Memory

    /// A longer silence ends a stretch, seconds.
    var longestGap: TimeInterval = 0.7
    /// As much is looked at together, seconds.
    var memory: TimeInterval = 60
    /// Of what is looked at, the last part is looked at again with what follows, a share.
    var again = 0.4

    /// The same for the last seconds while the recording goes on.
    var meanwhile: CountingConfiguration {
        var configuration = self
        configuration.windows = []
        return configuration
    }

    /// The same for poses that were stretched to the picture.
    var ifStretched: CountingConfiguration {
        var configuration = self
        (configuration.breakEvenProbability, configuration.sureProbability) = (breakEvenIfStretched, sureIfStretched)
        configuration.minimumReportedShare = minimumShareIfStretched
        return configuration
    }
}
