import ArgumentParser
import Foundation
import Kinema
import KinemaMotion

struct EvaluateMeasureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure",
        abstract: "Compares measured angles with those of markers or of another program.",
        discussion: """
            Each file is the JSON of `kinema measure`, markers (.trc, y up) or a table of time and angles with \
            Sports2D's names (.mot, .csv). For each angle that both have it prints the number of moments, RMSE, bias \
            (RESULT minus TRUTH), the limits of agreement (bias ± 1.96 standard deviations) and Pearson's correlation. \
            TRUTH is interpolated at the times of RESULT.
            """)

    @Argument(help: "The angles to evaluate.")
    var result: String

    @Argument(help: "The angles to compare with.")
    var truth: String

    @Option(parsing: .unconditional, help: "The seconds to add to the times of RESULT.")
    var offset = 0.0

    @Option(
        help: "The plane of angles from markers: side, front or auto (the view that RESULT states, otherwise side).")
    var view = ViewChoice.auto

    @OptionGroup var results: FormatOptionGroup

    func validate() throws { try require(offset, in: -86_400...86_400, "--offset", "seconds") }

    func run() throws {
        let found = try AngleSeries(contentsOf: URL(filePath: result), view: view.view ?? .side)
        let known = try AngleSeries(contentsOf: URL(filePath: truth), view: view.view ?? found.view ?? .side)
        let agreements = AngleAgreement.all(found, known, offset: offset)
        guard !agreements.isEmpty else {
            throw Console.shared.nobody(in: result, "no angle of \(truth) at the same times was found")
        }
        var table = try EvaluationTable(
            results.format,
            columns: ["angle": 26, "n": 8, "RMSE": 9, "bias": 9, "lower": 9, "upper": 9, "correlation": 0],
            header: ["angle", "n", "rmse", "bias", "lower", "upper", "correlation"])
        for one in agreements {
            // Adding 0 makes -0 a 0.
            let degrees = [one.rmse, one.bias, one.limits.lower, one.limits.upper].map {
                ($0 * 100).rounded() / 100 + 0
            }
            let values: [EvaluationTable.Value] =
                [.text(one.name), .integer(one.count)] + degrees.map { .number($0, decimals: 2) }
                + [one.correlation.map { .number($0, decimals: 3) } ?? .text(nil)]
            try table.row(values.map(\.cell), isWrong: false, values)
        }
        let mean = agreements.map(\.rmse).reduce(0, +) / Double(agreements.count)
        try table.end(["\(PlainText.counted(agreements.count, "angle")): mean RMSE \(mean.text(2)) degrees"]) { json in
            json.field("angles", agreements.count)
            json.field("mean_rmse", mean, decimals: 2)
        }
    }
}
