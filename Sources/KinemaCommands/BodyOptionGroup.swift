public import ArgumentParser
import Foundation
public import Kinema

package struct BodyOptionGroup: ParsableArguments {
    package init() {}

    @OptionGroup var finder: BodyModelOptionGroup

    @Option(help: "The maximum number of people to track at once.")
    var maxPeople = 16

    @Option(
        help: """
            Where to look for people: whole (the whole frame), parts (small people in every search, slower), or \
            automatic (small people in searches spread over the frames).
            """)
    var search = BodyPoseOptions.Search.automatic

    @Option(
        help: """
            Arithmetic: f32, or automatic for 16 bits where the processor supports them. (default: f32 where repetitions are \
            counted or angles are measured and for lines and exports with depth or angles, otherwise automatic)
            """)
    var precision: ModelStore.Precision?

    /// The arithmetic where repetitions are not counted.
    var usualPrecision: ModelStore.Precision { precision ?? .automatic }

    @Flag(help: "Do not smooth the landmarks.")
    var raw = false

    @Option(
        help: ArgumentHelp(
            "Analyse this many parts of a file at once; 1 reads it in one piece. (default: one per core)",
            valueName: "n"))
    var jobs: Int?

    @Option(help: ArgumentHelp("The length of a part in seconds.", visibility: .hidden))
    var partLength: Double?

    @Option(
        help: ArgumentHelp(
            "Keep the analysed parts of the file in this folder, and reuse those already there.", valueName: "dir",
            visibility: .hidden))
    var parts: String?

    @Option(
        help: ArgumentHelp(
            "Analyse only this part of the file, numbered from 0, and write what --parts needs.", valueName: "n",
            visibility: .hidden))
    var part: Int?

    @Flag(
        help: """
            Reuse the landmarks of people at rest for up to half a second, marked in the output (held): fewer \
            inferences.
            """)
    var hold = false

    /// The pipeline that finds bodies; throws for an invalid model file.
    package var pipeline: PosePipeline { get throws { try pipeline(usualPrecision) } }

    /// The pipeline that finds the most prominent hand and no bodies.
    package var handPipeline: PosePipeline {
        var pipeline = PosePipeline.handsOnly(
            HandPoseOptions(maximumHandCount: 1, precision: usualPrecision), smooths: !raw)
        divide(&pipeline)
        pipeline.device = finder.device
        return pipeline
    }

    private func divide(_ pipeline: inout PosePipeline) {
        (pipeline.jobs, pipeline.partLength, pipeline.onlyPart) = (jobs, partLength, part)
        pipeline.partFolder = parts.map { URL(filePath: $0, directoryHint: .isDirectory) }
    }

    func refuseBodies(_ reason: String) throws {
        if finder.model != .blazePose || finder.detector != nil {
            throw KinemaError(.invalidArgument, "--model applies only to bodies; \(reason)")
        }
        if search != .automatic { throw KinemaError(.invalidArgument, "--search applies only to bodies; \(reason)") }
        if hold { throw KinemaError(.invalidArgument, "--hold applies only to bodies; \(reason)") }
    }

    /// The pipeline to count repetitions with, or to export depth and angles.
    package var precisePipeline: PosePipeline { get throws { try pipeline(precision ?? .counting) } }

    /// The configuration for counting the most prominent person.
    package var counting: CountAnalysis.Configuration {
        get throws {
            var configuration = CountAnalysis.Configuration()
            configuration.pipeline = try precisePipeline
            return configuration
        }
    }

    private func pipeline(_ precision: ModelStore.Precision) throws -> PosePipeline {
        let options = BodyPoseOptions(
            maximumPeople: maxPeople, search: search, precision: precision, holdsPeopleAtRest: hold)
        var pipeline = PosePipeline(options: options, smooths: !raw)
        divide(&pipeline)
        pipeline.model = try finder.bodyModel(maxPeople: maxPeople, precision)
        pipeline.device = finder.device
        return pipeline
    }

    package func validate() throws {
        try require(maxPeople, in: 1...100, "--max-people")
        try require(jobs, in: 1...64, "--jobs")
        try require(partLength, in: 1...3600, "--part-length")
        try require(part, in: 0...1_000_000, "--part")
        guard finder.model != .blazePose else { return }
        if search != .automatic {
            throw ValidationError("--search requires blazepose; other models always search the whole frame")
        }
        if hold { throw ValidationError("--hold requires blazepose") }
    }
}

extension BodyPoseOptions.Search: ExpressibleByArgument {}

extension ModelStore.Precision: ExpressibleByArgument {}

extension PoseExportFormat: ExpressibleByArgument {}

/// The options that complete a neural network's file.
package struct NetworkOptionGroup: ParsableArguments {
    package init() {}

    @Option(
        help: ArgumentHelp(
            "The classes of a classifier in ONNX, one per line in the order of its output. (default: from the model)",
            valueName: "file"))
    var labels: String?

    @Option(
        help: """
            The coordinates of a classifier in ONNX: heights (of the frame, y up), vision (0 to 1, y up), image \
            (0 to 1, y down) or centred (-1 to 1, y down). (default: from the model, or by its shape)
            """)
    var coordinates: PoseCoordinates?

    @Option(help: "Frames per second of the window of a classifier in ONNX. (default: from the model, or 30)")
    var windowRate: Double?

    package func validate() throws { try require(windowRate, in: 1...1000, "--window-rate") }

    package func classifier(_ path: String) throws -> any ActionClassifier {
        var options = ActionClassifierOptions()
        options.labels = labels.map { URL(filePath: $0) }
        (options.coordinates, options.rate) = (coordinates, windowRate)
        return try options.classifier(contentsOf: URL(filePath: path))
    }
}
