import Foundation
import Kinema
import KinemaDraw

/// Counting as it goes on, and what is shown of it.
struct CountingAnalysis: FilmAnalysis {
    private(set) var report: CountReport
    private(set) var recorder: SignalRecorder?
    private(set) var film: [PosedMoment] = []
    let aspectRatio: Double
    private let run: CountingRun
    private var counter: PeopleCounter
    private var frames = 0
    private var time: TimeInterval = 0

    init(_ run: CountingRun, reading: Reading) {
        self.run = run
        aspectRatio = Double(reading.width) / Double(max(1, reading.height))
        counter = PeopleCounter(scope: run.scope, aspectRatio: aspectRatio)
        report = CountReport(source: reading.source)
        // Nobody pays for a chart that is not asked for.
        if run.overlay != nil || run.plot != nil {
            recorder = SignalRecorder(scope: run.scope, keepsAll: run.plot != nil)
        }
    }

    mutating func take(_ element: TemporalFeature<PosedFrame>) throws {
        defer { frames += 1 }
        time = element.feature.frame.time
        guard frames % run.downsample == 0 else { return }
        let poses = element.feature.poses.map { run.joints.applied(to: $0) }
        let ended = counter.append(poses, at: time)
        if run.keepsPoses { film.append(PosedMoment(time: time, poses: poses)) }
        recorder?.add(counter, at: time)
        if !ended.isEmpty { try tell(at: time) }
    }

    /// Takes note that the film ended, and how it went.
    mutating func finish(_ outcome: FilmRun.Outcome) throws {
        counter.finish()
        report.frames = outcome.frames
        report.framesWithSomeone = outcome.framesWithSomeone
        report.duration = outcome.duration
        report.live = outcome.live
        report.seconds = outcome.seconds
        try tell(at: outcome.duration)
        recorder?.finish(counter.people)
    }

    private mutating func tell(at time: TimeInterval) throws {
        let events = report.update(counter.people, scope: run.scope, at: time)
        if let onRepetition = run.onRepetition { try events.forEach(onRepetition) }
    }

    var strip: StripChart? { recorder?.strip(at: time) }

    var faults: [Int: Set<JointKey>] { [:] }

    var hud: HUD {
        HUD(count: report.count, lines: recorder?.phase.map { ["phase: \($0)"] } ?? [])
    }

    var note: String { PlainText.counted(report.count, "repetition") }
}
