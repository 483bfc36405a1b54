import KinemaMedia

// SAFETY: planes are read row by row within the size they state, while `withPlanes` lends them; every destination has
// room for a whole row, and loops end `factor` samples before the row does.

extension LumaPicture {
    /// The frame's brightness, each pixel the mean of `factor` x `factor` of the frame's.
    init(_ frame: VideoFrame, factor: Int) {
        self = frame.withPlanes { planes in
            let size = (planes.storedWidth / factor, planes.storedHeight / factor)
            let pixels = [UInt8](unsafeUninitializedCapacity: size.0 * size.1) { buffer, count in
                if let base = buffer.baseAddress { Self.reduce(planes, factor, into: base, size) }
                count = size.0 * size.1
            }
            return LumaPicture(width: size.0, height: size.1, factor: factor, pixels: pixels)
        }
    }

    /// The same picture smaller by a factor.
    func reduced(by factor: Int) -> LumaPicture {
        let (columns, rows) = (width / factor, height / factor)
        let smaller = [UInt8](unsafeUninitializedCapacity: columns * rows) { buffer, count in
            let sums = UnsafeMutablePointer<UInt16>.allocate(capacity: width)
            defer { sums.deallocate() }
            pixels.withUnsafeBufferPointer { pixels in
                guard let base = pixels.baseAddress, let output = buffer.baseAddress else { return }
                for row in 0..<rows {
                    for part in 0..<factor {
                        Self.add(base + (row * factor + part) * width, to: sums, width, isFirst: part == 0)
                    }
                    Self.mean(sums, factor, into: output + row * columns, columns)
                }
            }
            count = columns * rows
        }
        return LumaPicture(width: columns, height: rows, factor: self.factor * factor, pixels: smaller)
    }

    private static func reduce(
        _ planes: borrowing FramePlanes, _ factor: Int, into output: UnsafeMutablePointer<UInt8>,
        _ size: (width: Int, height: Int)
    ) {
        let columns = planes.storedWidth
        let grey = UnsafeMutablePointer<UInt8>.allocate(capacity: columns + 64)
        let sums = UnsafeMutablePointer<UInt16>.allocate(capacity: columns + 64)
        defer {
            grey.deallocate()
            sums.deallocate()
        }
        for row in 0..<size.height {
            for part in 0..<factor {
                let line = luma(planes, row: row * factor + part, scratch: grey)
                add(line, to: sums, columns, isFirst: part == 0)
            }
            mean(sums, factor, into: output + row * size.width, size.width)
        }
    }

    /// A row's brightness: the plane's own memory where that is bytes of luma, else written to `scratch`.
    private static func luma(
        _ planes: borrowing FramePlanes, row: Int, scratch: UnsafeMutablePointer<UInt8>
    ) -> UnsafePointer<UInt8> {
        let plane = planes.planes.0
        let start = plane.base + row * plane.bytesPerRow
        if case .packed(let red, let green, let blue, let step) = planes.layout {
            let pixels = start.assumingMemoryBound(to: UInt8.self)
            for x in 0..<planes.storedWidth {
                let pixel = pixels + x &* step
                // BT.601 weights of 256.
                let sum = 77 &* UInt32(pixel[red]) &+ 150 &* UInt32(pixel[green]) &+ 29 &* UInt32(pixel[blue])
                scratch[x] = UInt8(truncatingIfNeeded: sum &>> 8)
            }
            return UnsafePointer(scratch)
        }
        guard planes.bytesPerSample == 2 else { return start.assumingMemoryBound(to: UInt8.self) }
        let samples = start.assumingMemoryBound(to: UInt16.self)
        let shift = UInt16(planes.bitDepth - 8)
        for x in 0..<planes.storedWidth { scratch[x] = UInt8(truncatingIfNeeded: samples[x] &>> shift) }
        return UnsafePointer(scratch)
    }

    @inline(__always)
    private static func add(
        _ line: UnsafePointer<UInt8>, to sums: UnsafeMutablePointer<UInt16>, _ count: Int, isFirst: Bool
    ) {
        if isFirst {
            for x in 0..<count { sums[x] = UInt16(line[x]) }
        } else {
            for x in 0..<count { sums[x] &+= UInt16(line[x]) }
        }
    }

    @inline(__always)
    private static func mean(
        _ sums: UnsafePointer<UInt16>, _ factor: Int, into output: UnsafeMutablePointer<UInt8>, _ count: Int
    ) {
        switch factor {
        case 1:
            for x in 0..<count { output[x] = UInt8(truncatingIfNeeded: sums[x]) }
        case 2:
            for x in 0..<count { output[x] = UInt8(truncatingIfNeeded: (sums[2 &* x] &+ sums[2 &* x &+ 1] &+ 2) &>> 2) }
        default:
            let scale = UInt32(65536 / (factor * factor))
            for x in 0..<count {
                var sum: UInt32 = 0
                for part in 0..<factor { sum &+= UInt32(sums[x &* factor &+ part]) }
                output[x] = UInt8(truncatingIfNeeded: min(255, (sum &* scale &+ 32768) &>> 16))
            }
        }
    }
}
