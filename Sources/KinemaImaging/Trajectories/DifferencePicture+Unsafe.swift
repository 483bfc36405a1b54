/// The difference of a picture from the background of the last half second.
struct DifferencePicture: Sendable {
    let width: Int
    let height: Int
    /// The levels of 255 by which each pixel is outside the range of the background there and at its neighbours.
    var difference: [UInt8]
    /// The standard deviation of the noise, in levels of 255.
    var noise: Double

    /// The minimum difference of a moving pixel: four deviations of the noise, but at least a visible level.
    var threshold: UInt8 { UInt8(min(max(4 * noise, 10), 100)) }
}

/// A past picture, or a plane of it, and the camera's shift since.
struct Background<Picture> {
    let picture: Picture
    /// The shift in whole pixels, x right, y down.
    let shift: (x: Int, y: Int)
}

extension DifferencePicture {
    /// Compares a picture with five past ones, by brightness and colour.
    init(of now: ReducedFrame, past: [Background<ReducedFrame>]) {
        self.init(of: now.luma, past: past.map { Background(picture: $0.picture.luma, shift: $0.shift) })
        guard let colors = now.colors, past.allSatisfy({ $0.picture.colors != nil }) else { return }
        func half(_ length: Int) -> Int { Int((Double(length) / 2).rounded()) }
        let shifts = past.map { (x: half($0.shift.x), y: half($0.shift.y)) }
        let blue = zip(past, shifts).compactMap { past, shift in
            past.picture.colors.map { Background(picture: $0.blue, shift: shift) }
        }
        let red = zip(past, shifts).compactMap { past, shift in
            past.picture.colors.map { Background(picture: $0.red, shift: shift) }
        }
        combine(with: DifferencePicture(of: colors.blue, past: blue))
        combine(with: DifferencePicture(of: colors.red, past: red))
    }
}

// SAFETY: all planes have the same size, which is checked. Rows and columns are limited to where every shifted past
// picture has samples, and vectors of 16 are read only from rows of at least 16 samples.

private typealias Lanes = SIMD16<UInt8>

extension DifferencePicture {
    /// Compares a plane with five past ones. The background ranges from their second lowest to their second highest
    /// value, so an object that passes once neither widens the range nor leaves new background.
    init(of now: PlanePicture, past: [Background<PlanePicture>]) {
        let (width, height) = (now.width, now.height)
        precondition(past.count == 5 && past.allSatisfy { $0.picture.width == width && $0.picture.height == height })
        (self.width, self.height) = (width, height)
        difference = [UInt8](repeating: 0, count: width * height)
        noise = 0
        let columns = Self.overlap(width, past.map(\.shift.x))
        let rows = Self.overlap(height, past.map(\.shift.y))
        guard columns.count >= Lanes.scalarCount + 2, rows.count > 2 else { return }
        difference.withUnsafeMutableBufferPointer { difference in
            now.pixels.withUnsafeBufferPointer { now in
                guard let out = difference.baseAddress, let now = now.baseAddress else { return }
                Comparison(width: width, columns: columns, rows: rows, now: now, difference: out).run(past)
            }
        }
        noise = Self.noise(now, past[0], columns, rows)
    }

    /// Combines the differences with those of a plane of half the size, by their maximum relative to the thresholds.
    mutating func combine(with half: DifferencePicture) {
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
                    let upper = fine + 2 &* row &* width
                    for line in [upper, upper + width] {
                        for x in 0..<2 &* columns { line[x] = max(line[x], doubled[x]) }
                    }
                }
            }
        }
    }

    /// The range of positions that exist in all shifted pictures.
    private static func overlap(_ length: Int, _ shifts: [Int]) -> Range<Int> {
        let (low, high) = (max(0, shifts.max() ?? 0), min(length, length + (shifts.min() ?? 0)))
        return low..<max(low, high)
    }

    /// The noise from the median difference of two pictures; at least half of the pixels must be static.
    private static func noise(
        _ now: PlanePicture, _ before: Background<PlanePicture>, _ columns: Range<Int>, _ rows: Range<Int>
    ) -> Double {
        var counts = [Int](repeating: 0, count: 256)
        var total = 0
        let offset = before.shift.y * now.width + before.shift.x
        for y in stride(from: rows.lowerBound, to: rows.upperBound, by: 7) {
            for x in stride(from: columns.lowerBound, to: columns.upperBound, by: 5) {
                let index = y * now.width + x
                counts[abs(Int(now.pixels[index]) - Int(before.picture.pixels[index - offset]))] += 1
                total += 1
            }
        }
        var below = 0
        for (step, count) in counts.enumerated() where count > 0 {
            if 2 * (below + count) >= total {
                // The median is interpolated between whole levels.
                let median = Double(step) - 0.5 + (Double(total) / 2 - Double(below)) / Double(count)
                // A deviation is 1.48 medians, and a difference has twice the variance.
                return 1.48 * max(0, median) / 2.0.squareRoot()
            }
            below += count
        }
        return 0
    }
}

private struct Comparison {
    let width: Int
    let columns: Range<Int>
    let rows: Range<Int>
    let now: UnsafePointer<UInt8>
    let difference: UnsafeMutablePointer<UInt8>

