/// A decoded picture in shared memory: its planes and its time. The parent checks it (`isInside`).
struct PictureMessage: Equatable {
    /// Identifies the picture when it is returned.
    var number = 0
    /// Its time range in ticks, and ticks a second.
    var start = 0
    var end = 0
    var timescale = 0
    var width = 0
    var height = 0
    /// FFmpeg's number of the pixel format.
    var format = 0
    /// The standard's number, doubled, plus one for full range.
    var color = 0
    /// One for transposed, two for flipped columns, four for flipped rows.
    var orientation = 0
    /// The offset of each plane's first row in the shared memory, and the distance between its rows, in bytes.
    var offsets = [0, 0, 0]
    var strides = [0, 0, 0]

    init() {}

    init?(_ payload: ArraySlice<UInt8>) {
        let numbers = WireNumbers.read(payload)
        guard payload.count == 8 * Self.length, numbers.count == Self.length else { return nil }
        (number, start, end, timescale) = (numbers[0], numbers[1], numbers[2], numbers[3])
        (width, height, format, color, orientation) = (numbers[4], numbers[5], numbers[6], numbers[7], numbers[8])
        (offsets, strides) = (Array(numbers[9..<12]), Array(numbers[12..<15]))
    }

    private static let length = 15

    var payload: [UInt8] {
        WireNumbers.bytes(
            [number, start, end, timescale, width, height, format, color, orientation] + offsets + strides)
    }

    /// Whether the planes lie inside memory of this many bytes, with room after them for vector code that reads on.
    func isInside(_ memory: Int, _ layout: PixelLayout, limits: ReadingLimits) -> Bool {
        guard width > 0, height > 0, limits.accepts(width: width, height: height), start >= 0, start < end,
            end < 1 << 61, (1...Int(Int32.max)).contains(timescale), (0..<8).contains(orientation)
        else { return false }
        return (0..<layout.planeCount).allSatisfy { plane in
            let (bytes, rows) = layout.extent(ofPlane: plane, width: width, height: height)
            let (offset, stride) = (offsets[plane], strides[plane])
            guard (0..<memory).contains(offset), stride.magnitude >= bytes, stride.magnitude < 1 << 24 else {
                return false
            }
            let last = offset + stride * (rows - 1)
            return min(offset, last) >= 0 && max(offset, last) + bytes + Self.slack <= memory
        }
    }

    /// Bytes that the scaler's vector code may read after a row.
    private static let slack = 64
}

extension PixelLayout {
    func extent(ofPlane plane: Int, width: Int, height: Int) -> (bytes: Int, rows: Int) {
        let columns = (width + (1 << chromaShiftX) - 1) >> chromaShiftX
        let rows = (height + (1 << chromaShiftY) - 1) >> chromaShiftY
        switch layout {
        case .packed(_, _, _, let bytesPerPixel): return (width * bytesPerPixel, height)
        case .gray: return (width * bytesPerSample, height)
        case .semiPlanar: return plane == 0 ? (width * bytesPerSample, height) : (2 * columns * bytesPerSample, rows)
        case .planar: return plane == 0 ? (width * bytesPerSample, height) : (columns * bytesPerSample, rows)
        }
    }
}
