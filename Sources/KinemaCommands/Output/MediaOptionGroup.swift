import ArgumentParser
import Foundation
import Kinema
import KinemaDraw

/// What is read and how its results are shown: shared by every command that looks at a video.
struct MediaOptionGroup: ParsableArguments {
    @Argument(
        help: "A video or picture file, camera or camera:/dev/video0, rtsp:// or http(s)://, or - for standard input.")
    var input: String

    @OptionGroup var live: LiveOptionGroup

    @Option(help: "Write the frames with what was found drawn on them (.mp4, or .png/.jpg for the first frame).")
    var overlay: String?

    @Option(help: "What standard output gets: text, json, jsonl or csv.")
    var format = OutputFormat.text

    /// The input with how it is to be read.
    var choice: InputChoice { live.choice(input) }
}

/// A chart beside the results: shared by the commands that follow a movement.
struct PlotOptionGroup: ParsableArguments {
    @Option(help: "Write a chart of the movement with the repetitions marked (.svg or .png).")
    var plot: String?

    func validate() throws {
        guard let plot else { return }
        guard [".svg", ".png"].contains(where: { plot.lowercased().hasSuffix($0) }) else {
            throw ValidationError("--plot writes .svg or .png; \(plot) ends in neither")
        }
    }

    /// Writes the chart, if it was asked for.
    func write(_ signals: [RepetitionSignal], of run: AnalysisRun) throws {
        guard let plot else { return }
        try RepetitionChart(title: run.source, signals: signals, duration: run.duration).write(to: URL(filePath: plot))
    }
}
