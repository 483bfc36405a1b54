/// Where a picture shows what it did not show in the last half second.
struct MovementPicture: Sendable {
    let width: Int
    let height: Int
    /// By how many steps of 255 each pixel leaves the range that it and its neighbours had before.
    var difference: [UInt8]
    /// The standard deviation of the grain, in steps of 255.
    var grain: Double

    /// What differs by more moved: four deviations of the grain; under that of a good sensor the eye, and the encoder,
    /// see nothing either.
    var threshold: UInt8 { UInt8(min(max(4 * grain, 10), 100)) }
}

/// A picture of the past and how far everything has moved since.
struct PastPicture {
    let picture: SmallPicture
    /// Whole pixels, x right, y down.
    let shift: (x: Int, y: Int)
}

extension MovementPicture {
    /// Compares a picture with five past ones, by brightness and by colour: a thing as bright as the wall behind it
    /// seldom has the wall's colour too.
    init(of now: SmallPicture, past: [PastPicture]) {
        self.init(of: now.luma, past: past.map { PastPlane(plane: $0.picture.luma, shift: $0.shift) })
        guard let colors = now.colors, past.allSatisfy({ $0.picture.colors != nil }) else { return }
        func half(_ length: Int) -> Int { Int((Double(length) / 2).rounded()) }
        let shifts = past.map { (x: half($0.shift.x), y: half($0.shift.y)) }
        let blue = zip(past, shifts).compactMap { past, shift in
            past.picture.colors.map { PastPlane(plane: $0.blue, shift: shift) }
        }
        let red = zip(past, shifts).compactMap { past, shift in
            past.picture.colors.map { PastPlane(plane: $0.red, shift: shift) }
        }
        join(MovementPicture(of: colors.blue, past: blue))
        join(MovementPicture(of: colors.red, past: red))
    }
}

// SAFETY: all planes have the same size, which is checked; rows and columns are limited to where every past picture,
// moved by its shift, has samples, and vectors of 16 are read only from rows of at least as many.

private typealias Lanes = SIMD16<UInt8>

/// A plane of the past and how far everything has moved since.
struct PastPlane {
    let plane: PlanePicture
    /// Whole pixels, x right, y down.
    let shift: (x: Int, y: Int)
}

extension MovementPicture {
    /// Compares a picture with five past ones.
    ///
    /// The range is from the second least to the second greatest of the five: what passes a place twice, or passed it
    /// once, does not widen it; and where something stood and went away, what was behind it is nothing new.
    init(of now: PlanePicture, past: [PastPlane]) {
        let (width, height) = (now.width, now.height)
        precondition(past.count == 5 && past.allSatisfy { $0.plane.width == width && $0.plane.height == height })
        self.width = width
        self.height = height
        difference = [UInt8](repeating: 0, count: width * height)
        grain = 0
        let columns = Self.overlap(width, past.map(\.shift.x))
        let rows = Self.overlap(height, past.map(\.shift.y))
        guard columns.count >= Lanes.scalarCount + 2, rows.count > 2 else { return }
        difference.withUnsafeMutableBufferPointer { difference in
            now.pixels.withUnsafeBufferPointer { now in
                guard let out = difference.baseAddress, let now = now.baseAddress else { return }
                Comparison(width: width, columns: columns, rows: rows, now: now, difference: out).run(past)
            }
        }
        grain = Self.grain(now, past[0], columns, rows)
    }

    /// Adds what a plane of half the size shows: each pixel differs by the larger of both, in steps of this one's
    /// threshold.
    mutating func join(_ half: MovementPicture) {
        precondition(2 * half.width <= width && 2 * half.height <= height)
        let scale = UInt32(256 * Int(threshold) / Int(half.threshold))
        let (width, columns) = (width, half.width)
        let doubled = UnsafeMutablePointer<UInt8>.allocate(capacity: 2 * columns)
        defer { doubled.deallocate() }
        difference.withUnsafeMutableBufferPointer { difference in
            half.difference.withUnsafeBufferPointer { coarse in
                guard let fine = difference.baseAddress, let coarse = coarse.baseAddress else { return }
                for row in 0..<half.height {
                    let source = coarse + row &* columns
                    for x in 0..<columns {
                        let value = UInt8(truncatingIfNeeded: min(255, UInt32(source[x]) &* scale &>> 8))
                        doubled[2 &* x] = value
                        doubled[2 &* x &+ 1] = value
                    }
                    for line in [fine + 2 &* row &* width, fine + (2 &* row &+ 1) &* width] {
                        for x in 0..<2 &* columns { line[x] = max(line[x], doubled[x]) }
                    }
                }
            }
        }
    }

    /// The places that exist in all pictures.
    private static func overlap(_ length: Int, _ shifts: [Int]) -> Range<Int> {
        let (low, high) = (max(0, shifts.max() ?? 0), min(length, length + (shifts.min() ?? 0)))
        return low..<max(low, high)
    }

    /// From the median of the differences between two pictures, of which at least half are grain.
    private static func grain(
        _ now: PlanePicture, _ before: PastPlane, _ columns: Range<Int>, _ rows: Range<Int>
    ) -> Double {
        var counts = [Int](repeating: 0, count: 256)
        var total = 0
        let offset = before.shift.y * now.width + before.shift.x
        for y in stride(from: rows.lowerBound, to: rows.upperBound, by: 7) {
            for x in stride(from: columns.lowerBound, to: columns.upperBound, by: 5) {
                let place = y * now.width + x
                counts[abs(Int(now.pixels[place]) - Int(before.plane.pixels[place - offset]))] += 1
                total += 1
            }
        }
        var below = 0
        for (step, count) in counts.enumerated() where count > 0 {
            if 2 * (below + count) >= total {
                // Between whole steps, as if the differences in one were spread evenly.
                let median = Double(step) - 0.5 + (Double(total) / 2 - Double(below)) / Double(count)
                // 1.48 medians are a deviation, and a difference has twice the variance.
                return 1.48 * max(0, median) / 2.0.squareRoot()
            }
            below += count
        }
        return 0
    }
}

