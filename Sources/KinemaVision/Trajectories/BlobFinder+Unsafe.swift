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
