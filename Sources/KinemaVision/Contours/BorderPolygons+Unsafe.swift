// SAFETY: corners are read within the stretch of one border; each adds at most two points, for which there is room.

/// Where a border turns.
struct BorderCorner {
    /// The pixel up and left of it, counted through the rows of the raster with its margin.
    var place: Int32
    /// 1 to the right, -1 to the left, 0 for a corner that was cut off.
    var turn: Int8
    /// The way on: 0 right, 1 down, 2 left, 3 up.
    var direction: UInt8
}

/// Makes polygons of borders' corners.
///
/// Slanted edges are staircases of pixels. A stair is one pixel long between two opposite turns; there both corners
/// are cut off, half a pixel before and after. A cut adds an eighth of a pixel at one of the two and takes as much at
/// the other, so the area stays exactly that of the pixels, while lengths come as close as steps in eight directions
/// can. Every other corner stays, so an upright rectangle has four.
enum BorderPolygons {
    static func borders(
        of walks: [BorderFollower.Walk], corners: UnsafeMutablePointer<BorderCorner>, count: Int, stride: Int
    ) -> Borders {
        var borders: [Borders.Border] = []
        borders.reserveCapacity(walks.count)
        let points = [SIMD2<Float>](unsafeUninitializedCapacity: 2 * count) { buffer, filled in
            guard let points = buffer.baseAddress else { return }
            for walk in walks {
                let first = filled
                let stretch = Stretch(
                    corners: corners + walk.corners.lowerBound, count: walk.corners.count, stride: stride)
                stretch.cut()
                filled += stretch.write(to: points + first)
                borders.append(
                    Borders.Border(
                        isHole: walk.isHole, parent: walk.parent < 0 ? nil : Int(walk.parent), points: first..<filled))
            }
        }
        return Borders(borders: borders, points: points)
    }

    /// One border's corners.
    private struct Stretch {
        let corners: UnsafeMutablePointer<BorderCorner>
        let count: Int
        let stride: Int

        /// Whether the way from one corner to the next is a single step.
        @inline(__always)
        private func isStep(_ one: BorderCorner, _ next: BorderCorner) -> Bool {
            let way = abs(next.place &- one.place)
            return one.direction & 1 == 0 ? way == 1 : way == Int32(truncatingIfNeeded: stride)
        }

        /// Cuts both corners of every stair whose corners still stand.
        func cut() {
            var index = 0
            while index < count {
                let following = index + 1 == count ? 0 : index + 1
                let (one, next) = (corners[index], corners[following])
                // Opposite and not cut: 1 and -1.
                if one.turn &* next.turn == -1, isStep(one, next) {
                    corners[index].turn = 0
                    corners[following].turn = 0
                    index += 1
                }
                index += 1
            }
        }

        /// Writes the polygon and returns how many points it has.
        func write(to points: UnsafeMutablePointer<SIMD2<Float>>) -> Int {
            let rowsPerPlace = 1 / Double(stride)
            var written = 0
            var before = corners[count - 1]
            for index in 0..<count {
                let corner = corners[index]
                // Half a place more keeps rounding away from the row's edge.
                let row = Int32((Double(corner.place) + 0.5) * rowsPerPlace)
                let column = corner.place &- row &* Int32(truncatingIfNeeded: stride)
                let point = SIMD2(Float(column), Float(row))
                if corner.turn != 0 {
                    points[written] = point
                    written &+= 1
                } else {
                    // Between two cut corners one step apart lies one point, written by the first of the two.
                    if before.turn != 0 || !isStep(before, corner) {
                        points[written] = point - Self.half(before.direction)
                        written &+= 1
                    }
                    points[written] = point + Self.half(corner.direction)
                    written &+= 1
                }
                before = corner
            }
            return written
        }

        @inline(__always)
        private static func half(_ direction: UInt8) -> SIMD2<Float> {
            let length: Float = direction & 2 == 0 ? 0.5 : -0.5
            return direction & 1 == 0 ? SIMD2(length, 0) : SIMD2(0, length)
        }
    }
}
