import CSampling

/// Planes of 8 bits that `ksample_line` reads.
// SAFETY: it reads four bytes where two luma samples or one chroma sample are needed, so `sample` takes only lines that
// stay off the last rows: the bytes beyond are then in the next row. Offsets within a plane fit into 32 bits.
struct LinePlanes {
    private let planes: ksample_planes
    /// Every position of a line must lie above this row.
    private let rows: Int
    /// The farthest line to prefetch: 64 pixels away, more than any input of a model steps over.
    private static let reach = 64 &<< 16

    /// Nil for samples of more bits, quarter-resolution chroma, and pictures that are tiny, huge or stored bottom-up.
    init?<Sample>(
        _ size: (width: Int, height: Int), _ luma: Plane<Sample>, u: UnsafePointer<Sample>, v: UnsafePointer<Sample>,
        chromaStride: Int, shift: (x: Int, y: Int), isInterleaved: Bool, _ colours: FixedPointColorMatrix
    ) {
        let limit = Int(Int32.max)
        guard Sample.self == UInt8.self, (0...1).contains(shift.x), (0...1).contains(shift.y), luma.stride >= 8,
            chromaStride >= 8, size.width < 1 << 14, size.height < 1 << 14, luma.stride * size.height < limit,
            chromaStride * size.height < limit, size.width >= 2, size.height >= 4
        else { return nil }
        planes = ksample_planes(
            luma: UnsafeRawPointer(luma.base).assumingMemoryBound(to: UInt8.self),
            u: UnsafeRawPointer(u).assumingMemoryBound(to: UInt8.self),
            v: UnsafeRawPointer(v).assumingMemoryBound(to: UInt8.self), luma_stride: Int32(luma.stride),
            chroma_stride: Int32(chromaStride), chroma_shift_x: Int32(shift.x), chroma_shift_y: Int32(shift.y),
            chroma_step_log: isInterleaved ? 1 : 0, offset: colours.offset, scale: colours.luma, red_v: colours.redV,
            green_u: colours.greenU, green_v: colours.greenV, blue_u: colours.blueU)
        rows = size.height - 3
    }

    /// Samples pixels from the first one and prefetches `next`; returns how many were sampled, which may be none.
    func sample(
        _ count: Int, from start: SamplePosition, step: SamplePosition, next: SamplePosition,
        into pixels: UnsafeMutablePointer<UInt8>
    ) -> Int {
        let last = start + step * (count - 1)
        guard count >= 8, max(start.y, last.y) &>> 16 < rows else { return 0 }
        // A line inside the picture fits; the one to prefetch need not.
        let next = SamplePosition(
            x: max(-Self.reach, min(next.x, Self.reach)), y: max(-Self.reach, min(next.y, Self.reach)))
        return withUnsafePointer(to: planes) { planes in
            Int(
                ksample_line(
                    planes, Int32(count), Int32(start.x), Int32(start.y), Int32(step.x), Int32(step.y),
                    Int32(next.x), Int32(next.y), pixels))
        }
    }
}
