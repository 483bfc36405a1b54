import KinemaMedia

// SAFETY: as for every PixelSource; eight samples are read at once only where the picture has a second column and row.

/// A source of luma between samples and of chroma at the nearest one: the eye of the models is luma.
protocol LumaSource: PixelSource {
    associatedtype Sample: FixedWidthInteger & UnsignedInteger
    var y: Plane<Sample> { get }
    var colours: ColourMatrix { get }

    /// U and V at a position, 0...255.
    func chroma(_ x: Int, _ y: Int) -> (u: UInt16, v: UInt16)
}

extension LumaSource {
    @inline(__always)
    func read(_ x: Int, _ y: Int, into pixel: UnsafeMutablePointer<UInt8>) {
        let (u, v) = chroma(x, y)
        colours.write(self.y.bilinear(x, y), Int32(u), Int32(v), into: pixel)
    }

    @inline(__always)
    func read(_ count: Int, from start: SamplePosition, step: SamplePosition, into pixels: UnsafeMutablePointer<UInt8>)
    {
        var place = start
        var done = 0
        if y.right == 1, y.down != 0 {
            while done &+ 8 <= count {
                readEight(from: place, step: step, into: pixels + 3 &* done)
                place = place + step * 8
                done &+= 8
            }
        }
        while done < count {
            read(place.x, place.y, into: pixels + 3 &* done)
            place = place + step
            done &+= 1
        }
    }

    /// Eight samples: fetched one by one, computed side by side, with the same result as `Plane.bilinear`.
    @inline(__always)
    private func readEight(
        from start: SamplePosition, step: SamplePosition, into pixels: UnsafeMutablePointer<UInt8>
    ) {
        var (top, bottom) = (SIMD8<UInt16>(), SIMD8<UInt16>())
        var (u, v) = (SIMD8<UInt16>(), SIMD8<UInt16>())
        var place = start
        for lane in 0..<8 {
            let corner = y.base + ((place.y &>> 16) &* y.stride &+ (place.x &>> 16))
            top[lane] = y.pair(corner)
            bottom[lane] = y.pair(corner + y.down)
            (u[lane], v[lane]) = chroma(place.x, place.y)
            place = place + step
        }
        let across = SIMD8<UInt16>(truncatingIfNeeded: Self.eight(start.x, step.x))
        let weight = Self.eight(start.y, step.y)
        // At most 255 * 256, which 16 bits hold.
        let upper = (top & 255) &* (256 &- across) &+ (top &>> 8) &* across
        let lower = (bottom & 255) &* (256 &- across) &+ (bottom &>> 8) &* across
        let luma =
            SIMD8<Int32>(truncatingIfNeeded: upper) &* (256 &- weight)
            &+ SIMD8<Int32>(truncatingIfNeeded: lower) &* weight &+ 0x8000
        colours.write(luma &>> 16, u, v, into: pixels)
    }

    /// The weights of the further neighbour at eight positions in a row, 0...255.
    @inline(__always)
    private static func eight(_ start: Int, _ step: Int) -> SIMD8<Int32> {
        let lanes = SIMD8<Int32>(0, 1, 2, 3, 4, 5, 6, 7)
        // Only the lower 16 bits count, so it does not matter when the upper ones overflow.
        let places = lanes &* Int32(truncatingIfNeeded: step) &+ Int32(truncatingIfNeeded: start)
        return (places &>> 8) & 255
    }
}
