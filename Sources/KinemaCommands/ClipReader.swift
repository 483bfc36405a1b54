import Foundation
package import Kinema

/// Reads the movement in clips: stored sequences, or the poses in videos.
package struct ClipReader: Sendable {
    var subject = ActionSubject.body
    var joints: [JointKey]?
    var pipeline: PosePipeline
    /// Frames per second of sequences without times.
    var rate: Double
    /// The orientation of the frames of videos.
    var orientation = PixelOrientation.upright
    var timing: FrameTiming

    package init(
        subject: ActionSubject = .body, joints: [JointKey]? = nil, pipeline: PosePipeline, rate: Double,
        orientation: PixelOrientation = .upright, timing: FrameTiming = .tagged
    ) {
        (self.subject, self.joints, self.pipeline) = (subject, joints, pipeline)
        (self.rate, self.orientation, self.timing) = (rate, orientation, timing)
    }

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
    package func examples(
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

/// A clip to train or to evaluate with: a file or a part of one, and its label.
package struct LabelledClip: Sendable, Hashable {
    var url: URL
    var label: String
    /// The part of the file to use, in seconds; nil for all of it.
    var range: Range<TimeInterval>?
    var person: String?

    /// Reads DATA: a folder with a folder for each class, or a table; throws `unreadableInput` naming the missing part.
    package static func read(_ path: String) throws -> [LabelledClip] {
        guard FileManager.default.fileExists(atPath: path) else {
            let reason = BoundedFile.absence(
                of: path, "give a folder of clips per class, or a table (kinema train --help)", kind: "file or folder")
            throw KinemaError(.unreadableInput, reason, file: path)
        }
        return FileManager.default.isFolder(path) ? try folder(path) : try table(path)
    }

    // MARK: A folder for each class

    private static func folder(_ path: String) throws -> [LabelledClip] {
        let root = URL(filePath: path)
        let classes = try entries(root).filter(\.isFolder)
        guard !classes.isEmpty else {
            throw KinemaError(.unreadableInput, "contains no folder; put the clips of each class into one", file: path)
        }
        return try classes.flatMap { entry in
            let files = try entries(entry.url).filter { !$0.isFolder && isClip($0.url) }
            guard !files.isEmpty else {
                throw KinemaError(
                    .unreadableInput,
                    "the class \"\(entry.url.lastPathComponent)\" has no clip; add some or remove its "
                        + "folder", file: path)
            }
            return files.map { LabelledClip(url: $0.url, label: entry.url.lastPathComponent) }
        }
    }

    static func entries(_ folder: URL) throws -> [(url: URL, isFolder: Bool)] {
        guard
            let urls = try? FileManager.default.contentsOfDirectory(
                at: folder.resolvingSymlinksInPath(), includingPropertiesForKeys: [.isDirectoryKey],
                options: .skipsHiddenFiles)
        else { throw KinemaError(.unreadableInput, "cannot be listed; check its permissions", file: folder.path) }
        return urls.sorted { $0.lastPathComponent < $1.lastPathComponent }.map { url in
            // Links count as their targets.
            let target = url.resolvingSymlinksInPath()
            return (url, (try? target.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true)
        }
    }

    /// The endings of files that lie beside clips without being clips.
    private static let others: Set = ["txt", "md", "ds_store", "log", "yaml", "yml", "pdf", "html"]

    static func isClip(_ url: URL) -> Bool {
        let ending = url.pathExtension.lowercased()
        guard !others.contains(ending) else { return false }
        // The truth of a rendered clip lies beside it under the same name.
        let film = url.deletingPathExtension().appendingPathExtension("mp4")
        return ending != "json" || !FileManager.default.fileExists(atPath: film.path)
    }

    // MARK: A table

    private static func table(_ path: String) throws -> [LabelledClip] {
        let url = URL(filePath: path)
        let table = try DelimitedTable(contentsOf: url, remedy: "give a folder or a table of clips")
        for column in ["file", "label"] where !table.header.contains(column) {
            let columns = table.header.filter { !$0.isEmpty }.joined(separator: ", ")
            throw KinemaError(
                .unreadableInput, "has no column \(column); its columns are \(PlainText.prefix(columns, bytes: 200))",
                file: path)
        }
        guard !table.rows.isEmpty else { throw KinemaError(.unreadableInput, "lists no clip", file: path) }
        return try table.rows.enumerated().map { index, row in try clip(row, number: index + 1, table: url) }
    }

    private static func clip(_ row: [String: String], number: Int, table: URL) throws -> LabelledClip {
        func cell(_ column: String) -> String? { row[column].flatMap { $0.isEmpty ? nil : $0 } }
        func time(_ column: String) throws -> TimeInterval? {
            guard let text = cell(column) else { return nil }
            guard let value = Double(text), value.isFinite, value >= 0 else {
                throw KinemaError(
                    .unreadableInput,
                    "row \(number): \(column) is \"\(PlainText.prefix(text, bytes: 80))\", not a time in seconds",
                    file: table.path)
            }
            return value
        }
        guard let file = cell("file"), let label = cell("label") else {
            throw KinemaError(.unreadableInput, "row \(number) has no file or no label", file: table.path)
        }
        let (start, end) = (try time("start"), try time("end"))
        let range = start == nil && end == nil ? nil : (start ?? 0, end ?? .infinity)
        if let range, range.0 >= range.1 {
            throw KinemaError(.unreadableInput, "row \(number): the end is not after the start", file: table.path)
        }
        return LabelledClip(
            url: file.hasPrefix("/")
                ? URL(filePath: file) : table.deletingLastPathComponent().appending(path: file), label: label,
            range: range.map { $0.0..<$0.1 }, person: cell("person"))
    }
}
