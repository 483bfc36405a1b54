public import KinemaMotion
public import Foundation
public import KinemaCore

/// Reads poses from the files of Kinema and other programs: the sequence of one person for a classifier, or frames with
/// everyone for an analysis.
///
/// It reads, also compressed with gzip or xz (`.gz`, `.xz`), alone in a zip archive, or as text in UTF-16:
///
/// - Kinema's own JSON Lines (`.jsonl`) and table (`.csv`), with everyone in them;
/// - tables with a line of names (`.csv`), such as MediaPipe's `nose_x`, `nose_y` and `nose_visibility`, or with a row
///   for each joint (`frame`, `landmark`, `x`, `y`), or DeepLabCut's with three or four lines of names;
/// - the same tables in JSON, as pandas writes them;
/// - rows of bare numbers (`.csv`), nested lists of frames x joints x numbers (`.json`), NumPy's arrays (`.npy`,
///   `.npz`);
/// - COCO's keypoints (`.json`), as a data set with images or as a list of results;
/// - people in frames as Ultralytics, mmpose, MediaPipe, AlphaPose, OpenPose and Apple's Vision have them, and joints by
///   their names (`.json`, or one frame per line);
/// - motion-capture markers (`.trc`) with names of joints or Plug-in Gait's, x to the right and y up;
/// - OpenPose's output and Ultralytics' labels, folders with one file per frame.
///
/// The first bytes of a file decide its kind; the name matters only if they do not.
///
/// Bare numbers are MediaPipe's 33 joints, Halpe's 26, BODY_25's 25, OpenPose's 18 or COCO's 17, each with x, y and
/// confidence; or x and y; or, for MediaPipe's, x, y, z and visibility. Files of hands hold 21 joints: the wrist, then
/// each finger from the palm to its tip, thumb first.
///
/// All frames of a file decide its units: a third number is a confidence, or a depth and ignored; positions are
/// fractions of the frame, pixels or lengths, and y is downwards unless everyone would stand on their heads. Unknown
/// orders, such as Human3.6M's 17 joints, are rejected. A frame of zeros or NaN contains no person.
public struct PoseSequenceReader: Sendable {
    /// The subject whose joints are read.
    package var subject: ActionSubject
    /// The joints of a sequence; nil for those of the subject.
    package var joints: [JointKey]?
    /// The frame rate of files that do not state one.
    package var rate: Double
    /// The aspect ratio of the frames; nil for the file's own, else 16/9, or 1/1 if bare numbers fill the unit square.
    package var aspect: AspectRatio?

    /// The share of the real speed at which the file's times pass: 0.125 for slow motion that plays eight times slower.
    package var speed = 1.0

    package var limits = PoseFileLimits()

    /// Creates a reader of bodies or hands; `rate` is the frame rate of files without one, 0.001 to 1000.
    public init(
        subject: ActionSubject = .body, joints: [JointKey]? = nil, rate: Double = 30, aspect: AspectRatio? = nil
    ) { (self.subject, self.joints, self.rate, self.aspect) = (subject, joints, rate, aspect) }

    /// Collects findings that do not stop the reading, such as a last line that is cut off.
    package var diagnostics: DiagnosticCollector?

    package static let standardInput = URL(filePath: "/dev/stdin")

    /// The number of first bytes that identify a pose sequence.
    package static var headBytes: Int { PoseFileKind.headBytes }

    /// Whether a file, by its name or first bytes, or a folder of OpenPose or Ultralytics is a pose sequence.
    package static func isSequence(_ url: URL) -> Bool {
        if PoseFileKind(named: url) != nil || PoseTable.isOpenPose(url) || LabelFolder.find(url) != nil { return true }
        guard let head = BoundedFile.head(of: url, count: PoseFileKind.headBytes) else { return false }
        return isSequence(beginning: head)
    }

    /// Whether a file that begins with these bytes is a pose sequence, also packed with gzip.
    package static func isSequence(beginning head: [UInt8]) -> Bool {
        let isWhole = head.count < PoseFileKind.headBytes
        return PoseFileKind(PackedFile.head(head), isWhole: isWhole) != nil
    }