    func run(_ past: [Background<PlanePicture>]) {
        // Ring buffers of three rows each for lows and highs, and one row of each before widening.
        let scratch = UnsafeMutablePointer<UInt8>.allocate(capacity: 8 * width)
        scratch.initialize(repeating: 0, count: 8 * width)
        defer { scratch.deallocate() }
        let (lows, highs) = (scratch, scratch + 3 * width)
        let (low, high) = (scratch + 6 * width, scratch + 7 * width)
        for y in rows {
            findRange(past, row: y, low, high)
            widen(low, into: lows + (y % 3) * width, Self.lesser)
            widen(high, into: highs + (y % 3) * width, Self.greater)
            if y >= rows.lowerBound + 2 { compare(row: y - 1, lows, highs) }
        }
    }

    @inline(__always)
    private static func lesser(_ a: Lanes, _ b: Lanes) -> Lanes { a.replacing(with: b, where: a .> b) }
    @inline(__always)
    private static func greater(_ a: Lanes, _ b: Lanes) -> Lanes { a.replacing(with: b, where: a .< b) }

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
    private func load(_ pixels: UnsafePointer<UInt8>) -> Lanes {
        UnsafeRawPointer(pixels).loadUnaligned(as: Lanes.self)
    }

    @inline(__always)
    private func store(_ lanes: Lanes, _ pixels: UnsafeMutablePointer<UInt8>) {
        UnsafeMutableRawPointer(pixels).storeBytes(of: lanes, as: Lanes.self)
    }

    /// Finds the second lowest and the second highest of five values.
    private func findRange(
        _ past: [Background<PlanePicture>], row: Int, _ low: UnsafeMutablePointer<UInt8>,
        _ high: UnsafeMutablePointer<UInt8>
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

    /// Replaces each pixel by the extreme of itself and its two neighbours.
    @inline(__always)
    private func widen(
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
            let over = Self.greater(value, high) &- high
            let under = low &- Self.lesser(value, low)
            store(Self.greater(over, under), out + x)
        }
    }
}

extension Background<PlanePicture> {
    @inline(__always)
    fileprivate func withRow(_ row: Int, _ body: (UnsafePointer<UInt8>) -> Void) {
        picture.pixels.withUnsafeBufferPointer { pixels in
            guard let base = pixels.baseAddress else { return }
            body(base + ((row - shift.y) * picture.width - shift.x))
        }
    }
}

// SAFETY: both planes have `width * height` bytes; rows and columns are limited to positions that exist in both.

/// A map of recent motion: 255 where a pixel moves now, fading to 0.
struct RecentMotionMap: Sendable {
    private(set) var width = 0
    private(set) var height = 0
    /// The recency of the last motion, one byte per pixel.
    private(set) var recency: [UInt8] = []

    /// Adds a frame's motion; `fade` is subtracted from older motion, `shift` is the camera's since the previous frame.
    mutating func update(_ movement: DifferencePicture, fade: UInt8, shift: (x: Int, y: Int)) {
        let threshold = movement.threshold
        if (width, height) != (movement.width, movement.height) {
            (width, height) = (movement.width, movement.height)
            recency = [UInt8](repeating: 0, count: width * height)
        }
        // Without a shift the map is updated in place.
        let isShifted = shift != (0, 0)
        let before = isShifted ? recency : []
        if isShifted { recency = [UInt8](repeating: 0, count: width * height) }
        let columns = max(0, shift.x)..<max(max(0, shift.x), min(width, width + shift.x))
        recency.withUnsafeMutableBufferPointer { output in
            before.withUnsafeBufferPointer { before in
                movement.difference.withUnsafeBufferPointer { difference in
                    guard let output = output.baseAddress, let difference = difference.baseAddress else { return }
                    let source = isShifted ? before.baseAddress ?? UnsafePointer(output) : UnsafePointer(output)
                    for row in max(0, shift.y)..<max(max(0, shift.y), min(height, height + shift.y)) {
                        let start = row * width
                        Self.fade(
                            source + (start - shift.y * width - shift.x), difference + start, output + start, columns,
                            threshold, fade)
                    }
                }
            }
        }
    }

    @inline(__always)
    private static func fade(
        _ source: UnsafePointer<UInt8>, _ difference: UnsafePointer<UInt8>, _ output: UnsafeMutablePointer<UInt8>,
        _ columns: Range<Int>, _ threshold: UInt8, _ fade: UInt8
    ) {
        typealias Lanes = SIMD16<UInt8>
        let (limit, step) = (Lanes(repeating: threshold), Lanes(repeating: fade))
        var x = columns.lowerBound
        while x &+ 16 <= columns.upperBound {
            let old = UnsafeRawPointer(source + x).loadUnaligned(as: Lanes.self)
            let change = UnsafeRawPointer(difference + x).loadUnaligned(as: Lanes.self)
            let faded = old.replacing(with: step, where: old .< step) &- step
            let fresh = faded.replacing(with: 255, where: change .> limit)
            UnsafeMutableRawPointer(output + x).storeBytes(of: fresh, as: Lanes.self)
            x &+= 16
        }
        while x < columns.upperBound {
            output[x] = difference[x] > threshold ? 255 : source[x] > fade ? source[x] &- fade : 0
            x &+= 1
        }
    }

    func count(columns: Range<Int>, rows: Range<Int>) -> Int {
        recency.withUnsafeBufferPointer { recency in
            var count = 0
            for row in rows {
                let start = row * width
                for column in columns where recency[start + column] > 0 { count += 1 }
            }
            return count
        }
    }
}
