package import Foundation
package import KinemaCore

/// Reads an untrusted zip archive (PKWARE's APPNOTE 6.3): stored and deflated files, none encrypted. It validates every
/// field and throws `.unreadableInput`; names are never used as paths.
package struct ZipReader {
    package struct Entry: Sendable, Equatable {
        package var name: String
        var offset: Int
        /// Bytes in the archive, and unpacked.
        package var packed: Int, size: Int
        package var checksum: UInt32
        package var isDeflated: Bool

        var extent: Range<Int> { offset..<offset + 30 + name.utf8.count + packed }
    }

    /// More files than the largest history has, and the size of a directory that lists that many.
    package static let mostEntries = 400_000
    private static let directoryBytes = 64 << 20
    /// The most bytes that all files unpack to: thousands of long sets with the largest poses.
    private static let unpackedBytes = 4 << 30
    /// The longest comment and the records at the end.
    private static let tailBytes = 65_535 + 22 + 20

    package let entries: [Entry]
    private let source: Source
    private let path: String
    /// The start of the directory and end of the files.
    private let end: Int

    private enum Source {
        case file(FileHandle)
        case memory([UInt8])
    }

    /// Reads the directory of an open file of this size; `path` is the name in errors.
    package init(_ file: FileHandle, size: Int, path: String) throws(KinemaError) {
        try self.init(.file(file), size: size, path: path, mostEntries: Self.mostEntries)
    }

    package init(_ bytes: [UInt8], path: String, mostEntries: Int) throws(KinemaError) {
        try self.init(.memory(bytes), size: bytes.count, path: path, mostEntries: mostEntries)
    }

    private init(_ source: Source, size: Int, path: String, mostEntries: Int) throws(KinemaError) {
        (self.source, self.path) = (source, path)
        let tail = try Self.read(source, max(0, size - Self.tailBytes)..<size, path)
        guard let place = Self.endRecord(tail) else { throw Self.damaged(path, "is not a zip archive, or cut short") }
        let record = size - tail.count + place
        var (count, length, start) = (
            tail.number(place + 10, 2), tail.number(place + 12, 4), tail.number(place + 16, 4)
        )
        if count == 0xFFFF, place >= 20, tail.number(place - 20, 4) == 0x0706_4B50 {
            let offset = tail.number(place - 12, 8)
            guard offset <= size - 56 else { throw Self.damaged(path) }
            let large = try Self.read(source, offset..<offset + 56, path)
            guard large.number(0, 4) == 0x0606_4B50 else { throw Self.damaged(path) }
            (count, length, start) = (large.number(32, 8), large.number(40, 8), large.number(48, 8))
        }
        guard tail.number(place + 4, 4) == 0, (0...mostEntries).contains(count),
            (0...Self.directoryBytes).contains(length), (0...record).contains(start), start + length <= record
        else { throw Self.damaged(path) }
        end = start
        entries = try Self.entries(try Self.read(source, start..<start + length, path), count: count, end: start, path)
    }

    /// The bytes of a file, unpacked; throws when they contradict the directory or exceed `limit`.
    package func content(_ entry: Entry, atMost limit: Int) throws(KinemaError) -> [UInt8] {
        guard entry.size <= limit, entry.packed <= limit else {
            throw KinemaError(.unreadableInput, "contains \(Self.shown(entry.name)), which is too large", file: path)
        }
        let start = try dataStart(entry)
        let bytes = try Self.read(source, start..<start + entry.packed, path)
        guard entry.isDeflated else {
            guard Gzip.checksum(bytes) == entry.checksum else { throw damaged(entry) }
            return bytes
        }
        // As gzip (RFC 1952), whose reader checks the sum and the size.
        func little(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
        let gzip =
            [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + bytes + little(entry.checksum)
            + little(UInt32(truncatingIfNeeded: entry.size))
        guard let content = try? Gzip.unpack(gzip, limit: entry.size, file: path), content.count == entry.size else {
            throw damaged(entry)
        }
        return content
    }

    /// Copies a stored file piece by piece; throws as ``content(_:atMost:)``, and when it cannot be written.
    package func copy(_ entry: Entry, to target: FileHandle, at place: String) throws(KinemaError) {
        guard !entry.isDeflated else { throw damaged(entry) }
        var start = try dataStart(entry)
        let finish = start + entry.packed
        var checksum: UInt32 = 0
        while start < finish {
            let piece = try Self.read(source, start..<min(finish, start + (1 << 20)), path)
            checksum = Gzip.checksum(piece, after: checksum)
            do { try target.write(contentsOf: Data(piece)) } catch { throw KinemaError.unwritable(place, error) }
            start += piece.count
        }
        guard checksum == entry.checksum else { throw damaged(entry) }
    }

    package func beginning(_ entry: Entry, _ count: Int) throws(KinemaError) -> [UInt8] {
        guard !entry.isDeflated else { throw damaged(entry) }
        let start = try dataStart(entry)
        return try Self.read(source, start..<start + min(count, entry.packed), path)
    }

    private func dataStart(_ entry: Entry) throws(KinemaError) -> Int {
        let header = try Self.read(source, entry.offset..<entry.offset + 30, path)
        let start = entry.offset + 30 + header.number(26, 2) + header.number(28, 2)
        guard header.number(0, 4) == 0x0403_4B50, header.number(26, 2) == entry.name.utf8.count,
            start + entry.packed <= end
        else { throw damaged(entry) }
        return start
    }

    /// The start of the last record: the last place whose comment ends with the archive.
    private static func endRecord(_ tail: [UInt8]) -> Int? {
        guard tail.count >= 22 else { return nil }
        return (0...tail.count - 22).last { place in
            guard tail[place] == 0x50, tail.number(place, 4) == 0x0605_4B50 else { return false }
            return place + 22 + tail.number(place + 20, 2) == tail.count
        }
    }

    private static func entries(
        _ bytes: [UInt8], count: Int, end: Int, _ path: String
    ) throws(KinemaError) -> [Entry] {
        var entries: [Entry] = []
        var (place, unpacked) = (0, 0)
        for _ in 0..<count {
            guard place + 46 <= bytes.count, bytes.number(place, 4) == 0x0201_4B50 else { throw damaged(path) }
            let (flags, method) = (bytes.number(place + 8, 2), bytes.number(place + 10, 2))
            let nameEnd = place + 46 + bytes.number(place + 28, 2)
            guard nameEnd <= bytes.count, let name = String(validating: bytes[(place + 46)..<nameEnd], as: UTF8.self)
            else { throw damaged(path) }
            guard flags & 1 == 0, method == 0 || method == 8 else {
                throw damaged(path, "contains \(shown(name)), which is encrypted or packed in an unknown way")
            }
            let entry = Entry(
                name: name, offset: bytes.number(place + 42, 4), packed: bytes.number(place + 20, 4),
                size: bytes.number(place + 24, 4), checksum: UInt32(truncatingIfNeeded: bytes.number(place + 16, 4)),
                isDeflated: method == 8)
            guard entry.extent.upperBound <= end, entry.isDeflated || entry.size == entry.packed else {
                throw damaged(path)
            }
            if entry.isDeflated { unpacked += entry.size }
            entries.append(entry)
            place = nameEnd + bytes.number(place + 30, 2) + bytes.number(place + 32, 2)
        }
        guard unpacked <= unpackedBytes else { throw damaged(path, "unpacks to more data than any history contains") }
        guard Set(entries.map(\.name)).count == entries.count else { throw damaged(path, "contains a file twice") }
        // Files that share bytes are how a small archive unpacks to a huge one.
        let extents = entries.map(\.extent).sorted { $0.lowerBound < $1.lowerBound }
        guard zip(extents, extents.dropFirst()).allSatisfy({ $0.upperBound <= $1.lowerBound }) else {
            throw damaged(path)
        }
        return entries
    }

    private static func read(_ source: Source, _ range: Range<Int>, _ path: String) throws(KinemaError) -> [UInt8] {
        guard !range.isEmpty else { return [] }
        let bytes: [UInt8]? =
            switch source {
            case .memory(let bytes): range.upperBound <= bytes.count ? Array(bytes[range]) : nil
            case .file(let file):
                (try? file.seek(toOffset: UInt64(range.lowerBound))).flatMap {
                    (try? file.read(upToCount: range.count)).map { Array($0) }
                }
            }
        guard let bytes, bytes.count == range.count else { throw damaged(path, "is cut short, or cannot be read") }
        return bytes
    }

    private func damaged(_ entry: Entry) -> KinemaError {
        Self.damaged(path, "is damaged: \(Self.shown(entry.name)) cannot be read")
    }

    private static func damaged(_ path: String, _ what: String = "is a damaged zip archive") -> KinemaError {
        KinemaError(.unreadableInput, what, file: path)
    }

    package static func shown(_ name: String) -> String { PlainText.oneLine(PlainText.prefix(name, bytes: 80)) }
}

extension [UInt8] {
    /// A little-endian number of 2, 4 or 8 bytes, clamped to a size that fails every check.
    fileprivate func number(_ place: Int, _ width: Int) -> Int {
        Int(clamping: self[place..<place + width].reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
    }
}
