import Foundation

/// Compares the board at rest before and after something came.
struct ArrivalJudge {
    let before: ColorGrid
    let after: ColorGrid

    /// How far inside the picture a bag has to come to have been on the board, as a share of its sides.
    private static let inside = 0.12

    func judge(_ burst: BoardWatch.Burst) -> [BagArrival] {
        let isIn = 0 + Self.inside...1 - Self.inside
        let inner = burst.sightings.filter { isIn.contains($0.blob.x) && isIn.contains($0.blob.y) }
        guard let last = inner.last else { return [] }
        let bag = BoardWatch.bagShare * Double(after.cells.count)
        let stays = StillComparison(before: before, after: after).appeared(atLeast: 0.3 * bag).map { blob in
            BagArrival(
                time: burst.start, settled: burst.lastMotion, landing: .board,
                location: CGPoint(x: blob.x, y: 1 - blob.y))
        }
        // One bag comes at a time; what else is new was pushed there.
        if let bag = stays.first { return [bag] }
        // The last of what moved: at the edge it went on over it.
        let final = burst.sightings.last ?? last
        let left = final.blob.isAtEdge && !(isIn.contains(final.blob.x) && isIn.contains(final.blob.y))
        return [
            BagArrival(
                time: burst.start, settled: burst.lastMotion, landing: left ? .off : .hole,
                location: CGPoint(x: last.blob.x, y: 1 - last.blob.y))
        ]
    }
}
