import Kinema
import KinemaDraw

/// Coaches one clip as the labelled and as the recognised exercise, from the same poses.
struct CoachTrial: Analysis {
    let label: CountLabel
    let pipeline: PosePipeline
    /// The exercise of the label; nil if the coach does not know it.
    let exercise: Exercise?
    private var labelled: CoachAnalysis?
    private var recognising = CoachAnalysis()

    init(_ label: CountLabel, _ pipeline: PosePipeline) {
        (self.label, self.pipeline) = (label, pipeline)
        exercise = ExerciseLibrary.exercise(named: label.exercise)
        labelled = exercise.map {
            var configuration = CoachAnalysis.Configuration()
            configuration.exercise = $0
            return CoachAnalysis(configuration)
        }
    }

    mutating func take(_ frame: PosedFrame) -> [AnalysisEvent] {
        _ = labelled?.take(frame)
        return recognising.take(frame)
    }

    mutating func finish() -> [AnalysisEvent] {
        _ = labelled?.finish()
        return recognising.finish()
    }

    var result: CoachResult { recognising.result }
    var layers: [OverlayLayer] { [] }
    var summary: String { label.file }

    var counted: Int? { labelled?.result.count }
    var recognised: Exercise? { recognising.leader?.exercise }

    /// The distance of the count from the correct range.
    var error: Int? {
        counted.map { max(label.range.lowerBound - $0, $0 - label.range.upperBound, 0) }
    }
}
