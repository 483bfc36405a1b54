import Foundation
import Kinema
import KinemaDraw

// The code of the guides in Sources/Kinema/Kinema.docc and of Documentation/measuring.md, word for word.

/// "Find poses in a video".
func highestNose(in url: URL) async throws -> [Int: Double] {
    var highest: [Int: Double] = [:]
    let frames = try await VideoReader.read(contentsOf: url)
    for try await element in PosePipeline()(frames) {
        for pose in element.feature.poses {
            let nose = pose[.nose]
            guard let id = pose.id, nose.confidence > 0.5 else { continue }
            highest[id] = max(highest[id] ?? 0, nose.location.y)
        }
    }
    return highest
}

/// "Count repetitions in a file".
func countRepetitions(in url: URL) async throws -> CountResult {
    var configuration = CountAnalysis.Configuration()
    configuration.scope = .all
    var analysis = CountAnalysis(configuration)
    let frames = try await VideoReader.read(contentsOf: url)
    for try await element in analysis.pipeline(frames) {
        for case .repetition(let one) in analysis.take(element.feature) {
            print("person \(one.id), repetition \(one.number): \(one.start) to \(one.end) s")
        }
    }
    _ = analysis.finish()
    return analysis.result
}

/// "Count stored poses".
func countRepetitions(inPoses url: URL) async throws -> CountResult {
    var analysis = CountAnalysis()
    for try await element in try PoseSequenceReader(rate: 15).frames(contentsOf: url) {
        _ = analysis.take(element.feature)
    }
    _ = analysis.finish()
    return analysis.result
}

/// "Draw what was found".
func writeOverlay(of url: URL, to output: URL) async throws {
    let frames = try await VideoReader.read(contentsOf: url)
    let size = frames.frameSize
    var video = try VideoWriter(
        url: output, width: Int(size.width), height: Int(size.height), timescale: frames.timescale)
    var analysis = CountAnalysis()
    for try await element in analysis.pipeline(frames) {
        _ = analysis.take(element.feature)
        var picture = try element.feature.frame.bitmap()
        try OverlayRenderer().draw(analysis.layers, on: &picture)
        try video.append(picture, at: element.id.range)
    }
    try video.finish()
}

/// "Recognise actions".
func trainClassifier(on clips: [(file: URL, label: String)]) throws -> HumanActionClassifier {
    let reader = PoseSequenceReader()
    let examples = try clips.map { clip in
        ActionTrainer.Example(try reader.read(contentsOf: clip.file), label: clip.label, source: clip.file.path)
    }
    return try ActionTrainer().train(examples)
}

/// "Recognise actions", the second half.
func recognise(with classifier: HumanActionClassifier, in url: URL) async throws -> [SegmentResult] {
    var analysis = ClassifyAnalysis(ClassifyAnalysis.Configuration(classifier: classifier))
    let frames = try await VideoReader.read(contentsOf: url)
    for try await element in analysis.pipeline(frames) { _ = analysis.take(element.feature) }
    _ = analysis.finish()
    return analysis.result.segments
}

/// "Export poses".
func exportTRC(of url: URL, to output: URL) async throws {
    var export = PoseExportFormat.trc.makeExport(to: output, source: url.lastPathComponent)
    let frames = try await VideoReader.read(contentsOf: url)
    var index = 0
    for try await element in PosePipeline()(frames) {
        let (frame, poses) = (element.feature.frame, element.feature.poses)
        try export.add(
            ExportedFrame(index: index, time: frame.time, width: frame.width, height: frame.height, poses: poses))
        index += 1
    }
    try export.finish()
}

/// "Measuring movement".
func measureMovement(in url: URL, height: Double) async throws -> MeasureResult {
    var analysis = MeasureAnalysis(MeasureAnalysis.Configuration(MeasureOptions(height: height)))
    let frames = try await VideoReader.read(contentsOf: url)
    for try await element in analysis.pipeline(frames) { _ = analysis.take(element.feature) }
    _ = analysis.finish()
    return analysis.result
}
