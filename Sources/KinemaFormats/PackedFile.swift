import Foundation
import KinemaCore

/// What a file holds that is packed with gzip or xz, or alone in a zip archive, or that is a text in UTF-16.
struct PackedFile {
    /// The endings of names that say so.
    static let endings: Set<String> = ["gz", "xz", "zip"]

    var bytes: [UInt8]
    /// False if the file ends early.
    private(set) var isWhole = true
    /// The name of the packed file, where there is one.
    private(set) var name: URL?

    /// Unpacks a file; throws `unreadableInput` when it is damaged, beyond the limits, or not one file.
    init(_ packed: [UInt8], _ limits: PoseFileLimits, file: String) throws(KinemaError) {
        bytes = packed
        if Gzip.isGzip(packed) {
            (bytes, isWhole) = try Gzip.unpackPart(
                packed, limit: limits.bytes, ratio: limits.ratio, free: limits.ratioExemptBytes, file: file)
        } else if packed.starts(with: XZ.signature) {
            let expected = Gzip.expectedSize(of: packed.count, ratio: limits.ratio, free: limits.ratioExemptBytes)
            guard let found = XZ.unpack(packed, limit: min(limits.bytes, expected)) else {
                throw KinemaError(
                    .unreadableInput,
                    "is packed with xz, which needs liblzma (apt install liblzma5); or unpack it first",
                    file: file)
            }
            guard found.output.count <= limits.bytes else { throw Gzip.tooLarge(bytes: limits.bytes, file) }
            guard found.output.count <= expected else { throw Gzip.tooLarge(limits.ratio, file) }
            guard !found.isDamaged else { throw Gzip.damaged(file) }
            (bytes, isWhole) = (found.output, found.isWhole)
        } else if Self.isZip(packed) {
            (bytes, name) = try Self.only(packed, limits, file: file)
        }
        bytes = Self.utf8(bytes)
    }

    /// The first bytes of what a file holds that begins with these.
    static func head(_ head: [UInt8]) -> [UInt8] {
        let count = PoseFileKind.headBytes
        if Gzip.isGzip(head) { return utf8(Gzip.head(head, count: count)) }
        if head.starts(with: XZ.signature) { return utf8(XZ.unpack(head, limit: count)?.output ?? []) }
        return utf8(isZip(head) ? firstFile(head) : head)
    }

    /// Whether the bytes begin a zip archive that is none of NumPy's.
    private static func isZip(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0x50, 0x4B, 3, 4]) && !NumpyArchive.isArchive(bytes)
    }

    /// A text in UTF-16 (with a byte order mark) in UTF-8; other bytes as they are.
    private static func utf8(_ bytes: [UInt8]) -> [UInt8] {
        let isLittle = bytes.starts(with: [0xFF, 0xFE])
        guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else { return bytes }
        let units = (1..<max(1, bytes.count / 2)).lazy.map { index -> UInt16 in
            let place = 2 * index
            let (low, high) = isLittle ? (bytes[place], bytes[place + 1]) : (bytes[place + 1], bytes[place])
            return UInt16(high) << 8 | UInt16(low)
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    /// Whether a file in an archive counts: folders and what macOS puts beside files do not.
    private static func counts(_ name: String) -> Bool {
        !name.hasSuffix("/") && !name.hasPrefix("__MACOSX")
            && !(name.split(separator: "/").last?.hasPrefix(".") ?? true)
    }

    private static func only(
        _ bytes: [UInt8], _ limits: PoseFileLimits, file: String
    ) throws(KinemaError) -> (bytes: [UInt8], name: URL) {
        func broken(_ what: String) -> KinemaError { KinemaError(.unreadableInput, what, file: file) }
        let zip = try ZipReader(bytes, path: file, mostEntries: NumpyArchive.mostEntries)
        let files = zip.entries.filter { counts($0.name) }
        guard let one = files.first else { throw broken("contains no file") }
        guard files.count == 1 else {
            let names = files.prefix(8).map { PlainText.oneLine($0.name) }.joined(separator: ", ")
            throw broken("contains \(files.count) files: \(names); unpack the one to read")
        }
        return (try NumpyArchive.content(of: one, in: zip, limits, file), URL(filePath: "/" + one.name))
    }

    /// The beginning of the first file in an archive that begins with these bytes.
    private static func firstFile(_ head: [UInt8]) -> [UInt8] {
        func number(_ place: Int, _ width: Int) -> Int {
            (0..<width).reduce(0) { $0 | Int(head[place + $1]) << (8 * $1) }
        }
        var start = 0
        // A local header has 30 bytes, then a name and other fields (PKWARE's APPNOTE, 4.3.7).
        while start + 30 <= head.count, head[start...].starts(with: [0x50, 0x4B, 3, 4]) {
            let (name, content) = (start + 30, start + 30 + number(start + 26, 2) + number(start + 28, 2))
            guard content <= head.count else { return [] }
            let text = String(decoding: head[name..<name + number(start + 26, 2)], as: UTF8.self)
            guard counts(text) else {
                start = content + number(start + 18, 4)
                continue
            }
            let packed = Array(head[content...])
            guard number(start + 8, 2) == 8 else { return packed }
            return Gzip.head([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + packed, count: PoseFileKind.headBytes)
        }
        return []
    }
}

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
