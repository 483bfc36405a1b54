import Foundation

/// A compiled model kept in a file: the bytes that OpenVINO imports, and reads on while the model lives.
///
/// The file is OpenVINO's export and a seal, the export's length and checksum. Without the seal a file cut off by a full
/// disk or damaged later would crash OpenVINO, which trusts what it imports.
// SAFETY: mapped for reading in `init`, unmapped in `deinit`; kept files are only ever replaced by renaming, which leaves
// what is mapped as it was. The checksum reads inside the mapping only.
final class KeptModelHandle {
    /// The export, without the seal.
    let bytes: UnsafeRawBufferPointer
    private let mapping: UnsafeMutableRawPointer
    private let mappedCount: Int

    private static let sealCount = 16

    /// Maps a kept file; nil when it is absent, cut off or damaged, or when somebody else may have written it.
    convenience init?(_ file: URL) {
        self.init(mapping: file)
        let seal = UnsafeRawBufferPointer(start: mapping, count: mappedCount).suffix(Self.sealCount)
        guard mappedCount > Self.sealCount, Array(seal) == Self.seal(of: bytes) else { return nil }
    }

    /// Maps a file with or without a seal.
    private init?(mapping file: URL) {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size > 0, TrustedPlace.accepts(status),
            let start = mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED
        else { return nil }
        mapping = start
        mappedCount = Int(status.st_size)
        bytes = UnsafeRawBufferPointer(start: start, count: max(0, mappedCount - Self.sealCount))
    }

    deinit {
        munmap(mapping, mappedCount)
    }

    /// Seals what `export` writes into a file and puts it in place in one step; whether that worked.
    ///
    /// Another process that starts at the same time sees the whole file or none.
    static func keep(_ file: URL, export: (String) -> Bool) -> Bool {
        let part = file.appendingPathExtension(
            "\(ProcessInfo.processInfo.processIdentifier)-\(UInt32.random(in: 0 ... .max))")
        defer { unlink(part.path) }
        guard TrustedPlace.prepare(file.deletingLastPathComponent()), export(part.path), chmod(part.path, 0o600) == 0,
            let written = KeptModelHandle(mapping: part),
            let output = FileHandle(forUpdatingAtPath: part.path)
        else { return false }
        let whole = UnsafeRawBufferPointer(start: written.mapping, count: written.mappedCount)
        do {
            try output.seekToEnd()
            try output.write(contentsOf: Data(seal(of: whole)))
            try output.close()
        } catch {
            return false
        }
        return rename(part.path, file.path) == 0
    }

    /// Length and checksum, eight bytes each.
    private static func seal(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
        // FNV-1a (Fowler, Noll, Vo), by words of eight bytes instead of by bytes: seven megabytes take a millisecond.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func take(_ word: UInt64) { hash = ((hash ^ word) &* 0x0000_0100_0000_01b3).byteSwapped }
        let wholeWords = bytes.count & ~7
        for offset in stride(from: 0, to: wholeWords, by: 8) {
            take(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        for byte in bytes[wholeWords...] { take(UInt64(byte)) }
        return [UInt64(bytes.count), hash].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
        }
    }
}
