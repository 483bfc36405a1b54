public import Foundation
public import KinemaCore
public import KinemaMotion

/// Reads pose sequences that Kinema or other programs found earlier.
///
/// It reads Kinema's own JSON Lines (`.jsonl`), OpenPose's BODY_25 as a table of 75 columns (`.csv`), arrays of shape
/// frames x 18 x 3 in OpenPose's order or frames x 17 x 3 in COCO's (`.npy`), and COCO's 17 joints as nested lists
/// (`.json`); all of them also compressed with gzip (`.gz`). All hold x, y and confidence, with y downwards except in
/// Kinema's own. Files of hands hold 21 joints: the wrist, then each finger from the palm to its tip, thumb first.
public struct PoseSequenceReader: Sendable {
    /// Whose joints are read.
    public var subject: ActionSubject
    /// The frame rate of files that do not state one.
    public var rate: Double

    /// How much of a file to read.
    public var limits: PoseFileLimits

    /// Makes a reader of bodies or hands; `rate` is the frame rate of files that do not state one, 0.001 to 1000.
    public init(subject: ActionSubject = .body, rate: Double = 30, limits: PoseFileLimits = PoseFileLimits()) {
        self.subject = subject
        self.rate = rate
        self.limits = limits
    }

    private static let extensions = ["jsonl", "csv", "npy", "json"]

    /// Whether a file's name is that of a pose sequence.
    public static func isSequence(_ url: URL) -> Bool { kind(of: url) != nil }

    private static func kind(of url: URL) -> String? {
        let bare = url.pathExtension.lowercased() == "gz" ? url.deletingPathExtension() : url
        let fileExtension = bare.pathExtension.lowercased()
        return extensions.contains(fileExtension) ? fileExtension : nil
    }

    /// Reads a file, also through a link.
    ///
    /// Throws `unreadableInput` when the file is missing, damaged, in an unknown format, beyond the limits, or holds
    /// invalid positions or times. A position of NaN is a joint that was not seen.
    public func read(contentsOf url: URL) throws(KinemaError) -> PoseSequence {
        let path = url.path
        guard let kind = Self.kind(of: url) else {
            throw KinemaError(
                .unreadableInput, "is not a pose sequence; give a .jsonl, .csv, .npy or .json file", file: path)
        }
        guard (0.001...1000).contains(rate) else {
            throw KinemaError(.invalidArgument, "\(rate) frames a second are impossible; give 0.001 to 1000")
        }
        var bytes = try bytes(of: url)
        if Gzip.isGzip(bytes) {
            bytes = try Gzip.unpack(
                bytes, limit: limits.bytes, ratio: limits.ratio, free: limits.ratioExemptBytes, file: path)
        }
        if kind == "jsonl" { return try nonEmpty(jsonLines(bytes, file: path), path) }
        var parser = PoseNumberParser(subject, rate: rate, limits: limits, file: path)
        switch kind {
        case "csv": try parser.parseCSV(bytes)
        case "npy": try parser.parseNumPy(bytes)
        default: try parser.parseJSON(bytes)
        }
        return try nonEmpty(parser.sequence, path)
    }

    /// The most prominent person or hand of each frame of the JSON Lines of `kinema pose`.
    private func jsonLines(_ bytes: [UInt8], file: String) throws(KinemaError) -> PoseSequence {
        var sequence = PoseSequence(subject)
        var selector = ProminentPersonSelector()
        try PoseLinesReader.each(bytes, limits, file: file) { frame in
            // Older lines have no picture size; assume that of most videos.
            let ratio = frame.width > 0 ? Double(frame.width) / Double(max(1, frame.height)) : 16 / 9
            let poses = subject == .hand ? frame.hands.map(\.pose) : frame.poses
            sequence.append(selector.select(poses, at: frame.time), at: frame.time, aspectRatio: ratio)
        }
        return sequence
    }

    private func nonEmpty(_ sequence: PoseSequence, _ path: String) throws(KinemaError) -> PoseSequence {
        guard sequence.count > 0 else { throw KinemaError(.unreadableInput, "holds no frames", file: path) }
        return sequence
    }

    private func bytes(of url: URL) throws(KinemaError) -> [UInt8] {
        let target = url.resolvingSymlinksInPath()
        guard let size = try? target.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey]) else {
            throw KinemaError(.unreadableInput, "no such file", file: url.path)
        }
        guard size.isRegularFile == true else {
            throw KinemaError(.unreadableInput, "is not a file or a link to one", file: url.path)
        }
        guard (size.fileSize ?? 0) <= limits.bytes else {
            throw KinemaError(.unreadableInput, "is larger than \(limits.bytes >> 20) MB; split it", file: url.path)
        }
        guard let data = try? Data(contentsOf: url) else {
            throw KinemaError(.unreadableInput, "cannot be read; check its permissions", file: url.path)
        }
        return [UInt8](data)
    }
}

/// How much of a file of poses is read; larger files are refused before they fill the memory.
public struct PoseFileLimits: Hashable, Sendable {
    /// Bytes of a file, also unpacked: an hour of two people as JSON Lines, a day of one as an array.
    public var bytes = 256 << 20
    /// How many times its compressed size a file may be: lines with people reach 4 to 12, those without up to 50.
    public var ratio = 100
    /// Bytes up to which the ratio does not matter: half an hour of an array of zeros.
    public var ratioExemptBytes = 16 << 20
    /// Bytes of one line of JSON Lines: a thousand people with 33 joints in the picture and in space.
    public var lineBytes = 4 << 20
    /// Frames: nine hours at 30 a second.
    public var frames = 1_000_000
    /// Pixels of a picture's side: four times the widest that exist.
    public var side = 65_536

    /// Makes the standard limits.
    public init() {}
}
