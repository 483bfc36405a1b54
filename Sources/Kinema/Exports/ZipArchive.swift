import KinemaCore

/// Files put into one zip archive in memory (PKWARE's APPNOTE 6.3), each packed with deflate.
struct ZipArchive {
    private var bytes: [UInt8] = []
    private var directory: [UInt8] = []
    private var count = 0

    /// Adds a file; the name may have folders, divided by slashes.
    ///
    /// Throws `.unsupported` once the archive passes 4 GB, where a file's place no longer fits its 32 bits.
    mutating func add(_ content: [UInt8], name: String) throws(KinemaError) {
        guard bytes.count + content.count < 0xFFFF_0000 else {
            throw KinemaError(.unsupported, "an archive of more than 4 GB cannot be made; export csv", file: name)
        }
        // Gzip is deflate between 10 bytes of header and 8 of checksum and size (RFC 1952), which zip needs too.
        let packed = Gzip.pack(content)
        let (body, end) = (packed[10..<(packed.count - 8)], packed[(packed.count - 8)...])
        let title = Array(name.utf8)
        let start = UInt32(bytes.count)
        var entry: [UInt8] = []
        // Version 2.0, names in UTF-8 (bit 11), deflate, midnight of 1 January 1980: the same input, the same archive.
        for value: UInt16 in [20, 1 << 11, 8, 0, 0x21] { entry += Self.little(value) }
        entry += end.prefix(4)
        entry += Self.little(UInt32(body.count)) + end.suffix(4)
        entry += Self.little(UInt16(title.count)) + Self.little(UInt16(0))
        bytes += [0x50, 0x4B, 3, 4] + entry + title + body
        // The directory's entry: made by version 2.0 of Unix, rights rw-r--r--.
        directory += [0x50, 0x4B, 1, 2] + Self.little(UInt16(3 << 8 | 20)) + entry
        for value: UInt16 in [0, 0, 0] { directory += Self.little(value) }
        directory += Self.little(UInt32(0o100644) << 16) + Self.little(start) + title
        count += 1
    }

    /// The whole archive.
    consuming func finish() -> [UInt8] {
        let start = UInt32(bytes.count)
        let wide = count >= 0xFFFF ? Self.wideEnd(count: count, start: Int(start), size: directory.count) : []
        var end: [UInt8] = wide + [0x50, 0x4B, 5, 6]
        for value in [0, 0, UInt16(clamping: count), UInt16(clamping: count)] { end += Self.little(value) }
        end += Self.little(UInt32(directory.count)) + Self.little(start) + Self.little(UInt16(0))
        return bytes + directory + end
    }

    /// Zip64's end, for more files than the plain one can count.
    private static func wideEnd(count: Int, start: Int, size: Int) -> [UInt8] {
        var record: [UInt8] = [0x50, 0x4B, 6, 6] + little(UInt64(44)) + little(UInt16(45)) + little(UInt16(45))
        record += little(UInt64(0))
        for value in [count, count, size, start] { record += little(UInt64(value)) }
        return record + [0x50, 0x4B, 6, 7] + little(UInt32(0)) + little(UInt64(start + size)) + little(UInt32(1))
    }

    private static func little<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
        (0..<Value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
