package import Foundation
package import KinemaCore

/// A zip archive in memory (PKWARE's APPNOTE 6.3), compressed with deflate.
package struct ZipArchive {
    private var bytes: [UInt8] = []
    private var directory = ZipDirectory()

    package init() {}

    /// Adds a file, with folders in its name separated by slashes; throws `.unsupported` above 4 GB.
    package mutating func add(_ content: [UInt8], name: String) throws(KinemaError) {
        bytes += try directory.add(content, name: name)
    }

    package consuming func finish() -> [UInt8] { bytes + directory.end() }
}

/// Writes a zip archive to a file entry by entry; at most one entry is in memory.
package struct ZipFileWriter {
    private let file: FileHandle
    private var directory = ZipDirectory()

    /// The number of bytes copied at a time.
    private static let portion = 1 << 20

    package init(_ file: FileHandle) { self.file = file }

    /// Adds a file of these bytes, packed unless they are packed already.
    ///
    /// Throws `.unsupported` above 4 GB, and the system's error when it cannot be written.
    package mutating func add(_ content: Data, name: String, isPacked: Bool = false) throws {
        try write(try directory.add(Array(content), name: name, isPacked: isPacked))
    }

    /// Adds a file from disk without packing it; throws as above, and when the file cannot be read or changes meanwhile.
    package mutating func add(contentsOf url: URL, name: String) throws {
        var (checksum, count): (UInt32, Int) = (0, 0)
        try Self.pieces(of: url) { piece in
            checksum = Gzip.checksum(piece, after: checksum)
            count += piece.count
        }
        try write(try directory.add(name, checksum: checksum, packed: count, size: count, isDeflated: false))
        var copied = 0
        try Self.pieces(of: url) { piece in
            copied += piece.count
            guard copied <= count else { throw Self.changed(url) }
            try write(piece)
        }
        guard copied == count else { throw Self.changed(url) }
    }

    /// Writes the directory, which completes the archive; returns its size in bytes.
    package consuming func finish() throws -> Int {
        let end = directory.end()
        try file.write(contentsOf: Data(end))
        return directory.offset + end.count
    }

    private func write(_ bytes: [UInt8]) throws { try file.write(contentsOf: Data(bytes)) }

    private static func changed(_ url: URL) -> KinemaError {
        KinemaError(.unreadableInput, "changed while it was read; try again", file: url.path)
    }

    private static func pieces(of url: URL, _ body: ([UInt8]) throws -> Void) throws {
        let source = try FileHandle(forReadingFrom: url)
        defer { try? source.close() }
        while let piece = try source.read(upToCount: portion), !piece.isEmpty { try body(Array(piece)) }
    }
}

/// The records of a zip archive beside its files' bytes.
private struct ZipDirectory {
    private var bytes: [UInt8] = []
    private var count = 0
    /// The offset of the next file, or of the directory.
    private(set) var offset = 0

    /// Adds a file to the directory; returns its record and its bytes, packed unless they are already.
    mutating func add(_ content: [UInt8], name: String, isPacked: Bool = false) throws(KinemaError) -> [UInt8] {
        // Gzip is deflate between a header of 10 bytes and a checksum and size of 8 (RFC 1952).
        let body = isPacked ? content[...] : Gzip.pack(content).dropFirst(10).dropLast(8)
        return try add(
            name, checksum: Gzip.checksum(content), packed: body.count, size: content.count, isDeflated: !isPacked)
            + body
    }

    /// Adds a file to the directory and returns the record that precedes its bytes; throws `.unsupported` above 4 GB.
    mutating func add(
        _ name: String, checksum: UInt32, packed: Int, size: Int, isDeflated: Bool
    ) throws(KinemaError) -> [UInt8] {
        guard offset + packed < 0xFFFF_0000, size < 0xFFFF_0000 else {
            throw KinemaError(
                .unsupported, "an archive of more than 4 GB cannot be made; export less at once", file: name)
        }
        let nameBytes = Array(name.utf8)
        var entry: [UInt8] = []
        // Version 2.0, UTF-8 names (bit 11), the method, midnight of 1 January 1980: equal input gives equal archives.
        for value: UInt16 in [20, 1 << 11, isDeflated ? 8 : 0, 0, 0x21] { entry += Self.little(value) }
        entry += Self.little(checksum) + Self.little(UInt32(packed)) + Self.little(UInt32(size))
        entry += Self.little(UInt16(nameBytes.count)) + Self.little(UInt16(0))
        // The directory entry: made by version 2.0 on Unix, permissions rw-r--r--.
        bytes += [0x50, 0x4B, 1, 2] + Self.little(UInt16(3 << 8 | 20)) + entry
        for value: UInt16 in [0, 0, 0] { bytes += Self.little(value) }
        bytes += Self.little(UInt32(0o100644) << 16) + Self.little(UInt32(offset)) + nameBytes
        count += 1
        offset += 30 + nameBytes.count + packed
        return [0x50, 0x4B, 3, 4] + entry + nameBytes
    }

    func end() -> [UInt8] {
        let zip64 = count >= 0xFFFF ? Self.zip64End(count: count, start: offset, size: bytes.count) : []
        var end: [UInt8] = zip64 + [0x50, 0x4B, 5, 6]
        for value in [0, 0, UInt16(clamping: count), UInt16(clamping: count)] { end += Self.little(value) }
        end += Self.little(UInt32(bytes.count)) + Self.little(UInt32(offset)) + Self.little(UInt16(0))
        return bytes + end
    }

    /// The end record of Zip64, for more files than the plain one can count.
    private static func zip64End(count: Int, start: Int, size: Int) -> [UInt8] {
        var record: [UInt8] = [0x50, 0x4B, 6, 6] + little(UInt64(44)) + little(UInt16(45)) + little(UInt16(45))
        record += little(UInt64(0))
        for value in [count, count, size, start] { record += little(UInt64(value)) }
        return record + [0x50, 0x4B, 6, 7] + little(UInt32(0)) + little(UInt64(start + size)) + little(UInt32(1))
    }

    private static func little<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
        (0..<Value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
