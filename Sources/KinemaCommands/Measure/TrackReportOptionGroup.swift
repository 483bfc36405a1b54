import ArgumentParser
import Foundation
import Kinema
import KinemaCore

struct TrackReportOptionGroup: ParsableArguments {
    @Option(help: "Write when each person was in view to this JSON file; with --track-truth, also the metrics.")
    var trackReport: String?

    @Option(
        help: """
            With --track-report: the true people in each frame, as written by kinema synth or as MOTChallenge's gt.txt; adds HOTA, \
            IDF1, MOTA, switches, fragments and each person's coverage.
            """)
    var trackTruth: String?

    func validate() throws {
        guard trackTruth == nil || trackReport != nil else {
            throw ValidationError("--track-truth requires --track-report")
        }
    }

    var report: TrackReport? {
        get throws {
            guard trackReport != nil else { return nil }
            return TrackReport(truth: try trackTruth.map { try TrackTruth(contentsOf: URL(filePath: $0)) })
        }
    }

    func write(_ report: TrackReport?, source: String) throws {
        guard let report, let trackReport else { return }
        try report.write(to: URL(filePath: trackReport), source: source)
    }
}
