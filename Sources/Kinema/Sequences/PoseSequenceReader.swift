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

    /// Makes a reader; `rate` is the number of frames a second of files that do not tell.
    public init(rate: Double = 30) {
        self.rate = rate
    }

    /// The most bytes read or unpacked: 256 MB are a day of one person at 30 frames a second.
    private static let limit = 256 << 20
    private static let endings = ["jsonl", "csv", "npy", "json"]

    /// Whether a file's name says that it holds a pose sequence.
    public static func isSequence(_ url: URL) -> Bool { kind(of: url) != nil }

    private static func kind(of url: URL) -> String? {
        let bare = url.pathExtension.lowercased() == "gz" ? url.deletingPathExtension() : url
        let ending = bare.pathExtension.lowercased()
        return endings.contains(ending) ? ending : nil
    }

    /// Reads a file. Throws `unreadableInput` when it is missing, damaged, or of none of the known formats.
    public func read(contentsOf url: URL) throws(KinemaError) -> PoseSequence {
        let path = url.path
        guard let kind = Self.kind(of: url) else {
            throw KinemaError(.unreadableInput, "is no pose sequence; .jsonl, .csv, .npy and .json are", file: path)
        }
        var bytes = try Self.bytes(of: url)
        if Gzip.isGzip(bytes) { bytes = try Gzip.unpack(bytes, limit: Self.limit, file: path) }
        let sequence =
            switch kind {
            case "jsonl": try KinemaLines.sequence(bytes, file: path)
            case "csv": try table(bytes, file: path)
            case "npy": try array(bytes, file: path)
            default: try nested(bytes, file: path)
            }
        guard sequence.count > 0 else { throw KinemaError(.unreadableInput, "holds no frame", file: path) }
        return sequence
    }

    private static func bytes(of url: URL) throws(KinemaError) -> [UInt8] {
        guard let size = try? url.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey]), size.isRegularFile == true
        else { throw KinemaError(.unreadableInput, "no such file", file: url.path) }
        guard (size.fileSize ?? 0) <= limit else {
            throw KinemaError(.unreadableInput, "is larger than \(limit >> 20) MB", file: url.path)
        }
        guard let data = try? Data(contentsOf: url) else {
            throw KinemaError(.unreadableInput, "cannot be read; check its permissions", file: url.path)
        }
        return [UInt8](data)
    }

    /// Comma-separated numbers, a row a frame.
    private func table(_ bytes: [UInt8], file: String) throws(KinemaError) -> PoseSequence {
        var rows: [[Float]] = []
        var width = 0
        for (number, line) in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).enumerated() {
            let cells = line.split(separator: ",", omittingEmptySubsequences: false)
            let row = cells.compactMap { Float($0.trimmingPrefix(while: { $0 == " " })) }
            // A first line of names is a header.
            if number == 0, row.isEmpty { continue }
            guard row.count == cells.count, row.count % 3 == 0, let joints = JointTable(joints: row.count / 3),
                width == 0 || width == row.count
            else {
                throw KinemaError(
                    .unreadableInput,
                    "line \(number + 1) is not x, y, confidence of 25, 18 or 17 joints, as many as the others",
                    file: file)
            }
            width = row.count
            rows.append(joints.bodyFrame(row[...]))
        }
        return sequence(rows)
    }

    private func array(_ bytes: [UInt8], file: String) throws(KinemaError) -> PoseSequence {
        let array = try NumpyArray(bytes, file: file)
        guard array.shape.count == 3, array.shape[2] == 3, let joints = JointTable(joints: array.shape[1]) else {
            throw KinemaError(
                .unreadableInput, "has the shape \(array.shape); frames x 25, 18 or 17 x 3 are known", file: file)
        }
        let width = joints.count * 3
        return sequence(
            (0..<array.shape[0]).map { joints.bodyFrame(array.values[$0 * width..<($0 + 1) * width]) })
    }

    private func nested(_ bytes: [UInt8], file: String) throws(KinemaError) -> PoseSequence {
        guard let frames = try? JSONDecoder().decode([[[Float]]].self, from: Data(bytes)) else {
            throw KinemaError(
                .unreadableInput, "is no list of frames of joints of x, y, confidence; or it is cut short", file: file)
        }
        var rows: [[Float]] = []
        for (number, frame) in frames.enumerated() {
            guard let joints = JointTable(joints: frame.count), frame.allSatisfy({ $0.count == 3 }) else {
                throw KinemaError(
                    .unreadableInput, "frame \(number) is not x, y, confidence of 25, 18 or 17 joints", file: file)
            }
            rows.append(joints.bodyFrame(frame.flatMap(\.self)[...]))
        }
        return sequence(rows)
    }

    private func sequence(_ rows: [[Float]]) -> PoseSequence {
        var sequence = PoseSequence(.body)
        for (index, row) in rows.enumerated() { sequence.append(row, at: Double(index) / rate) }
        return sequence
    }
}