/// The loops over all pixels.
private struct Comparison {
    let width: Int
    let columns: Range<Int>
    let rows: Range<Int>
    let now: UnsafePointer<UInt8>
    let difference: UnsafeMutablePointer<UInt8>

    func run(_ past: [PastPlane]) {
        // Three rows of lows, three of highs, and one of each that is being made.
        let room = UnsafeMutablePointer<UInt8>.allocate(capacity: 8 * width)
        room.initialize(repeating: 0, count: 8 * width)
        defer { room.deallocate() }
        let (lows, highs) = (room, room + 3 * width)
        let (low, high) = (room + 6 * width, room + 7 * width)
        for y in rows {
            rank(past, row: y, low, high)
            spread(low, into: lows + (y % 3) * width, Self.lesser)
            spread(high, into: highs + (y % 3) * width, Self.greater)
            if y >= rows.lowerBound + 2 { compare(row: y - 1, lows, highs) }
        }
    }

    @inline(__always)
    private static func lesser(_ a: Lanes, _ b: Lanes) -> Lanes { a.replacing(with: b, where: a .> b) }
    @inline(__always)
    private static func greater(_ a: Lanes, _ b: Lanes) -> Lanes { a.replacing(with: b, where: a .< b) }

    /// Calls with the first column of every 16; the last call may overlap the one before.
    @inline(__always)
    private func chunks(_ columns: Range<Int>, _ body: (Int) -> Void) {
        var x = columns.lowerBound
        while x &+ Lanes.scalarCount <= columns.upperBound {
            body(x)
            x &+= Lanes.scalarCount
        }
        if x < columns.upperBound { body(columns.upperBound &- Lanes.scalarCount) }
    }

    @inline(__always)
    private func load(_ place: UnsafePointer<UInt8>) -> Lanes {
        UnsafeRawPointer(place).loadUnaligned(as: Lanes.self)
    }

    @inline(__always)
    private func store(_ lanes: Lanes, _ place: UnsafeMutablePointer<UInt8>) {
        UnsafeMutableRawPointer(place).storeBytes(of: lanes, as: Lanes.self)
    }

    /// The second least and the second greatest of five.
    private func rank(
        _ past: [PastPlane], row: Int, _ low: UnsafeMutablePointer<UInt8>, _ high: UnsafeMutablePointer<UInt8>
    ) {
        past[0].withRow(row) { first in
            past[1].withRow(row) { second in
                past[2].withRow(row) { third in
                    past[3].withRow(row) { fourth in
                        past[4].withRow(row) { fifth in
                            chunks(columns) { x in
                                let (a, b, c, d) = (
                                    load(first + x), load(second + x), load(third + x), load(fourth + x)
                                )
                                let (one, two) = (Self.lesser(a, b), Self.greater(a, b))
                                let (three, four) = (Self.lesser(c, d), Self.greater(c, d))
                                let (least, most) = (Self.lesser(one, three), Self.greater(two, four))
                                let (p, q) = (Self.greater(one, three), Self.lesser(two, four))
                                let e = load(fifth + x)
                                store(Self.greater(least, Self.lesser(Self.lesser(p, q), e)), low + x)
                                store(Self.lesser(most, Self.greater(Self.greater(p, q), e)), high + x)
                            }
                        }
                    }
                }
            }
        }
    }

    /// Each pixel's and its two neighbours' extreme.
    @inline(__always)
    private func spread(
        _ line: UnsafePointer<UInt8>, into output: UnsafeMutablePointer<UInt8>, _ extreme: (Lanes, Lanes) -> Lanes
    ) {
        chunks(columns.dropFirst().dropLast()) { x in
            store(extreme(extreme(load(line + (x &- 1)), load(line + x)), load(line + (x &+ 1))), output + x)
        }
    }

    private func compare(row: Int, _ lows: UnsafePointer<UInt8>, _ highs: UnsafePointer<UInt8>) {
        let line = now + row &* width
        let out = difference + row &* width
        chunks(columns.dropFirst().dropLast()) { x in
            let low = Self.lesser(
                Self.lesser(load(lows + x), load(lows + (width &+ x))), load(lows + (2 &* width &+ x)))
            let high = Self.greater(
                Self.greater(load(highs + x), load(highs + (width &+ x))), load(highs + (2 &* width &+ x)))
            let value = load(line + x)
            // Beyond the greatest or below the least; at most one of the two is not zero.
            let over = Self.greater(value, high) &- high
            let under = low &- Self.lesser(value, low)
            store(Self.greater(over, under), out + x)
        }
    }
}

extension PastPlane {
    /// A row of the picture as it lies in the newest one.
    @inline(__always)
    fileprivate func withRow(_ row: Int, _ body: (UnsafePointer<UInt8>) -> Void) {
        plane.pixels.withUnsafeBufferPointer { pixels in
            guard let base = pixels.baseAddress else { return }
            body(base + ((row - shift.y) * plane.width - shift.x))
        }
    }
}
