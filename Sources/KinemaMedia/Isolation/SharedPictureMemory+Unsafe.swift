internal import CFFmpeg
internal import CSandbox
internal import Foundation
internal import KinemaCore
internal import Synchronization

/// Hands out blocks of shared memory for decoded pictures, the lowest that fits first, so that few pages are ever used.
// SAFETY: unchecked for the mapping; a lock guards the list of blocks, since other threads return pictures.
final class SharedPictureMemory: @unchecked Sendable {
    private let memory: SharedMemoryHandle
    /// Taken blocks by their offset, in order.
    private let taken = Mutex<[Range<Int>]>([])

    /// Blocks begin at multiples of this and not of pages, which have 4 to 64 kB: nothing is mapped block by block.
    private static let alignment = 4_096

    init(_ memory: SharedMemoryHandle) { self.memory = memory }

    /// For FFmpeg, which keeps it unretained: this object must outlive every picture.
    var source: kinema_picture_memory {
        kinema_picture_memory(
            owner: Unmanaged.passUnretained(self).toOpaque(),
            take: { owner, size in
                guard let owner else { return nil }
                return Unmanaged<SharedPictureMemory>.fromOpaque(owner).takeUnretainedValue().take(Int(size))
            },
            give_back: { owner, block in
                guard let owner, let block else { return }
                Unmanaged<SharedPictureMemory>.fromOpaque(owner).takeUnretainedValue().giveBack(block)
            })
    }

    /// A block of at least this many bytes; nil when there is no room.
    func take(_ size: Int) -> UnsafeMutablePointer<UInt8>? {
        let needed = (max(size, 1) + Self.alignment - 1) / Self.alignment * Self.alignment
        return taken.withLock { taken in
            var start = 0
            var index = 0
            while index < taken.count, taken[index].lowerBound - start < needed {
                start = taken[index].upperBound
                index += 1
            }
            // The last unit stays free, for vector code that reads on.
            guard start + needed <= memory.size - Self.alignment else { return nil }
            taken.insert(start..<start + needed, at: index)
            // SAFETY: the block lies inside the mapping.
            return memory.base + start
        }
    }

    func giveBack(_ block: UnsafeMutablePointer<UInt8>) {
        let start = block - memory.base
        taken.withLock { taken in taken.removeAll { $0.lowerBound == start } }
    }

    func offset(of plane: FramePlanes.Plane) -> Int? {
        let offset = plane.base - UnsafeRawPointer(memory.base)
        return (0..<memory.size).contains(offset) ? offset : nil
    }

    /// Copies a picture into a block, for formats that had to be converted; nil without room.
    func copy(_ picture: DecodedPicture) -> (block: SharedBlock, offsets: [Int], strides: [Int])? {
        let extents = (0..<picture.layout.planeCount).map {
            picture.layout.extent(ofPlane: $0, width: picture.handle.width, height: picture.handle.height)
        }
        guard let block = take(extents.reduce(0) { $0 + $1.bytes * $1.rows }) else { return nil }
        let start = block - memory.base
        var (offsets, strides) = ([0, 0, 0], [0, 0, 0])
        var offset = 0
        for (index, extent) in extents.enumerated() {
            guard let plane = picture.handle.plane(index) else { continue }
            for row in 0..<extent.rows {
                // SAFETY: the block has room for every row of every plane, and a plane has rows of this length.
                UnsafeMutableRawPointer(block + offset + row * extent.bytes)
                    .copyMemory(from: plane.base + row * plane.bytesPerRow, byteCount: extent.bytes)
            }
            (offsets[index], strides[index]) = (start + offset, extent.bytes)
            offset += extent.bytes * extent.rows
        }
        return (SharedBlock { [self] in giveBack(block) }, offsets, strides)
    }
}

extension DecodedPicture {
    /// A picture in shared memory, as a decoder process describes it; nil when the description cannot be true.
    init?(_ message: PictureMessage, in memory: SharedMemoryHandle, limits: ReadingLimits, owner: SharedBlock) {
        let standards = ColorMatrix.Standard.allCases
        guard let number = Int32(exactly: message.format), let layout = PixelLayout(AVPixelFormat(rawValue: number)),
            message.isInside(memory.size, layout, limits: limits), standards.indices.contains(message.color >> 1)
        else { return nil }
        // SAFETY: every plane was checked to lie inside the mapping, which `owner` keeps.
        let planes = (0..<layout.planeCount).map { (memory.base + message.offsets[$0], message.strides[$0]) }
        guard
            let handle = try? FrameHandle(
                width: message.width, height: message.height, format: AVPixelFormat(rawValue: number), planes: planes,
                owner: owner)
        else { return nil }
        self.init(
            handle: handle, layout: layout,
            color: FrameColor(standard: standards[message.color >> 1], fullRange: message.color & 1 != 0),
            orientation: PixelOrientation(
                transposed: message.orientation & 1 != 0, flipsStoredX: message.orientation & 2 != 0,
                flipsStoredY: message.orientation & 4 != 0))
    }
}

extension PictureMessage {
    /// Describes a decoded frame, copied into shared memory if needed; nil without room. Keep a copy's block meanwhile.
    static func describing(
        _ frame: VideoFrame, number: Int, in memory: SharedPictureMemory
    ) -> (message: PictureMessage, copy: SharedBlock?)? {
        guard case .decoded(let picture) = frame.content else { return nil }
        var message = PictureMessage()
        let planes = (0..<picture.layout.planeCount).compactMap { picture.handle.plane($0) }
        let places = planes.compactMap { memory.offset(of: $0) }
        var copied: SharedBlock?
        if places.count == picture.layout.planeCount {
            for (index, place) in places.enumerated() {
                (message.offsets[index], message.strides[index]) = (place, planes[index].bytesPerRow)
            }
        } else {
            guard let copy = memory.copy(picture) else { return nil }
            (copied, message.offsets, message.strides) = (copy.block, copy.offsets, copy.strides)
        }
        message.number = number
        (message.start, message.end) = (frame.id.range.lowerBound, frame.id.range.upperBound)
        message.timescale = frame.id.timescale
        (message.width, message.height) = (picture.handle.width, picture.handle.height)
        message.format = Int(picture.handle.format.rawValue)
        let standard = ColorMatrix.Standard.allCases.firstIndex(of: picture.color.standard) ?? 0
        message.color = standard << 1 | (picture.color.fullRange ? 1 : 0)
        let orientation = picture.orientation
        message.orientation =
            (orientation.transposed ? 1 : 0) | (orientation.flipsStoredX ? 2 : 0) | (orientation.flipsStoredY ? 4 : 0)
        return (message, copied)
    }
}

/// Returns a block when its last user releases it.
// SAFETY: unchecked because the closure captures a pointer, which only names the block.
final class SharedBlock: @unchecked Sendable {
    private let giveBack: () -> Void

    init(_ giveBack: @escaping () -> Void) { self.giveBack = giveBack }

    deinit { giveBack() }
}

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
