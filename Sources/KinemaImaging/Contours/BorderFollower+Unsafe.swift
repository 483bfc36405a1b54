/// The borders in a binary picture, with their nesting; foreground is 8-connected, background 4-connected. Coordinates
/// are in pixels with the origin at the top left corner of the picture.
struct Borders: Sendable, Equatable, Codable {
    struct Border: Sendable, Equatable, Codable {
        /// Whether the border encloses background (a hole) rather than foreground.
        let isHole: Bool
        /// The index of the directly enclosing border; nil at the top level.
        let parent: Int?
        let points: Range<Int>
    }

    /// The borders in the order of their first pixels, row by row; every border follows its parent.
    var borders: [Border] = []
    /// The corners of all polygons, with the foreground on the left: outer borders run counterclockwise as displayed,
    /// holes clockwise. Each polygon has exactly the area of the pixels it encloses.
    var points: [SIMD2<Float>] = []
}

extension BinaryRaster {
    package var borderCount: Int { BorderFollower.borders(of: self).borders.count }
}

// SAFETY: the margin of background keeps every step inside the raster. `crossings` and `corners` are filled up to their
// counts before they are read. `labels` is written at every crossing before it is read, and read only at crossings. A
// picture has at most one crossing per pixel, a border has at most two corners per crossing, and every crossing is
// passed once. Each function frees the memory it allocates.

/// Follows the borders of a binary picture. The scan order and the rule for parents are those of Suzuki and Abe (1985),
/// "Topological structural analysis of digitized binary images by border following", applied to the lines between
/// pixels. A crossing without a label starts a border; the previous crossing's label gives its parent.
struct BorderFollower {
    struct Trace {
        let isHole: Bool
        let parent: Int32
        let corners: Range<Int>
    }

    private let pixels: UnsafePointer<UInt8>
    private let stride: Int
    /// The border number at each crossing, by the index of the crossing's left pixel; -1 if not yet followed.
    private let labels: UnsafeMutablePointer<Int32>
    private let corners: UnsafeMutablePointer<BorderCorner>
    private var cornerCount = 0
    private var traces: [Trace] = []

    static func borders(of raster: BinaryRaster) -> Borders {
        raster.pixels.withUnsafeBufferPointer { buffer in
            guard let pixels = buffer.baseAddress else { return Borders(borders: [], points: []) }
            let crossings = UnsafeMutablePointer<Int32>.allocate(capacity: buffer.count)
            let labels = UnsafeMutablePointer<Int32>.allocate(capacity: buffer.count)
            defer {
                crossings.deallocate()
                labels.deallocate()
            }
            let count = findCrossings(in: pixels, count: buffer.count, into: crossings, labels: labels)
            let corners = UnsafeMutablePointer<BorderCorner>.allocate(capacity: 2 * count + 1)
            defer { corners.deallocate() }
            var follower = BorderFollower(pixels: pixels, stride: raster.stride, labels: labels, corners: corners)
            follower.follow(crossings, count: count)
            return BorderPolygons.borders(
                of: follower.traces, corners: corners, count: follower.cornerCount, stride: raster.stride)
        }
    }

    private init(
        pixels: UnsafePointer<UInt8>, stride: Int, labels: UnsafeMutablePointer<Int32>,
        corners: UnsafeMutablePointer<BorderCorner>
    ) {
        (self.pixels, self.stride, self.labels, self.corners) = (pixels, stride, labels, corners)
    }

    /// Finds the crossings, pixels that differ from the next, and clears their labels, eight pixels at a time. Rows
    /// meet in their background margins, so the picture is scanned as one row.
    private static func findCrossings(
        in pixels: UnsafePointer<UInt8>, count: Int, into crossings: UnsafeMutablePointer<Int32>,
        labels: UnsafeMutablePointer<Int32>
    ) -> Int {
        var found = 0
        var index = 0
        let raw = UnsafeRawPointer(pixels)
        while index + 9 <= count {
            var differences =
                UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                ^ UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index + 1, as: UInt64.self))
            while differences != 0 {
                let left = index &+ differences.trailingZeroBitCount &>> 3
                crossings[found] = Int32(truncatingIfNeeded: left)
                labels[left] = -1
                found &+= 1
                differences &= differences &- 1
            }
            index &+= 8
        }
        while index + 1 < count {
            if pixels[index] != pixels[index + 1] {
                crossings[found] = Int32(truncatingIfNeeded: index)
                labels[index] = -1
                found += 1
            }
            index += 1
        }
        return found
    }

    private mutating func follow(_ crossings: UnsafeMutablePointer<Int32>, count: Int) {
        var previous: Int32 = -1
        var endOfRow = 0
        for number in 0..<count {
            let crossing = Int(crossings[number])
            if crossing >= endOfRow {
                endOfRow = (crossing / stride + 1) * stride
                previous = -1
            }
            if labels[crossing] < 0 { startBorder(at: crossing, previous: previous) }
            previous = labels[crossing]
        }
    }

    /// Follows a new border from a crossing; `previous` is the label of the row's previous crossing, or -1.
    private mutating func startBorder(at crossing: Int, previous: Int32) {
        let isHole = pixels[crossing] == 1
        let firstCorner = cornerCount
        var parent: Int32 = -1
        if previous >= 0 {
            let known = traces[Int(previous)]
            parent = known.isHole == isHole ? known.parent : previous
        }
        // Outer borders start downwards, on the left side of foreground; holes start upwards, on its right side.
        trace(from: isHole ? crossing : crossing - stride, heading: isHole ? 3 : 1, label: Int32(traces.count))
        traces.append(Trace(isHole: isHole, parent: parent, corners: firstCorner..<cornerCount))
    }

    /// Follows a border once around with the foreground on the left, from a pixel's lower right corner.
    private mutating func trace(from start: Int, heading: Int, label: Int32) {
        let steps = (1, stride, -1, -stride)
        // The pixels ahead of a corner, relative to the pixel at its upper left.
        let leftAhead = (1, stride + 1, stride, 0)
        let rightAhead = (stride + 1, stride, 0, 1)
        var position = start
        var direction = heading
        var next = cornerCount
        repeat {
            // Horizontal steps pass no crossing; their label goes to index 0 in the margin, which is never a crossing.
            let crossing = position &+ (direction == 1 ? stride : 0)
            labels[crossing & (0 &- (direction & 1))] = label
            position &+= Self.pick(steps, direction)
            let left = Int(pixels[position &+ Self.pick(leftAhead, direction)])
            let right = Int(pixels[position &+ Self.pick(rightAhead, direction)])
            // Foreground is connected across corners, so foreground ahead on the right turns right.
            let turn = right &+ (1 &- right) &* (left &- 1)
            direction = (direction &+ turn) & 3
            // Every step is written but only turns are kept: without a branch this is twice as fast.
            corners[next] = BorderCorner(
                position: Int32(truncatingIfNeeded: position), turn: Int8(truncatingIfNeeded: turn),
                direction: UInt8(truncatingIfNeeded: direction))
            next &+= turn & 1
        } while position != start || direction != heading
        cornerCount = next
    }

    @inline(__always)
    private static func pick(_ four: (Int, Int, Int, Int), _ index: Int) -> Int {
        let low = index & 1 == 0 ? four.0 : four.1
        let high = index & 1 == 0 ? four.2 : four.3
        return index & 2 == 0 ? low : high
    }
}

