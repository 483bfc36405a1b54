/// A connected region of moving pixels, with its moments.
struct Blob: Sendable {
    var area = 0
    var x = 0.0, y = 0.0, xx = 0.0, yy = 0.0, xy = 0.0
    /// The sums for the centre, weighted by each pixel's difference.
    var weight = 0.0, weightedX = 0.0, weightedY = 0.0
    var left = Int.max, right = Int.min, top = Int.max, bottom = Int.min

    mutating func add(_ other: Blob) {
        area += other.area
        x += other.x
        y += other.y
        xx += other.xx
        yy += other.yy
        xy += other.xy
        weight += other.weight
        weightedX += other.weightedX
        weightedY += other.weightedY
        left = min(left, other.left)
        right = max(right, other.right)
        top = min(top, other.top)
        bottom = max(bottom, other.bottom)
    }

    /// The weighted centre in pixels; the centre of the first pixel is (0, 0).
    var center: SIMD2<Double> { SIMD2(weightedX / weight, weightedY / weight) }

    /// The semi-axes of the ellipse with the same second moments.
    var semiAxes: (long: Double, short: Double) {
        let count = Double(area)
        let (mx, my) = (x / count, y / count)
        // A pixel's square adds a variance of 1/12.
        let (a, b, c) = (xx / count - mx * mx + 1 / 12, xy / count - mx * my, yy / count - my * my + 1 / 12)
        let (mean, half) = ((a + c) / 2, ((a - c) * (a - c) / 4 + b * b).squareRoot())
        return (2 * (mean + half).squareRoot(), 2 * max(mean - half, 1 / 12).squareRoot())
    }

    /// The unions of pairs that may be two sides of one object, such as a lit ball before a grey wall.
    static func unions(of blobs: [Blob]) -> [Blob] {
        let pieces = blobs.filter { $0.area >= 4 }.sorted { $0.left < $1.left }
        guard pieces.count <= maximumPieces else { return [] }
        var unions: [Blob] = []
        for (index, one) in pieces.enumerated() {
            let reach = one.semiAxes.short
            for other in pieces[(index + 1)...] {
                let gap = SIMD2(other.left - one.right, max(other.top - one.bottom, one.top - other.bottom)) &- 1
                let limit = reach + other.semiAxes.short
                if Double(gap.x) > 2 * reach + 1 && Double(gap.x) > limit { break }
                guard Double(max(gap.x, gap.y)) <= limit,
                    one.area <= maximumAreaRatio * other.area, other.area <= maximumAreaRatio * one.area
                else { continue }
                var union = one
                union.add(other)
                unions.append(union)
            }
        }
        return unions
    }

    /// More blobs than this are noise or leaves and are not paired.
    private static let maximumPieces = 128
    /// The maximum ratio of the areas of an object's two sides.
    private static let maximumAreaRatio = 6
}

// SAFETY: rows are read within the picture's size; vectors of 16 are read only if the row has 16 pixels left.

struct BlobFinder {
    private struct Run {
        var row: Int
        var start: Int
        var end: Int
    }

    /// A picture with more runs moves as a whole.
    private static let maximumRuns = 30_000
    /// Pixels at most this far apart are connected, so noise does not split an object.
    private static let gap = 2

    private var runs: [Run] = []
    private var parents: [Int] = []

    /// The blobs above the difference threshold; empty if the whole picture moves.
    static func blobs(in movement: DifferencePicture) -> [Blob] {
        var finder = BlobFinder()
        guard finder.findRuns(movement) else { return [] }
        finder.connectRuns()
        return finder.blobs(of: movement)
    }

    private mutating func findRuns(_ movement: DifferencePicture) -> Bool {
        let threshold = movement.threshold
        let (width, limit) = (movement.width, SIMD16<UInt8>(repeating: threshold))
        return movement.difference.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return false }
            for row in 0..<movement.height {
                let line = base + row &* width
                var open: (start: Int, end: Int)?
                var x = 0
                while x < width {
                    if x &+ 16 <= width {
                        let lanes = UnsafeRawPointer(line + x).loadUnaligned(as: SIMD16<UInt8>.self)
                        if !any(lanes .> limit) {
                            x &+= 16
                            continue
                        }
                    }
                    let end = min(x &+ 16, width)
                    while x < end {
                        if line[x] > threshold {
                            if let run = open, x &- run.end < Self.gap {
                                open = (run.start, x &+ 1)
                            } else {
                                if let run = open { runs.append(Run(row: row, start: run.start, end: run.end)) }
                                open = (x, x &+ 1)
                            }
                        }
                        x &+= 1
                    }
                }
                if let run = open { runs.append(Run(row: row, start: run.start, end: run.end)) }
                if runs.count > Self.maximumRuns { return false }
            }
            return true
        }
    }

    private func root(of run: Int) -> Int {
        var run = run
        while parents[run] != run { run = parents[run] }
        return run
    }

    private mutating func connectRuns() {
        parents = Array(runs.indices)
        var (above, current) = (0, 0)
        for index in runs.indices {
            if runs[index].row != runs[current].row {
                above = runs[index].row == runs[current].row + 1 ? current : index
                current = index
            }
            var other = above
            while other < current {
                defer { other += 1 }
                if runs[other].end < runs[index].start { continue }
                if runs[other].start > runs[index].end { break }
                let (one, two) = (root(of: other), root(of: index))
                let low = min(one, two)
                (parents[one], parents[two]) = (low, low)
                (parents[other], parents[index]) = (low, low)
            }
        }
    }

    private func blobs(of movement: DifferencePicture) -> [Blob] {
        var blobs: [Blob] = []
        var indices = [Int](repeating: -1, count: runs.count)
        for (index, run) in runs.enumerated() {
            let root = root(of: index)
            if indices[root] < 0 {
                indices[root] = blobs.count
                blobs.append(Blob())
            }
            blobs[indices[root]].add(Self.measure(run, movement))
        }
        return blobs
    }

    private static func measure(_ run: Run, _ movement: DifferencePicture) -> Blob {
        var blob = Blob()
        let (count, row) = (Double(run.end - run.start), Double(run.row))
        let (first, last) = (Double(run.start), Double(run.end - 1))
        blob.area = run.end - run.start
        blob.x = count * (first + last) / 2
        blob.y = count * row
        // The sum of squares up to n is n (n + 1) (2n + 1) / 6.
        func squares(_ n: Double) -> Double { n * (n + 1) * (2 * n + 1) / 6 }
        blob.xx = squares(last) - squares(first - 1)
        blob.yy = count * row * row
        blob.xy = blob.x * row
        // The weight is at most twice the threshold, so that the centre does not shift to the side of more contrast.
        let maximum = 2 * Int(movement.threshold)
        var (weight, weighted) = (0, 0)
        let start = run.row * movement.width
        for x in run.start..<run.end {
            let value = min(Int(movement.difference[start + x]), maximum)
            weight += value
            weighted += value * x
        }
        blob.weight = Double(weight)
        blob.weightedX = Double(weighted)
        blob.weightedY = Double(weight) * row
        (blob.left, blob.right, blob.top, blob.bottom) = (run.start, run.end - 1, run.row, run.row)
        return blob
    }
}
