public import Foundation

/// A bag that came onto the board, seen from above.
public struct BagArrival: Sendable, Hashable {
    /// When it came into view over the board, seconds from the first frame.
    public var time: TimeInterval
    /// When it lay still or was gone, seconds.
    public var settled: TimeInterval
    /// `hole` or `board`; `off` for one that went over the edge.
    public var landing: TossLanding
    /// Where it was seen last: normalised, origin at the lower left.
    public var location: CGPoint
}

/// Watches the board from above: each bag that arrives, and whether it stays on the board or is gone through the hole.
///
/// Nothing is known about the bags or the board's print. The board at rest is remembered; what moves is what differs
/// from a tenth of a second ago; once all is still again the board is compared with what it was. Something new with an
/// outline of its own is a bag that stays; nothing new after something came in and vanished inside is one in the hole. A
/// bag at the edge of the hole that is knocked in leaves a change without an outline, and is no arrival.
public struct BoardWatch: Sendable {
    /// The share of the board's face a bag covers: 6 inches square of 48 by 24.
    static let bagShare = 0.031
    /// How far back a frame is compared with, seconds: a bag moves by more than its half.
    static let span = 0.1
    /// How long nothing moves before the board is at rest, seconds.
    static let calm = 0.3
    /// The edge of the picture that is left out, as a share of its shorter side.
    static let margin = 0.04
    /// A change of colour above the noise of cameras and compression, in steps of 255.
    static let contrast: Float = 30

    /// A burst of movement from rest to rest.
    struct Burst: Sendable {
        var start: TimeInterval
        var lastMotion: TimeInterval
        /// The largest moving thing frame by frame, beside what was there at rest.
        var sightings: [(time: TimeInterval, blob: CellBlob)] = []
        /// The largest share of the picture that moved.
        var extent = 0.0
    }

    private var recent: [(time: TimeInterval, grid: ColorGrid)] = []
    private var resting: ColorGrid?
    private var burst: Burst?

    /// Begins without knowing the board.
    public init() {}

    /// Takes the next frame; tells the bags whose arrival became certain with it.
    public mutating func update(_ grid: ColorGrid, at time: TimeInterval) -> [BagArrival] {
        if let last = recent.last, last.grid.columns != grid.columns || last.grid.rows != grid.rows {
            self = BoardWatch()
        }
        recent.append((time, grid))
        recent.removeAll { $0.time < time - Self.calm - 0.05 }
        guard let before = recent.last(where: { $0.time <= time - Self.span + 1e-6 }) else {
            resting = resting ?? grid
            return []
        }
        let motion = moving(from: before.grid, to: grid)
        if motion.cells > Int(0.15 * Self.bagShare * Double(grid.cells.count)) {
            // What is seen now began to move within the span.
            if burst == nil { burst = Burst(start: time, lastMotion: time) }
            note(grid, motion.share, at: time)
            return []
        }
        guard let burst else {
            // Light changes slowly: the board at rest follows it.
            if time - (recent.first?.time ?? time) >= Self.calm * 0.9 { resting = ColorGrid.mean(recent.map(\.grid)) }
            return []
        }
        guard time - burst.lastMotion >= Self.calm else { return [] }
        return end(burst, with: grid)
    }

    /// Ends the watch: a bag that still moves is judged by the last frame.
    public mutating func finish() -> [BagArrival] {
        guard let burst, let last = recent.last else { return [] }
        return end(burst, with: last.grid)
    }

    private func moving(from before: ColorGrid, to now: ColorGrid) -> (cells: Int, share: Double) {
        var mask = now.changes(from: before, above: Self.contrast)
        // What stirs along the picture's edge, feet or the frame of a picture in the picture, is not on the board.
        now.clearMargin(of: &mask, share: Self.margin)
        let largest = CellBlob.all(in: mask, columns: now.columns).first?.cells.count ?? 0
        return (largest, Double(mask.count { $0 }) / Double(mask.count))
    }

    private mutating func note(_ grid: ColorGrid, _ share: Double, at time: TimeInterval) {
        burst?.lastMotion = time
        let extent = max(burst?.extent ?? 0, share)
        burst?.extent = extent
        guard let resting else { return }
        let mask = grid.changes(from: resting, above: Self.contrast)
        if let blob = CellBlob.all(in: mask, columns: grid.columns).first,
            Double(blob.cells.count) > 0.25 * Self.bagShare * Double(mask.count)
        {
            burst?.sightings.append((time, blob))
        }
    }

    private mutating func end(_ burst: Burst, with grid: ColorGrid) -> [BagArrival] {
        defer {
            self.burst = nil
            resting = ColorGrid.mean(recent.filter { $0.time > burst.lastMotion }.map(\.grid)) ?? grid
        }
        // Much more than a bag or two: a hand, a person, another camera.
        guard let resting, burst.extent < 12 * Self.bagShare else { return [] }
        return ArrivalJudge(before: resting, after: grid).judge(burst)
    }
}
