import KinemaCore
import KinemaMotion

/// One repetition with the coach's assessment; the JSON of `kinema coach`.
public struct CoachedResult: Codable, Sendable, Hashable {
    /// Seconds in each part of a repetition.
    public struct Tempo: Codable, Sendable, Hashable {
        /// The lowering phase, the pause at the far end, and the lifting phase.
        public var eccentric: Double, pause: Double, concentric: Double
    }

    /// The person's number.
    public var id: Int
    /// The exercise, by name.
    @Nullable public var exercise: String?
    /// The repetition's number for that person, from 1.
    public var number: Int
    /// The start and end, seconds.
    public var start: Double, end: Double
    /// The range as a share of a full repetition's; null if too little is seen.
    @Nullable public var depth: Double?
    /// The seconds each part took.
    public var tempo: Tempo
    /// The smaller side's range as a share of the larger, 0...1; null if a side is not visible.
    @Nullable public var symmetry: Double?
    /// The side that moved, if only one did.
    @Nullable public var side: String?
    /// The faults.
    public var faults: [FaultResult]
    /// How similar it is to a shown exercise, 0...100; absent for other exercises and if too little is seen.
    public var likeness: Double?

    init(_ one: CoachedRepetition, id: Int, number: Int, _ exercise: Exercise?) {
        (self.id, self.number) = (id, number)
        self.exercise = exercise?.name
        start = one.start.rounded(to: 4)
        end = one.end.rounded(to: 4)
        depth = one.depth?.rounded(to: 4)
        tempo = Tempo(
            eccentric: one.tempo.eccentric.rounded(to: 4), pause: one.tempo.pause.rounded(to: 4),
            concentric: one.tempo.concentric.rounded(to: 4))
        symmetry = one.symmetry?.rounded(to: 3)
        side = one.side?.rawValue
        faults = one.faults.map(FaultResult.init)
        likeness = one.likeness?.rounded(to: 1)
    }
}

extension CoachedResult {
    var line: String {
        func percent(_ share: Double) -> String { "\(Int(clamping: share * 100)) %" }
        return "\(start.text(1)) to \(end.text(1)) s, " + (depth.map { "depth \(percent($0)), " } ?? "")
            + "eccentric \(tempo.eccentric.text(1)) pause \(tempo.pause.text(1)) concentric \(tempo.concentric.text(1)) s"
            + (likeness.map { ", likeness \(Int(clamping: $0.rounded()))" } ?? "")
            + (symmetry.map { ", symmetry \(percent($0))" } ?? "") + (side.map { ", \($0) side" } ?? "")
    }
}
