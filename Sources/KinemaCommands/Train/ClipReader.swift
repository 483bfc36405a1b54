import Foundation
import Kinema

/// Turns clips into movement: sequences found earlier are read, videos are looked at.
struct ClipReader: Sendable {
    var pipeline: PosePipeline
    /// Frames a second of sequences that do not tell.
    var rate: Double

    /// Reads a file: the movement of its most prominent person.
    func sequence(_ url: URL, _ interruption: Interruption) async throws -> PoseSequence {
        if PoseSequenceReader.isSequence(url) { return try PoseSequenceReader(rate: rate).read(contentsOf: url) }
        let reading = try await Reading(url.path)
        var sequence = PoseSequence(.body)
        var selector = ProminentPersonSelector()
        let ratio = Double(reading.width) / Double(max(1, reading.height))
        for try await element in pipeline(reading.frames) {
            let frame = element.feature.frame
            sequence.append(
                selector.select(element.feature.poses, at: frame.time), at: frame.time, aspectRatio: ratio)
            if interruption.isRaised { throw CancellationError() }
        }
        return sequence
    }

    /// Reads all clips, each file once, with a bar.
    func examples(_ clips: [LabelledClip], _ interruption: Interruption) async throws -> [ActionTrainer.Example] {
        var examples: [ActionTrainer.Example] = []
        var last: (url: URL, sequence: PoseSequence)?
        for (index, clip) in clips.enumerated() {
            Console.shared.progress(index, of: clips.count, note: clip.url.lastPathComponent)
            let whole: PoseSequence
            if let last, last.url == clip.url {
                whole = last.sequence
            } else {
                whole = try await sequence(clip.url, interruption)
            }
            last = (clip.url, whole)
            let part = clip.range.map { whole.clipped(to: $0) } ?? whole
            examples.append(.init(part, label: clip.label, person: clip.person, source: clip.url.path))
            if interruption.isRaised { throw CancellationError() }
        }
        Console.shared.endProgress()
        return examples
    }
}
