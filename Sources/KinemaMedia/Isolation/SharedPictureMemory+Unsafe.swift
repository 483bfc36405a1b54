internal import CFFmpeg
internal import KinemaCore
internal import Synchronization

/// Hands out blocks of shared memory for decoded pictures, the lowest that fits first, so that few pages are ever used.
// SAFETY: unchecked for the mapping; a lock guards the list of blocks, since other threads return pictures.
final class SharedPictureMemory: @unchecked Sendable {
    private let memory: SharedMemoryHandle
    /// Taken blocks by their offset, in order.
    private let taken = Mutex<[Range<Int>]>([])

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
            // The last page stays free, for vector code that reads on.
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
