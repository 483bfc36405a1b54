import KinemaMedia

// SAFETY: as for every PixelSource; several samples are read at once only where the picture has a second column and row,
// and the groups that they are fetched into hold as many as are fetched at once.

/// A source of luma between samples and of chroma at the nearest one: the eye of the models is luma.
protocol LumaSource: PixelSource {
    associatedtype Sample: FixedWidthInteger & UnsignedInteger
    var y: Plane<Sample> { get }
    var colours: ColourMatrix { get }

    /// U and V at a position, 0...255.
    func chroma(_ x: Int, _ y: Int) -> (u: UInt16, v: UInt16)
}

/// What lies around eight positions: two luma samples side by side, the two below, and the nearest chroma.
private struct Neighbours {
    /// As many groups as are fetched before they are computed, so that what was written one by one is not read at once.
    static let groups = 4

    let top: SIMD8<UInt16>, bottom: SIMD8<UInt16>
    let u: SIMD8<UInt16>, v: SIMD8<UInt16>
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
        var done = 0
        if y.right == 1, y.down != 0 {
            withUnsafeTemporaryAllocation(of: Neighbours.self, capacity: Neighbours.groups) { groups in
                // Eight pixels are written as 26 bytes, so one more has to come.
                while done &+ 8 < count {
                    let few = min(Neighbours.groups, (count &- done &- 1) &>> 3)
                    fetch(8 &* few, from: start + step * done, step: step, into: UnsafeMutableRawBufferPointer(groups))
                    for group in 0..<few {
                        blend(groups[group], from: start + step * done, step: step, into: pixels + 3 &* done)
                        done &+= 8
                    }
                }
            }
        }
        while done < count {
            let place = start + step * done
            read(place.x, place.y, into: pixels + 3 &* done)
            done &+= 1
        }
    }

    /// Fetches what lies around each of `count` positions: one by one, for they lie anywhere.
    @inline(__always)
    private func fetch(
        _ count: Int, from start: SamplePosition, step: SamplePosition, into groups: UnsafeMutableRawBufferPointer
    ) {
        guard let base = groups.baseAddress else { return }
        var place = start
        for index in 0..<count {
            let corner = y.base + ((place.y &>> 16) &* y.stride &+ (place.x &>> 16))
            let (u, v) = chroma(place.x, place.y)
            // Each group holds four vectors of eight lanes of two bytes.
            let lane = base + ((index &>> 3) &* 64 &+ (index & 7) &* 2)
            lane.storeBytes(of: y.pair(corner), as: UInt16.self)
            lane.storeBytes(of: y.pair(corner + y.down), toByteOffset: 16, as: UInt16.self)
            lane.storeBytes(of: u, toByteOffset: 32, as: UInt16.self)
            lane.storeBytes(of: v, toByteOffset: 48, as: UInt16.self)
            place = place + step
        }
    }

    /// Computes eight samples side by side in 16 bits: at most 1 of 255 away from `Plane.bilinear`.
    @inline(__always)
    private func blend(
        _ around: Neighbours, from start: SamplePosition, step: SamplePosition,
        into pixels: UnsafeMutablePointer<UInt8>
    ) {
        let across = Self.weights(start.x, step.x)
        // At most 255 * 256, which 16 bits hold; half of it leaves a place for the sign of a difference.
        let upper = ((around.top & 255) &* (256 &- across) &+ (around.top &>> 8) &* across) &>> 1
        let lower = ((around.bottom & 255) &* (256 &- across) &+ (around.bottom &>> 8) &* across) &>> 1
        let top = SIMD8<Int16>(truncatingIfNeeded: upper)
        let way = SIMD8<Int16>(truncatingIfNeeded: lower) &- top
        let down = SIMD8<Int16>(truncatingIfNeeded: Self.weights(start.y, step.y) &<< 7)
        colours.write((top &+ way.upperHalf(ofProductWith: down) &* 2 &+ 64) &>> 7, around.u, around.v, into: pixels)
    }

    /// The weights of the further neighbour at eight positions in a row, 0...255.
    @inline(__always)
    private static func weights(_ start: Int, _ step: Int) -> SIMD8<UInt16> {
        let lanes = SIMD8<UInt16>(0, 1, 2, 3, 4, 5, 6, 7)
        // Only the lower 16 bits count, so it does not matter when the upper ones overflow.
        return (lanes &* UInt16(truncatingIfNeeded: step) &+ UInt16(truncatingIfNeeded: start)) &>> 8
    }
}