    /// Reads the movement of the most prominent person or hand in a file.
    ///
    /// Throws `unreadableInput` when the file is missing, damaged, in an unknown format, beyond the limits, or holds
    /// invalid positions or times; NaN means that a joint was not detected.
    public func read(contentsOf url: URL) throws(KinemaError) -> PoseSequence { try readNoted(url).sequence }

    /// The same, with a note on how bare numbers were interpreted.
    package func readNoted(_ url: URL) throws(KinemaError) -> (sequence: PoseSequence, note: String?) {
        var sequence = PoseSequence(subject, joints: joints)
        let source = try source(url)
        switch source {
        case .lines(var lines):
            var selector = ProminentPersonSelector()
            while let frame = try lines.next() {
                let poses = subject == .hand ? frame.hands.map(\.pose) : frame.poses
                let ratio = shape(of: frame).value
                sequence.append(selector.select(poses, at: frame.time), at: frame.time * speed, aspectRatio: ratio)
            }
        case .numbers(var numbers):
            while let row = try numbers.next() {
                // MediaPipe's x and y have different units; those of the others have one.
                let width = row.order == .blazePose33 && numbers.areShares ? numbers.picture(aspect).shape.value : 1
                sequence.picture.width = Float(width)
                sequence.append(
                    row.joints(sequence.joints, width: Float(width)), at: Double(sequence.count) / rate * speed)
            }
        case .table(let table):
            var selector = ProminentPersonSelector()
            for frame in table.frames {
                let time = (frame.time ?? 0) * speed
                let ratio = Double(frame.width) / Double(max(1, frame.height))
                let poses = frame.people.map(table.pose)
                sequence.append(selector.select(poses, at: time), at: time, aspectRatio: ratio)
            }
        }
        guard sequence.count > 0 else { throw Self.holdsNothing(url) }
        return (sequence, source.properties.note)
    }

    /// Opens a file to read its frames one by one with everyone in them; throws as `read(contentsOf:)` does.
    ///
    /// Iteration throws for later damage in JSON Lines. Positions beyond 10 in files of bare numbers are pixels.
    public func frames(contentsOf url: URL) throws(KinemaError) -> PoseFileFrames {
        let source = try source(url)
        var first = PoseFileFrames.Iterator(self, source, url: url)
        guard let frame = try first.read() else { throw Self.holdsNothing(url) }
        return PoseFileFrames(
            url: url, frameSize: CGSize(width: frame.width, height: frame.height), reader: self, source: source)
    }

    enum Source: Sendable {
        case lines(PoseLinesReader<[UInt8]>)
        case numbers(PoseNumbers)
        case table(PoseTable)

        /// How numbers were interpreted, the number of frames, and whether their times are stated.
        var properties: (note: String?, count: Int?, statesTimes: Bool) {
            switch self {
            case .lines: (nil, nil, true)
            case .numbers(let numbers): (numbers.note, numbers.frameCount, false)
            case .table(let table): (table.note, table.frames.count, table.statesTimes)
            }
        }
    }

    private func source(_ url: URL) throws(KinemaError) -> Source {
        let path = Self.name(url)
        guard (0.001...1000).contains(rate) else {
            throw KinemaError(.invalidArgument, "\(rate) frames a second are impossible; give 0.001 to 1000")
        }
        if subject == .body, PoseTable.isOpenPose(url) {
            return .table(try PoseTable.openPose(url, limits).finished(self))
        }
        if subject == .body, let labels = LabelFolder.find(url) {
            return .table(try LabelFolder.read(labels, limits).finished(self))
        }
        let packed = try PackedFile(try read(url), limits, file: path)
        var (bytes, isWhole) = (packed.bytes, packed.isWhole)
        let head = Array(bytes.prefix(PoseFileKind.headBytes))
        let name = PoseFileKind(named: packed.name ?? url)
        guard let kind = PoseFileKind(head, isWhole: head.count == bytes.count, name: name) ?? name else {
            throw KinemaError(
                .unreadableInput,
                "is not a pose sequence; give lines of JSON, a table, an array, markers or a folder of OpenPose's or "
                    + "Ultralytics'", file: path)
        }
        guard isWhole || kind == .lines || kind == .table else {
            throw KinemaError(.unreadableInput, "is damaged or cut short; copy it again", file: path)
        }
        if CutText.trim(&bytes, kind, limits) || !isWhole {
            diagnostics?.report(
                Diagnostic("input.truncated", "the file ends early; everything before this point was read", file: path))
        }
        return try source(bytes, kind, path)
    }

