import ArgumentParser
import Foundation
import Kinema
import KinemaDraw

/// `kinema evaluate coach LABELS.csv`: coaches every labelled clip by name and by recognising, and prints the table.
struct EvaluateCoachCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coach", abstract: "Coaches every labelled clip and prints which were named and counted right.",
        discussion: """
            LABELS is a table as for `kinema evaluate count`, with the column exercise. Each clip is coached twice over \
            the same poses: as the exercise of its label, and as the one recognised. Clips of exercises that the coach \
            does not know are shown with what was recognised, and left out of the shares.
            """)

    @Argument(help: "A CSV file with a header.")
    var labels: String

    @OptionGroup var body: BodyOptionGroup

    @Option(help: "What standard output gets: text, json, jsonl or csv.")
    var format = OutputFormat.text

    func run() async throws {
        try await Interruption.guarding { interruption in
            let rows = try CountLabel.read(URL(filePath: labels))
            var table = CoachTable(format: format)
            try table.begin()
            for (index, row) in rows.enumerated() {
                Console.shared.progress(index, of: rows.count, note: row.file)
                let reading = try await Reading(row.path)
                var film = try FilmRun(reading, pipeline: body.countingPipeline, overlay: nil, outputs: [])
                film.showsProgress = false
                var trial = CoachTrial(row, reading: reading)
                _ = try await film.frames(to: &trial, interruption)
                if interruption.isRaised { break }
                trial.finish()
                try table.row(trial)
            }
            Console.shared.endProgress()
            try table.end()
        }
    }
}

/// One clip coached as its label says and as it is recognised.
struct CoachTrial: FilmAnalysis {
    let label: CountLabel
    /// The exercise of the label, nil when the coach does not know it.
    let exercise: Exercise?
    private var informed: PeopleCoach?
    private var witness: PeopleCoach

    init(_ label: CountLabel, reading: Reading) {
        self.label = label
        exercise = ExerciseLibrary.exercise(named: label.exercise)
        let shape = Double(reading.width) / Double(max(1, reading.height))
        informed = exercise.map {
            PeopleCoach(scope: .prominent, coach: ExerciseCoach($0, aspectRatio: shape))
        }
        witness = PeopleCoach(scope: .prominent, coach: ExerciseCoach(aspectRatio: shape))
    }

    mutating func take(_ element: TemporalFeature<PosedFrame>) throws {
        let (poses, time) = (element.feature.poses, element.feature.frame.time)
        informed?.append(poses, at: time)
        witness.append(poses, at: time)
    }

    mutating func finish() {
        informed?.finish()
        witness.finish()
    }

    /// What was counted as the labelled exercise.
    var counted: Int? { informed?.count }
    /// What was recognised.
    var recognised: Exercise? { witness.leader?.coach.exercise }

    /// How many repetitions the count is off what is fair.
    var error: Int? {
        counted.map { max(label.range.lowerBound - $0, $0 - label.range.upperBound, 0) }
    }

    var hud: HUD { HUD() }
    var strip: StripChart? { nil }
    var faults: [Int: Set<JointKey>] { [:] }
    var note: String { label.file }
}
