package import Foundation

struct CellBlob: Sendable {
    var cells: [Int]
    /// The centroid as a share of the grid's width and height, from the upper left.
    var x: Double, y: Double
    var isAtEdge: Bool

    /// The connected groups of true cells, largest first.
    static func all(in mask: [Bool], columns: Int) -> [CellBlob] {
        let rows = mask.count / max(columns, 1)
        var seen = [Bool](repeating: false, count: mask.count)
        var blobs: [CellBlob] = []
        for start in mask.indices where mask[start] && !seen[start] {
            var cells = [start]
            seen[start] = true
            var next = 0
            while next < cells.count {
                let (row, column) = (cells[next] / columns, cells[next] % columns)
                next += 1
                for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, 1), (-1, 1), (1, -1)] {
                    let (x, y) = (column + dx, row + dy)
                    guard x >= 0, y >= 0, x < columns, y < rows else { continue }
                    let cell = y * columns + x
                    if mask[cell], !seen[cell] {
                        seen[cell] = true
                        cells.append(cell)
                    }
                }
            }
            blobs.append(CellBlob(cells, columns: columns, rows: rows))
        }
        return blobs.sorted { $0.cells.count > $1.cells.count }
    }

    private init(_ cells: [Int], columns: Int, rows: Int) {
        self.cells = cells
        let count = Double(cells.count)
        x = cells.reduce(0) { $0 + Double($1 % columns) + 0.5 } / count / Double(columns)
        y = cells.reduce(0) { $0 + Double($1 / columns) + 0.5 } / count / Double(rows)
        isAtEdge = cells.contains { cell in
            let (row, column) = (cell / columns, cell % columns)
            return row == 0 || column == 0 || row == rows - 1 || column == columns - 1
        }
    }
}

/// A bag that arrived on the board, seen from above.
package struct BagArrival: Sendable, Hashable {
    /// The times of coming into view, and of coming to rest or disappearing, in seconds from the first frame.
    package var time: TimeInterval, settled: TimeInterval
    /// `hole` or `board`; `off` when it slid over the edge.
    package var landing: TossLanding
    /// The last sighting: normalised, origin at the lower left.
    package var location: CGPoint
}

/// Detects the bags that arrive on a board filmed from above, and whether each stays or drops through the hole.
///
/// It finds motion by comparing each frame with one a tenth of a second earlier. At rest again, it compares the board
/// with its earlier state: something new with its own outline is a bag that stayed; something that came in and vanished
/// went through the hole. A bag knocked in from the edge leaves no outline and does not count.
package struct BagArrivalDetector: Sendable {
    /// The share of the board's face that a bag covers: 6 inches square of 48 by 24.
    static let bagShare = 0.031
    /// The age of the frame that each frame is compared with, in seconds: a bag moves by more than half its width.
    static let span = 0.1
    /// The time without motion after which the board counts as at rest, in seconds.
    static let calm = 0.3
    /// The width of the ignored border, as a share of the picture's shorter side.
    static let margin = 0.04
    /// The smallest change of colour above camera and compression noise, in steps of 255.
    static let contrast: Float = 30

    /// Motion between two moments of rest.
    struct Burst: Sendable {
        var start: TimeInterval
        var lastMotion: TimeInterval
        /// The largest object in each frame that was not there at rest.
        var sightings: [CellBlob] = []
        /// The largest share of the picture that moved in a frame.
        var extent = 0.0
    }

    private var recent: [(time: TimeInterval, grid: ColorGrid)] = []
    private var resting: ColorGrid?
    private var burst: Burst?

    package init() {}

    package mutating func update(_ grid: ColorGrid, at time: TimeInterval) -> [BagArrival] {
        if let last = recent.last, last.grid.columns != grid.columns || last.grid.rows != grid.rows {
            self = BagArrivalDetector()
        }
        recent.append((time, grid))
        recent.removeAll { $0.time < time - Self.calm - 0.05 }
        guard let before = recent.last(where: { $0.time <= time - Self.span + 1e-6 }) else {
            resting = resting ?? grid
            return []
        }
        let motion = moving(from: before.grid, to: grid)
        if motion.cells > Int(0.15 * Self.bagShare * Double(grid.cells.count)) {
            // Whatever moves now started within the span.
            if burst == nil { burst = Burst(start: time, lastMotion: time) }
            record(grid, motion.share, at: time)
            return []
        }
        guard let burst else {
            // Light changes slowly: the reference image follows it.
            if time - (recent.first?.time ?? time) >= Self.calm * 0.9 { resting = ColorGrid.mean(recent.map(\.grid)) }
            return []
        }
        guard time - burst.lastMotion >= Self.calm else { return [] }
        return end(burst, with: grid)
    }

    /// Ends the stream; a bag that still moves is classified by the last frame.
    package mutating func finish() -> [BagArrival] {
        guard let burst, let last = recent.last else { return [] }
        return end(burst, with: last.grid)
    }

    private func moving(from before: ColorGrid, to now: ColorGrid) -> (cells: Int, share: Double) {
        var mask = now.changes(from: before, above: Self.contrast)
        // Motion along the picture's edge, such as feet or the frame of a picture-in-picture, is not on the board.
        now.clearMargin(of: &mask, share: Self.margin)
        let largest = CellBlob.all(in: mask, columns: now.columns).first?.cells.count ?? 0
        return (largest, Double(mask.count { $0 }) / Double(mask.count))
    }

    private mutating func record(_ grid: ColorGrid, _ share: Double, at time: TimeInterval) {
        burst?.lastMotion = time
        let extent = max(burst?.extent ?? 0, share)
        burst?.extent = extent
        guard let resting else { return }
        let mask = grid.changes(from: resting, above: Self.contrast)
        if let blob = CellBlob.all(in: mask, columns: grid.columns).first,
            Double(blob.cells.count) > 0.25 * Self.bagShare * Double(mask.count)
        {
            burst?.sightings.append(blob)
        }
    }

    private mutating func end(_ burst: Burst, with grid: ColorGrid) -> [BagArrival] {
        defer {
            self.burst = nil
            resting = ColorGrid.mean(recent.filter { $0.time > burst.lastMotion }.map(\.grid)) ?? grid
        }
        // Far more than a bag or two moved: a hand, a person or another camera.
        guard let resting, burst.extent < 12 * Self.bagShare else { return [] }
        return arrival(burst, before: resting, after: grid).map { [$0] } ?? []
    }

    /// The part of the picture that a bag on the board must reach, as shares of each side.
    private static let inside = 0.12...0.88

    /// Classifies an arrival by comparing the board at rest before and after it.
    private func arrival(_ burst: Burst, before: ColorGrid, after: ColorGrid) -> BagArrival? {
        func isInside(_ blob: CellBlob) -> Bool { Self.inside.contains(blob.x) && Self.inside.contains(blob.y) }
        func arrival(_ landing: TossLanding, _ blob: CellBlob) -> BagArrival {
            BagArrival(
                time: burst.start, settled: burst.lastMotion, landing: landing,
                location: CGPoint(x: blob.x, y: 1 - blob.y))
        }
        guard let final = burst.sightings.last, let last = burst.sightings.last(where: isInside) else { return nil }
        let bag = Self.bagShare * Double(after.cells.count)
        // Bags arrive one at a time; anything else that is new was pushed there.
        if let stayed = SceneChange(before: before, after: after).newObjects(atLeast: 0.3 * bag).first {
            return arrival(.board, stayed)
        }
        // If it was last seen at the edge, it slid over it.
        return arrival(final.isAtEdge && !isInside(final) ? .off : .hole, last)
    }
}
