internal import CSandbox
internal import Foundation
internal import KinemaCore
internal import Synchronization

/// Memory that a process and its decoder share, which neither can shrink; pages are taken when they are first written.
// SAFETY: unchecked because the mapping does not change; mapped in `init`, unmapped in `deinit`. The reading side never
// writes, the decoder hands out blocks that do not overlap.
final class SharedMemoryHandle: @unchecked Sendable {
    let base: UnsafeMutablePointer<UInt8>
    let size: Int
    /// The descriptor for the decoder; closed in `deinit`.
    let descriptor: Int32
    /// The numbers of the pictures in it that are no longer in use.
    let freed = Mutex<[Int]>([])

    /// Whether this process may create that much; it counts as a file, and files may be limited in size.
    static func isAllowed(size: Int) -> Bool {
        var limit = rlimit()
        return getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) != 0 || limit.rlim_cur >= UInt64(size)
    }

    /// Makes memory for a decoder to write and this process to read.
    init(size: Int) throws(KinemaError) {
        descriptor = kinema_sealed_memory(Int64(size))
        guard descriptor >= 0, let base = Self.map(descriptor, size, writes: false) else {
            if descriptor >= 0 { close(descriptor) }
            var limit = rlimit()
            // More than any machine addresses stands for no limit.
            let isLimited =
                getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 && limit.rlim_cur >> 20 < 1 << 30
            throw KinemaError(
                .unsupported,
                isLimited
                    ? "only \(limit.rlim_cur >> 20) MiB of memory are allowed (ulimit -v), and a decoder process shares "
                        + "\(size >> 20) for its frames; allow more, or read with --no-sandbox"
                    : "no memory can be shared with a decoder process here; read with --no-sandbox")
        }
        (self.base, self.size) = (base, size)
    }

    /// Maps the memory that this decoder process was given, to write pictures into; nil on failure.
    init?(given descriptor: Int32, size: Int) {
        guard let base = Self.map(descriptor, size, writes: true) else { return nil }
        (self.base, self.size, self.descriptor) = (base, size, descriptor)
    }

    deinit {
        munmap(base, size)
        close(descriptor)
    }

    private static func map(_ descriptor: Int32, _ size: Int, writes: Bool) -> UnsafeMutablePointer<UInt8>? {
        let base = mmap(nil, size, writes ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, descriptor, 0)
        // SAFETY: the mapping has `size` bytes, of any value.
        return base == MAP_FAILED ? nil : base?.bindMemory(to: UInt8.self, capacity: size)
    }
}
