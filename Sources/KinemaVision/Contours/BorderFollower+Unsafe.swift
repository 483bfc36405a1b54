/// The borders of a binary picture: where foreground and background meet, and which border surrounds which.
///
/// Foreground is connected by sides and corners, background by sides only. Corners of polygons are in pixels, the
/// origin at the top left corner of the top left pixel; a pixel's own corners are whole numbers.
struct Borders: Sendable, Equatable {
    /// One border.
    struct Border: Sendable, Equatable {
        /// Whether it surrounds background inside foreground, not foreground inside background.
        let isHole: Bool
        /// The border directly around it, nil for those that nothing surrounds.
        let parent: Int?
        /// Its stretch of `points`.
        let points: Range<Int>
    }

    /// In the order of their first pixels, row by row; a border comes after the one around it.
    var borders: [Border] = []
    /// The polygons' corners, one border after the other.
    ///
    /// The foreground is at the left: seen by the eye, outer borders turn counterclockwise and holes clockwise. A
    /// polygon has exactly the area of the pixels it surrounds.
    var points: [SIMD2<Float>] = []
}

// SAFETY: the margin of background keeps every step inside the raster. `crossings` and `corners` are filled up to their
// counts before they are read; `owners` is written at every crossing before it is read, and read at crossings only. A
// picture has at most one crossing for each pixel, a border at most two corners for each crossing it passes, and every
// crossing is passed once. All memory is freed by the function that took it.

/// Walks along the borders of a binary picture.
///
/// The order of the search and the rule for the parents are those of Suzuki and Abe (1985), "Topological structural
/// analysis of digitized binary images by border following", moved from pixels to the lines between them: where a row
/// crosses from one value to the other, it crosses exactly one border. A crossing without an owner starts a new border;
/// its parent follows from the owner of the crossing before it in the row.
struct BorderFollower {
    /// A border's stretch of the corners.
    struct Walk {
        let isHole: Bool
        let parent: Int32
        let corners: Range<Int>
    }

    private let pixels: UnsafePointer<UInt8>
    private let stride: Int
    /// Whose border a crossing lies on; a crossing is known by the place of its left pixel.
    private let owners: UnsafeMutablePointer<Int32>
    private let corners: UnsafeMutablePointer<BorderCorner>
    private var cornerCount = 0
    private var walks: [Walk] = []

    /// The borders of a picture.
    static func borders(of raster: BinaryRaster) -> Borders {
        raster.pixels.withUnsafeBufferPointer { buffer in
            guard let pixels = buffer.baseAddress else { return Borders(borders: [], points: []) }
            let crossings = UnsafeMutablePointer<Int32>.allocate(capacity: buffer.count)
            let owners = UnsafeMutablePointer<Int32>.allocate(capacity: buffer.count)
            defer {
                crossings.deallocate()
                owners.deallocate()
            }
            let count = find(in: pixels, count: buffer.count, into: crossings, owners: owners)
            let corners = UnsafeMutablePointer<BorderCorner>.allocate(capacity: 2 * count + 1)
            defer { corners.deallocate() }
            var follower = BorderFollower(pixels: pixels, stride: raster.stride, owners: owners, corners: corners)
            follower.follow(crossings, count: count)
            return BorderPolygons.borders(
                of: follower.walks, corners: corners, count: follower.cornerCount, stride: raster.stride)
        }
    }

    private init(
        pixels: UnsafePointer<UInt8>, stride: Int, owners: UnsafeMutablePointer<Int32>,
        corners: UnsafeMutablePointer<BorderCorner>
    ) {
        self.pixels = pixels
        self.stride = stride
        self.owners = owners
        self.corners = corners
    }

    /// Finds where neighbours in a row differ, eight pixels at a time, and leaves those places without an owner.
    private static func find(
        in pixels: UnsafePointer<UInt8>, count: Int, into crossings: UnsafeMutablePointer<Int32>,
        owners: UnsafeMutablePointer<Int32>
    ) -> Int {
        var found = 0
        var place = 0
        let raw = UnsafeRawPointer(pixels)
        // The margins of two rows meet as background, so the whole picture is searched as one row.
        while place + 9 <= count {
            var differences =
                UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt64.self))
                ^ UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: place + 1, as: UInt64.self))
            while differences != 0 {
                let left = place &+ differences.trailingZeroBitCount &>> 3
                crossings[found] = Int32(truncatingIfNeeded: left)
                owners[left] = -1
                found &+= 1
                differences &= differences &- 1
            }
            place &+= 8
        }
        while place + 1 < count {
            if pixels[place] != pixels[place + 1] {
                crossings[found] = Int32(truncatingIfNeeded: place)
                owners[place] = -1
                found += 1
            }
            place += 1
        }
        return found
    }

    private mutating func follow(_ crossings: UnsafeMutablePointer<Int32>, count: Int) {
        var before: Int32 = -1
        var endOfRow = 0
        for index in 0..<count {
            let place = Int(crossings[index])
            if place >= endOfRow {
                endOfRow = (place / stride + 1) * stride
                before = -1
            }
            if owners[place] < 0 { start(at: place, before: before) }
            before = owners[place]
        }
    }

    /// Walks a new border from a crossing; `before` owns the crossing before it in the row, -1 when there is none.
    private mutating func start(at place: Int, before: Int32) {
        let isHole = pixels[place] == 1
        let firstCorner = cornerCount
        var parent: Int32 = -1
        if before >= 0 {
            let known = walks[Int(before)]
            parent = known.isHole == isHole ? known.parent : before
        }
        // Outer borders start downwards at a left side, holes upwards at the right side of what is left of them.
        walk(from: isHole ? place : place - stride, heading: isHole ? 3 : 1, number: Int32(walks.count))
        walks.append(Walk(isHole: isHole, parent: parent, corners: firstCorner..<cornerCount))
    }

    /// Goes once around with the foreground at the left, from a pixel's lower right corner, taking the border for its own.
    private mutating func walk(from start: Int, heading: Int, number: Int32) {
        let steps = (1, stride, -1, -stride)
        // The pixels ahead at a corner, by the place of the pixel up and left of it.
        let leftAhead = (1, stride + 1, stride, 0)
        let rightAhead = (stride + 1, stride, 0, 1)
        var place = start
        var direction = heading
        var next = cornerCount
        repeat {
            // Sideways steps pass no crossing; what they write goes to the margin's corner, which is none.
            let crossing = place &+ (direction == 1 ? stride : 0)
            owners[crossing & (0 &- (direction & 1))] = number
            place &+= Self.pick(steps, direction)
            let left = Int(pixels[place &+ Self.pick(leftAhead, direction)])
            let right = Int(pixels[place &+ Self.pick(rightAhead, direction)])
            // What touches only at the corner belongs together, so foreground ahead at the right turns right.
            let turn = right &+ (1 &- right) &* (left &- 1)
            direction = (direction &+ turn) & 3
            // Written at every step and kept at turns: without a branch it is twice as quick.
            corners[next] = BorderCorner(
                place: Int32(truncatingIfNeeded: place), turn: Int8(truncatingIfNeeded: turn),
                direction: UInt8(truncatingIfNeeded: direction))
            next &+= turn & 1
        } while place != start || direction != heading
        cornerCount = next
    }

    @inline(__always)
    private static func pick(_ four: (Int, Int, Int, Int), _ index: Int) -> Int {
        let low = index & 1 == 0 ? four.0 : four.1
        let high = index & 1 == 0 ? four.2 : four.3
        return index & 2 == 0 ? low : high
    }
}
