import Foundation
import KinemaCore

/// The files of a folder with a frame each, in the order of the number in their names, which is the frame's.
enum FrameFiles {
    /// Reads the matching files one after another.
    ///
    /// Throws `unreadableInput` for unreadable files, two files with one number, or files beyond the limits.
    static func forEach(
        in folder: URL, _ limits: PoseFileLimits, _ isWanted: (String) -> Bool,
        _ body: (_ number: Int, _ url: URL, _ bytes: [UInt8]) throws(KinemaError) -> Void
    ) throws(KinemaError) {
        var total = 0
        for (number, url) in try numbered(in: folder, limits, isWanted) {
            let bytes = try BoundedFile.read(url, limit: limits.lineBytes, excess: "a frame has fewer")
            total += bytes.count
            guard total <= limits.bytes else {
                throw KinemaError(
                    .unreadableInput, "is larger than \(limits.bytes >> 20) MB; split it", file: folder.path)
            }
            try body(number, url, bytes)
        }
    }

    private static func numbered(
        in folder: URL, _ limits: PoseFileLimits, _ isWanted: (String) -> Bool
    ) throws(KinemaError) -> [(number: Int, url: URL)] {
        func broken(_ what: String) -> KinemaError { KinemaError(.unreadableInput, what, file: folder.path) }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter(isWanted)
        } catch {
            throw broken("cannot be opened")
        }
        guard names.count <= limits.frames else { throw broken("has more than \(limits.frames) frames; split it") }
        let files = names.compactMap { name in FrameNumber.last(in: name).map { (number: $0, name: name) } }
            .sorted { ($0.number, $0.name) < ($1.number, $1.name) }
        for (file, next) in zip(files, files.dropFirst()) where file.number == next.number {
            throw broken("contains two files of frame \(file.number); put each recording into its own folder")
        }
        return files.map { ($0.number, folder.appending(path: $0.name)) }
    }
}

enum FrameNumber {
    /// The last number in a name: 12 of `run2_000000000012_keypoints.json`.
    static func last(in name: String) -> Int? {
        let digits = name.reversed().drop { !$0.isASCII || !$0.isNumber }.prefix { $0.isASCII && $0.isNumber }
        return Int(String(digits.reversed().suffix(18)))
    }
}
