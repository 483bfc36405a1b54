@testable import KinemaImaging

/// Counts the connected areas of a binary picture by flooding: the slow and plain way, for comparison.
struct ConnectedAreas {
    /// Areas of foreground, joined by sides and corners.
    private(set) var foreground = 0
    /// Areas of background that do not reach beyond the picture, joined by sides.
    private(set) var holes = 0

    init(_ raster: BinaryRaster) {
        // The margin is part of the picture here, so that everything outside is one area.
        let (width, height) = (raster.width + 2, raster.height + 2)
        var isSeen = [Bool](repeating: false, count: width * height)
        for start in isSeen.indices where !isSeen[start] {
            let value = raster.pixels[start]
            if value == 1 { foreground += 1 } else if start > 0 { holes += 1 }
            isSeen[start] = true
            var open = [start]
            while let place = open.popLast() {
                for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
                    guard value == 1 || dx == 0 || dy == 0 else { continue }
                    let (x, y) = (place % width + dx, place / width + dy)
                    guard (0..<width).contains(x), (0..<height).contains(y) else { continue }
                    let next = y * width + x
                    guard !isSeen[next], raster.pixels[next] == value else { continue }
                    isSeen[next] = true
                    open.append(next)
                }
            }
        }
    }
}
