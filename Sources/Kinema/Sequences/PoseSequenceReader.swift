public import Foundation
public import KinemaCore
public import KinemaMotion

/// Reads pose sequences that were found earlier, by Kinema or by other programs.
///
/// Known are Kinema's own JSON Lines (`.jsonl`), OpenPose's BODY_25 as a table of 75 columns (`.csv`), arrays of shape
/// frames x 18 x 3 in OpenPose's or frames x 17 x 3 in COCO's order (`.npy`), and COCO's 17 joints as nested lists
/// (`.json`); each also packed by gzip (`.gz`). All hold x, y and confidence, y downwards but for Kinema's own.
public struct PoseSequenceReader: Sendable {
    /// Frames a second of files that do not tell.
    public var rate: Double

    /// How much of a file is taken.
    public var limits: PoseFileLimits

    /// Makes a reader; `rate` is the number of frames a second of files that do not tell, 0.001 to 1000.
    public init(rate: Double = 30, limits: PoseFileLimits = PoseFileLimits()) {
        self.rate = rate
        self.limits = limits
    }

    private static let endings = ["jsonl", "csv", "npy", "json"]

    /// Whether a file's name says that it holds a pose sequence.
    public static func isSequence(_ url: URL) -> Bool { kind(of: url) != nil }

    private static func kind(of url: URL) -> String? {
        let bare = url.pathExtension.lowercased() == "gz" ? url.deletingPathExtension() : url
        let ending = bare.pathExtension.lowercased()
        return endings.contains(ending) ? ending : nil
    }

    /// Reads a file, behind a link too. Throws `unreadableInput` when it is missing, damaged, of none of the known formats,
    /// beyond the limits, or holds numbers that are no places or no times; a place that is not a number was not seen.
    public func read(contentsOf url: URL) throws(KinemaError) -> PoseSequence {
        let path = url.path
        guard let kind = Self.kind(of: url) else {
            throw KinemaError(.unreadableInput, "is no pose sequence; .jsonl, .csv, .npy and .json are", file: path)
        }
        guard (0.001...1000).contains(rate) else {
            throw KinemaError(.invalidArgument, "\(rate) frames a second make no sense; 0.001 to 1000 do")
        }
        var bytes = try bytes(of: url)
        if Gzip.isGzip(bytes) {
            bytes = try Gzip.unpack(
                bytes, limit: limits.bytes, ratio: limits.ratio, free: limits.unpackedFreely, file: path)
        }
        if kind == "jsonl" { return try found(KinemaLines.sequence(bytes, limits, file: path), path) }
        var rows = PoseRows(rate: rate, limits: limits, file: path)
        switch kind {
        case "csv": try rows.table(bytes)
        case "npy": try rows.array(bytes)
        default: try rows.nested(bytes)
        }
        return try found(rows.sequence, path)
    }

    private func found(_ sequence: PoseSequence, _ path: String) throws(KinemaError) -> PoseSequence {
        guard sequence.count > 0 else { throw KinemaError(.unreadableInput, "holds no frame", file: path) }
        return sequence
    }

    private func bytes(of url: URL) throws(KinemaError) -> [UInt8] {
        let target = url.resolvingSymlinksInPath()
        guard let size = try? target.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey]) else {
            throw KinemaError(.unreadableInput, "no such file", file: url.path)
        }
        guard size.isRegularFile == true else {
            throw KinemaError(.unreadableInput, "is no file, or a link to none", file: url.path)
        }
        guard (size.fileSize ?? 0) <= limits.bytes else {
            throw KinemaError(.unreadableInput, "is larger than \(limits.bytes >> 20) MB; divide it", file: url.path)
        }
        guard let data = try? Data(contentsOf: url) else {
            throw KinemaError(.unreadableInput, "cannot be read; check its permissions", file: url.path)
        }
        return [UInt8](data)
    }
}

/// How much of a file of poses is taken; what is beyond is refused in one line, before it fills the memory.
public struct PoseFileLimits: Hashable, Sendable {
    /// Bytes of a file, and of what it unpacks to: an hour of two people as JSON Lines, a day of one as an array.
    public var bytes = 256 << 20
    /// How many times larger than packed a file may be: lines of people are 4 to 12 times, those of nobody up to 50.
    public var ratio = 100
    /// Bytes up to which that does not matter: half an hour of an array of nothing but zeros.
    public var unpackedFreely = 16 << 20
    /// Bytes of one line of JSON Lines: a thousand people with 33 joints in the picture and in space.
    public var lineBytes = 4 << 20
    /// Frames: nine hours at 30 a second.
    public var frames = 1_000_000
    /// Pixels of a picture's side: four times the widest there are.
    public var side = 65_536

    /// Makes the standard limits.
    public init() {}
}
