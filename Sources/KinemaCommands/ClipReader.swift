import Foundation
import Kinema

/// Reads the movement in clips: stored sequences, or the poses in videos.
struct ClipReader: Sendable {
    var subject = ActionSubject.body
    var joints: [JointKey]?
    var pipeline: PosePipeline
    /// Frames per second of sequences without times.
    var rate: Double
    /// The orientation of the frames of videos.
    var orientation = PixelOrientation.upright
    var timing = FrameTiming.tagged

    func sequence(_ url: URL, _ interruption: Interruption) async throws -> PoseSequence {
        guard !BoundedFile.isSpecial(url) else { throw KinemaError.unreadable("is not a file", url.path) }
        let turned = try InputChoice(url.path).turned(orientation, by: orientation == .upright ? nil : "--rotate")
        let choice = try turned.timed(timing)
        if PoseSequenceReader.isSequence(url) {
            var reader = PoseSequenceReader(subject: subject, joints: joints, rate: rate)
            let diagnostics = DiagnosticCollector()
            reader.diagnostics = diagnostics
            if case .speed(let speed) = timing { reader.speed = speed }
            defer { Console.shared.warn(diagnostics.diagnostics) }
            return try reader.read(contentsOf: url)
        }
        let reading = try await interruption.cancelling { try await OpenedInput(choice) }
        var sequence = PoseSequence(subject, joints: joints)
        var selector = ProminentPersonSelector()
        let ratio = Double(reading.width) / Double(max(1, reading.height))
        return try await interruption.stopping(reading.stop) {
            for try await element in try reading.posed(pipeline) {
                let frame = element.feature.frame
                let poses = subject == .hand ? element.feature.hands.map(\.pose) : element.feature.poses
                sequence.append(selector.select(poses, at: frame.time), at: frame.time, aspectRatio: ratio)
                if interruption.isRaised { throw CancellationError() }
            }
            return sequence
        }
    }

    /// Reads all clips, each file once, with a progress bar; unless `strict`, skips unreadable ones with a warning.
    ///
    /// Throws `unreadableInput` when no clip of a class can be read.
    func examples(
        _ clips: [LabelledClip], strict: Bool, _ interruption: Interruption
    ) async throws -> [ActionTrainer.Example] {
        var examples: [ActionTrainer.Example] = []
        var last: (url: URL, sequence: PoseSequence?)?
        for (index, clip) in clips.enumerated() {
            Console.shared.progress(index, of: clips.count, note: clip.url.lastPathComponent)
            if last?.url != clip.url {
                do {
                    last = (clip.url, try await sequence(clip.url, interruption))
                } catch let error as KinemaError where error.code == .unreadableInput && !strict {
                    if interruption.isRaised { throw CancellationError() }
                    last = (clip.url, nil)
                    let message = error.message + "; the clip is skipped"
                    Console.shared.warn([Diagnostic("training.unreadable", message, file: clip.url.path)])
                }
            }
            if let whole = last?.sequence {
                let part = clip.range.map { whole.clipped(to: $0) } ?? whole
                examples.append(.init(part, label: clip.label, person: clip.person, source: clip.url.path))
            }
            if interruption.isRaised { throw CancellationError() }
        }
        Console.shared.endProgress()
        let read = Set(examples.map(\.label))
        if let lost = clips.first(where: { !read.contains($0.label) }) {
            throw KinemaError(
                .unreadableInput, "no clip of the class \"\(lost.label)\" can be read",
                file: lost.url.deletingLastPathComponent().path)
        }
        return examples
    }
}