// SAFETY: corners are read within the range of one border; each adds at most two points, for which there is capacity.

struct BorderCorner {
    /// The index of the pixel at its upper left, in the raster with its margin.
    var position: Int32
    /// 1 for a right turn, -1 for a left turn, 0 for a bevelled corner.
    var turn: Int8
    /// The direction after the turn: 0 right, 1 down, 2 left, 3 up.
    var direction: UInt8
}

/// Converts the corners of borders to polygons. Both corners of a stair, a one-pixel step between opposite turns, are
/// bevelled half a pixel before and after: the area stays exact and lengths are as accurate as in eight directions.
enum BorderPolygons {
    static func borders(
        of traces: [BorderFollower.Trace], corners: UnsafeMutablePointer<BorderCorner>, count: Int, stride: Int
    ) -> Borders {
        var borders: [Borders.Border] = []
        borders.reserveCapacity(traces.count)
        let points = [SIMD2<Float>](unsafeUninitializedCapacity: 2 * count) { buffer, filled in
            guard let points = buffer.baseAddress else { return }
            for trace in traces {
                let first = filled
                let polygon = CornerRange(
                    corners: corners + trace.corners.lowerBound, count: trace.corners.count, stride: stride)
                polygon.bevelStairs()
                filled += polygon.write(to: points + first)
                borders.append(
                    Borders.Border(
                        isHole: trace.isHole, parent: trace.parent < 0 ? nil : Int(trace.parent),
                        points: first..<filled))
            }
        }
        return Borders(borders: borders, points: points)
    }

    private struct CornerRange {
        let corners: UnsafeMutablePointer<BorderCorner>
        let count: Int
        let stride: Int

        @inline(__always)
        private func isStep(_ one: BorderCorner, _ next: BorderCorner) -> Bool {
            let distance = abs(next.position &- one.position)
            return one.direction & 1 == 0 ? distance == 1 : distance == Int32(truncatingIfNeeded: stride)
        }

        func bevelStairs() {
            var index = 0
            while index < count {
                let following = index + 1 == count ? 0 : index + 1
                let (one, next) = (corners[index], corners[following])
                // Opposite turns, neither of them bevelled: 1 and -1.
                if one.turn &* next.turn == -1, isStep(one, next) {
                    corners[index].turn = 0
                    corners[following].turn = 0
                    index += 1
                }
                index += 1
            }
        }

        func write(to points: UnsafeMutablePointer<SIMD2<Float>>) -> Int {
            let rowsPerPixel = 1 / Double(stride)
            var written = 0
            var previous = corners[count - 1]
            for index in 0..<count {
                let corner = corners[index]
                // Adding half a pixel avoids rounding errors at the start of a row.
                let row = Int32((Double(corner.position) + 0.5) * rowsPerPixel)
                let column = corner.position &- row &* Int32(truncatingIfNeeded: stride)
                let point = SIMD2(Float(column), Float(row))
                if corner.turn != 0 {
                    points[written] = point
                    written &+= 1
                } else {
                    // Two bevelled corners one step apart share a point, which the first one writes.
                    if previous.turn != 0 || !isStep(previous, corner) {
                        points[written] = point - Self.halfStep(previous.direction)
                        written &+= 1
                    }
                    points[written] = point + Self.halfStep(corner.direction)
                    written &+= 1
                }
                previous = corner
            }
            return written
        }

        @inline(__always)
        private static func halfStep(_ direction: UInt8) -> SIMD2<Float> {
            let length: Float = direction & 2 == 0 ? 0.5 : -0.5
            return direction & 1 == 0 ? SIMD2(length, 0) : SIMD2(0, length)
        }
    }
}
