import ArgumentParser
import Foundation
import Kinema
import KinemaDraw

/// The options for a chart of the results.
struct PlotOptionGroup: ParsableArguments {
    @Option(help: "Write a chart of the movement and its repetitions (.svg or .png).")
    var plot: String?

    func validate() throws { try requireEnding(plot, [".svg", ".png"], "--plot") }

    func write(_ signals: [RepetitionSignal], of run: AnalysisRun) throws {
        guard let plot else { return }
        try RepetitionChart(title: run.source, signals: signals, duration: run.duration).write(to: URL(filePath: plot))
    }
}
