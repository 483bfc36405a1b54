import Foundation

/// A compiled model in the cache, mapped into memory while OpenVINO uses it. The file is OpenVINO's export with a
/// trailer of length and checksum, since OpenVINO crashes on a damaged import.
// SAFETY: the file is mapped for reading in `init` and unmapped in `deinit`. Cache files are replaced only by renaming,
// which leaves existing mappings intact. The checksum reads only inside the mapping.
final class CachedModelHandle {
    /// The export without the trailer.
    let bytes: UnsafeRawBufferPointer
    private let mapping: UnsafeMutableRawPointer
    private let mappedCount: Int

    private static let trailerCount = 16

    /// Maps a cache file; nil when it is absent, damaged, or may have been written by another user.
    convenience init?(_ file: URL) {
        self.init(mapping: file)
        let trailer = UnsafeRawBufferPointer(start: mapping, count: mappedCount).suffix(Self.trailerCount)
        guard mappedCount > Self.trailerCount, Array(trailer) == Self.trailer(of: bytes) else { return nil }
    }

    private init?(mapping file: URL) {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size > 0, TrustedPath.accepts(status),
            let start = mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED
        else { return nil }
        mapping = start
        mappedCount = Int(status.st_size)
        bytes = UnsafeRawBufferPointer(start: start, count: max(0, mappedCount - Self.trailerCount))
    }

    deinit { munmap(mapping, mappedCount) }

    /// Writes an export with its trailer to the cache atomically; returns whether that succeeded.
    static func store(at file: URL, export: (String) -> Bool) -> Bool {
        let temporary = file.appendingPathExtension(
            "\(ProcessInfo.processInfo.processIdentifier)-\(UInt32.random(in: 0 ... .max))")
        defer { unlink(temporary.path) }
        guard TrustedPath.prepare(file.deletingLastPathComponent()), export(temporary.path),
            chmod(temporary.path, 0o600) == 0, let written = CachedModelHandle(mapping: temporary),
            let output = FileHandle(forUpdatingAtPath: temporary.path)
        else { return false }
        let whole = UnsafeRawBufferPointer(start: written.mapping, count: written.mappedCount)
        do {
            try output.seekToEnd()
            try output.write(contentsOf: Data(trailer(of: whole)))
            try output.close()
        } catch {
            return false
        }
        return rename(temporary.path, file.path) == 0
    }

    /// The length and the checksum, eight bytes each.
    private static func trailer(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
        // FNV-1a (Fowler, Noll, Vo) over words of eight bytes instead of single bytes: 7 MB take a millisecond.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func combine(_ word: UInt64) { hash = ((hash ^ word) &* 0x0000_0100_0000_01b3).byteSwapped }
        let wholeWords = bytes.count & ~7
        for offset in stride(from: 0, to: wholeWords, by: 8) {
            combine(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        for byte in bytes[wholeWords...] { combine(UInt64(byte)) }
        return [UInt64(bytes.count), hash].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
        }
    }
}