    private static func name(_ url: URL) -> String { url == standardInput ? "-" : url.path }

    private func read(_ url: URL) throws(KinemaError) -> [UInt8] {
        guard url == Self.standardInput else {
            return try BoundedFile.read(url, limit: limits.bytes, excess: "split it")
        }
        return try BoundedFile.readStandardInput(limit: limits.bytes, excess: "split it")
    }

    private func source(_ bytes: [UInt8], _ kind: PoseFileKind, _ path: String) throws(KinemaError) -> Source {
        func numbers(_ bytes: [UInt8], _ kind: PoseFileKind) throws(KinemaError) -> Source {
            .numbers(try PoseNumbers(bytes, kind: kind, of: subject, limits: limits, file: path))
        }
        switch kind {
        case .lines:
            guard subject == .body, !PoseLinesReader.areLines(bytes) else {
                return .lines(PoseLinesReader(bytes, limits, file: path))
            }
            if let cells = try JSONTable.text(bytes, isLines: true, limits, file: path) {
                return try source(cells, .table, path)
            }
            return .table(try RecordReader.lines(bytes, limits, file: path).finished(self))
        case .markers:
            guard subject == .body else {
                throw KinemaError(.unreadableInput, "contains the markers of a body, not of a hand", file: path)
            }
            return .table(try PoseTable.markers(bytes, limits, file: path).finished(self))
        case .table:
            guard subject == .body, let table = try PoseTable.columns(bytes, limits, file: path) else { break }
            return .table(try table.finished(self))
        case .document:
            guard subject == .body else { break }
            if PoseTable.isCOCO(bytes) {
                let (table, isList) = try PoseTable.coco(bytes, limits, file: path)
                return .table(try table.finished(self, fillsGaps: isList))
            }
            if let cells = try JSONTable.text(bytes, isLines: false, limits, file: path) {
                return try source(cells, .table, path)
            }
            let start = bytes.lazy.filter { ![32, 9, 10, 13].contains($0) }.prefix(3)
            guard start.contains(UInt8(ascii: "{")) else { break }
            return .table(try RecordReader.list(bytes, limits, file: path).finished(self))
        case .archive:
            let array = try NumpyArchive.array(bytes, limits, file: path) { NumberRow($0, of: subject) != nil }
            return try numbers(array, .array)
        case .array: break
        }
        return try numbers(bytes, kind)
    }

    func shape(of frame: ExportedFrame) -> AspectRatio {
        aspect ?? AspectRatio(width: frame.width, height: frame.height) ?? .usual
    }

    private static func holdsNothing(_ url: URL) -> KinemaError {
        KinemaError(.unreadableInput, "contains no frames", file: name(url))
    }
}

/// Repairs texts whose writing was interrupted.
enum CutText {
    /// Removes the last line of a text if it was cut off; returns whether it was.
    ///
    /// That is a line without an end that is not JSON, or has fewer cells than the line before.
    static func trim(_ bytes: inout [UInt8], _ kind: PoseFileKind, _ limits: PoseFileLimits) -> Bool {
        guard kind == .lines || kind == .table, let last = bytes.last, last != 10, last != 13,
            let end = bytes.lastIndex(where: { $0 == 10 || $0 == 13 })
        else { return false }
        let line = bytes[(end + 1)...]
        guard line.count <= limits.lineBytes else { return false }
        if kind == .lines {
            guard !JSONElements.isWhole(line) else { return false }
        } else {
            let before = bytes[..<end].suffix(limits.lineBytes)
            let previous = before[((before.lastIndex { $0 == 10 || $0 == 13 } ?? before.startIndex - 1) + 1)...]
            let format = TableFormat(previous)
            guard format.cells(line).count < format.cells(previous).count else { return false }
        }
        bytes.removeLast(line.count)
        return true
    }
}
