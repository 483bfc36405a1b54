public import ArgumentParser
import Foundation
public import Kinema

struct MeasureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure",
        abstract: "Measures one person in metres and degrees: angles, steps, jumps, ranges of motion.",
        discussion: """
            The scale comes from the person's height, the floor from the feet at rest. Angles have the names, zero and \
            sign of Sports2D. Keep the camera still, level with the person and at a right angle to the movement. \
            INPUT may also be a pose file, \(PoseFileOptionGroup.formats)
            """)

    @OptionGroup var media: MediaOptionGroup

    @OptionGroup var poseFile: PoseFileOptionGroup

    @OptionGroup var body: BodyOptionGroup

    @Option(help: "The standing height of the person without shoes, in metres.")
    var height: Double?

    @Option(
        help: ArgumentHelp(
            """
            The scale from a length marked in the image, as two points from the lower left (0 to 1) and metres; --height \
            is then not needed.
            """, valueName: "x,y,x,y=metres"))
    var scale: String?

    @Option(help: "The person: a number from kinema pose, largest, left or right.", transform: Self.person)
    var person = MeasureAnalysis.Person.largest

    @Option(help: "The view of the person: side, front or auto.")
    var view = ViewChoice.auto

    @Option(
        help: ArgumentHelp(
            """
            The floor: auto, or its heights at the left and the right edge of the image, from the lower edge (0 to 1).
            """, valueName: "auto|left,right"))
    var floor = "auto"

    @Option(
        help: ArgumentHelp(
            "The low-pass filter for positions: butterworth:HERTZ (order 4, zero lag), or none for unfiltered positions.",
            valueName: "filter"), transform: Self.filter)
    var filter = MeasureFilter.standard

    @Option(
        parsing: .upToNextOption,
        help: """
            The tests to run: gait, jump, sit-to-stand, tug, balance, range, bar-path or sprint. (default: those that the \
            movement allows, without bar-path and sprint)
            """)
    var test: [MeasureTest] = []

    @Option(
        help: ArgumentHelp(
            "The speed of the treadmill on which the person walks or runs, in metres per second.", valueName: "speed"))
    var treadmill: Double?

    @Option(
        name: .shortAndLong,
        help: """
            The file to write: .html (a one-page report, with the image of --overlay), .json, .csv, .trc (markers in \
            metres), .mot (angles), .svg or .png (a page of curves); any other name is a folder for all of them.
            """)
    var output: String?

    @Option(
        help: """
            With --overlay .png or .jpg: the moment to draw, in seconds. (default: when a joint bends most)
            """)
    var at: Double?

    /// The shortest marked length, in widths or heights of the picture: a pixel of a small one.
    private static let shortestMark = 0.001
    /// Endings of files that this command does not write; a folder with such a name would be a surprise.
    private static let otherEndings: Set = ["parquet", "c3d", "pdf", "xlsx", "xls", "tsv", "txt", "jpg", "jpeg"]

    func validate() throws {
        guard height != nil || scale != nil else {
            throw ValidationError("--height is needed: the person's standing height in metres, such as --height 1.78")
        }
        try require(height, in: 0.5...2.6, "--height", "metres")
        try require(at, in: 0...1e6, "--at", "seconds")
        try require(treadmill, in: 0.1...12.5, "--treadmill", "metres per second")
        _ = try marked
        _ = try floorHeights
        if at != nil, (try? media.overlay.map(OverlayWriter.isPicture)) != true {
            throw ValidationError("--at requires --overlay with .png or .jpg")
        }
        if let output { try Self.checkEnding(of: URL(filePath: output)) }
        if media.readout { throw ValidationError("--readout does not apply: --overlay draws the measured angles") }
    }

    func run() async throws {
        try await Interruption.guarding { interruption in
            let input = try poseFile.choice(media, body)
            var options = MeasureOptions(height: height)
            (options.view, options.filter, options.tests) = (view.view, filter, Set(test))
            options.treadmill = treadmill
            var configuration = MeasureAnalysis.Configuration(options)
            configuration.pipeline = try body.precisePipeline
            // A smoothed movement is late; the filter has no delay.
            configuration.pipeline.smooths = false
            configuration.person = person
            configuration.marked = try marked
            configuration.floorHeights = try floorHeights
            let isFolder = output.map(MeasureExport.isFolder) ?? false
            if let overlay = media.overlay {
                _ = try OverlayWriter.isPicture(overlay)
                try Self.checkFilm(input)
            }
            if isFolder, let output { _ = try OutputFolder.make(output) }
            // The overlay is drawn at the end: filtered values need what follows.
            var reading = media
            reading.overlay = nil
            let outcome = try await reading.run(
                MeasureAnalysis(configuration), over: input, outputs: [isFolder ? nil : output, media.overlay],
                check: { outcome in
                    // A live source cannot be cut: its result says that there was a gap.
                    guard let gap = outcome.analysis.gap, !input.isLive else { return }
                    throw KinemaError(
                        .unreadableInput,
                        "a gap of \(gap.seconds.text(0)) s at \(gap.time.text(1)) s; cut the recording there",
                        file: media.choice.source)
                }, interruption
            ) { outcome, files in
                guard let measurement = outcome.analysis.measurement else { return }
                var export = MeasureExport(outcome.analysis, of: outcome.run)
                if let overlay = media.overlay, !interruption.isRaised {
                    do {
                        let moment = try OverlayWriter.isPicture(overlay) ? at ?? measurement.extreme ?? 0 : nil
                        try await draw(outcome.analysis, on: input, to: overlay, moment: moment, interruption)
                        if moment != nil { export.picture = try Data(contentsOf: URL(filePath: overlay)) }
                    } catch { files.add(error) }
                }
                guard let output else { return }
                files.write {
                    let url = URL(filePath: output)
                    if isFolder { try export.write(into: url) } else { try export.write(to: url) }
                }
            }
            guard !interruption.isRaised, outcome.analysis.measurement == nil else { return }
            if outcome.run.framesWithDetections > 0, case .number(let number) = person {
                throw Console.shared.nobody(
                    in: media.choice.source, "no person \(number); \(Self.found(outcome.analysis.people))")
            }
            throw Console.shared.nobody(in: media.choice.source)
        }
    }

    /// Refuses names that look like files of another format, unless there is a folder of that name.
    private static func checkEnding(of url: URL) throws {
        let ending = url.pathExtension.lowercased()
        let isFolder = (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory ?? false
        guard otherEndings.contains(ending), !isFolder else { return }
        throw ValidationError(
            "--output cannot be .\(ending): use \(MeasureExport.endings.joined(separator: ", ")), or a folder's name"
                + (ending == "c3d" ? "; Pose2Sim converts TRC to C3D" : ""))
    }

    /// Refuses inputs that cannot be read twice.
    private static func checkFilm(_ input: InputChoice) throws {
        guard case .file(let url) = try input.media(),
            try url.resolvingSymlinksInPath().resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
        else {
            throw input.refusal(of: "--overlay", "files here: angles are drawn in a second pass, after measuring")
        }
    }

    /// Draws what was measured on the frames, which are read a second time: a film, or the picture of a moment in seconds.
    private func draw(
        _ analysis: MeasureAnalysis, on input: InputChoice, to path: String, moment: Double?,
        _ interruption: Interruption
    ) async throws {
        let opened = try await interruption.cancelling { try await OpenedInput(input) }
        defer { opened.stop() }
        let writer = try OverlayWriter(
            path: path, timescale: opened.timescale, hiding: media.hide, look: media.look)
        var count = 0
        do {
            try await interruption.stopping(opened.stop) {
                for try await element in try opened.posed(.framesOnly) {
                    let time = element.feature.frame.time
                    // Times are rounded.
                    guard moment.map({ time >= $0 - 1e-4 }) ?? true else { continue }
                    await writer.add(element.feature.frame, analysis.layers(at: time))
                    count += 1
                    Console.shared.progress(count, of: opened.frameEstimate, note: "drawn")
                    if interruption.isRaised || moment != nil { break }
                }
            }
        } catch is CancellationError where interruption.isRaised {
        } catch {
            _ = await writer.finish()
            throw error
        }
        Console.shared.endProgress()
        if let failure = await writer.finish() { throw failure }
        if count == 0, !interruption.isRaised { throw input.refusal(of: "--at", "moments before the end") }
    }

    /// The numbers of everyone found; of many people the first twenty.
    static func found(_ people: [Int]) -> String {
        let last = people.count > 20 ? "\(people.count - 20) more" : people.last.map(String.init) ?? ""
        let list = people.dropLast().prefix(20).map(String.init).joined(separator: ", ")
        return people.count == 1 ? "person \(last) was found" : "people \(list) and \(last) were found"
    }

    private var marked: MeasureAnalysis.MarkedLength? {
        get throws {
            guard let scale else { return nil }
            let parts = scale.split(separator: "=", omittingEmptySubsequences: false)
            let places = parts[0].split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
            guard parts.count == 2, places.count == 4, places.allSatisfy({ (0...1).contains($0) }),
                let metres = Double(parts[1]), (0.01...100).contains(metres),
                hypot(places[0] - places[2], places[1] - places[3]) >= Self.shortestMark
            else {
                throw ValidationError(
                    "--scale must be two points and metres, such as 0.2,0.1,0.8,0.1=3.5, with points from 0 to 1")
            }
            return (CGPoint(x: places[0], y: places[1]), CGPoint(x: places[2], y: places[3]), metres)
        }
    }

    private var floorHeights: (left: Double, right: Double)? {
        get throws {
            guard floor != "auto" else { return nil }
            let heights = floor.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
            guard heights.count == 2, heights.allSatisfy({ (-1...1).contains($0) }) else {
                throw ValidationError("--floor must be auto or two heights from -1 to 1, such as 0.1,0.12")
            }
            return (heights[0], heights[1])
        }
    }

    private static func person(_ text: String) throws -> MeasureAnalysis.Person {
        switch text {
        case "largest": return .largest
        case "left": return .left
        case "right": return .right
        default:
            guard let number = Int(text), number >= 0 else {
                throw ValidationError("--person must be a number, largest, left or right")
            }
            return .number(number)
        }
    }

    private static func filter(_ text: String) throws -> MeasureFilter {
        if text == "none" { return .none }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "butterworth", let cutOff = Double(parts[1]), (0.1...100).contains(cutOff)
        else {
            throw ValidationError("--filter must be none or butterworth with 0.1 to 100 hertz, such as butterworth:6")
        }
        return .butterworth(cutOff)
    }
}

extension MeasureTest: ExpressibleByArgument {}

package enum ViewChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
    case side, front, auto

    /// The view; nil to find it.
    package var view: MeasureView? { MeasureView(rawValue: rawValue) }
}
