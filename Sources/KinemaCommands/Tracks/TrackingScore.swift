import Foundation
import KinemaCore

/// The agreement of tracks with the truth, by the definitions of TrackEval (github.com/JonathonLuiten/TrackEval): HOTA
/// (Luiten et al., "HOTA: A Higher Order Metric for Evaluating Multi-object Tracking", 2021), IDF1 (Ristani et al.,
/// "Performance Measures and a Data Set for Multi-Target, Multi-Camera Tracking", 2016) and CLEAR MOT (Bernardin and
/// Stiefelhagen, "Evaluating Multiple Object Tracking Performance", 2008).
struct TrackingScore: Sendable {
    /// The least similarity of a match, for all measures but HOTA.
    static let threshold = 0.5
    /// The thresholds that HOTA averages over.
    static let alphas = (0..<19).map { 0.05 + 0.05 * Double($0) }

    /// The true and the found people in a frame, and the similarity of each pair, 0...1.
    struct Frame: Sendable {
        var truth, found: [Int]
        /// One row for each true person, with one value for each found.
        var similarity: [[Double]]
    }

    struct Measures: Sendable, Equatable {
        var hota = 0.0, detA = 0.0, assA = 0.0
        var idf1 = 0.0, idPrecision = 0.0, idRecall = 0.0
        var mota = 0.0
        var switches = 0, fragments = 0
        /// Matches, misses and false detections over all frames.
        var matches = 0, misses = 0, surplus = 0

        /// The F1 score of detection: the IDF1 of tracks whose numbers never change.
        var detectionF1: Double {
            let all = Double(2 * matches + misses + surplus)
            return all > 0 ? Double(2 * matches) / all : 0
        }
    }

    struct Person: Sendable, Equatable {
        /// The frames in which the person counts, and those in which the person was found.
        var frames = 0, matched = 0
        var switches = 0, fragments = 0
        var ids: [Int] = []
    }

    private(set) var frames: [Frame] = []

    mutating func add(_ frame: Frame) { frames.append(frame) }

    func evaluate() -> (measures: Measures, people: [Int: Person]) {
        let indexed = IndexedFrames(frames)
        var (measures, people) = clear(indexed)
        identity(indexed, &measures)
        higherOrder(indexed, &measures)
        return (measures, Dictionary(uniqueKeysWithValues: zip(indexed.truthIDs, people)))
    }
}

/// Frames whose people are numbered from 0, and how many frames each is in.
private struct IndexedFrames {
    var frames: [TrackingScore.Frame]
    private(set) var truthIDs: [Int] = []
    private(set) var foundIDs: [Int] = []
    private(set) var truthCounts: [Int] = []
    private(set) var foundCounts: [Int] = []
    /// A row for each true person with a value for each found one.
    var zeros: [[Double]] { .init(repeating: .init(repeating: 0, count: foundIDs.count), count: truthIDs.count) }

    init(_ frames: [TrackingScore.Frame]) {
        self.frames = frames
        var (truth, found): ([Int: Int], [Int: Int]) = ([:], [:])
        for index in frames.indices {
            self.frames[index].truth = frames[index].truth.map { Self.index($0, in: &truth, &truthIDs, &truthCounts) }
            self.frames[index].found = frames[index].found.map { Self.index($0, in: &found, &foundIDs, &foundCounts) }
        }
    }

    private static func index(
        _ id: Int, in known: inout [Int: Int], _ ids: inout [Int], _ counts: inout [Int]
    ) -> Int {
        let index = known[id] ?? ids.count
        if index == ids.count {
            known[id] = index
            ids.append(id)
            counts.append(0)
        }
        counts[index] += 1
        return index
    }
}

extension TrackingScore {
    /// CLEAR MOT: pairs of the frame before hold, the others are chosen by similarity.
    private func clear(_ all: IndexedFrames) -> (Measures, [Person]) {
        var measures = Measures()
        var people = all.truthCounts.map { Person(frames: $0) }
        var last = [Int?](repeating: nil, count: people.count)
        var previous = last
        for frame in all.frames {
            // As TrackEval, a frame with nobody on one side interrupts no track.
            let isOneSided = frame.truth.isEmpty || frame.found.isEmpty
            let pairs = isOneSided ? [] : Self.pairs(of: frame, holding: previous)
            measures.matches += pairs.count
            measures.misses += frame.truth.count - pairs.count
            measures.surplus += frame.found.count - pairs.count
            if isOneSided { continue }
            var current = [Int?](repeating: nil, count: people.count)
            for (person, number) in pairs {
                if let before = last[person], before != number { people[person].switches += 1 }
                if previous[person] == nil, people[person].matched > 0 { people[person].fragments += 1 }
                if last[person] != number { people[person].ids.append(all.foundIDs[number]) }
                people[person].matched += 1
                (last[person], current[person]) = (number, number)
            }
            previous = current
        }
        measures.switches = people.reduce(0) { $0 + $1.switches }
        measures.fragments = people.reduce(0) { $0 + $1.fragments }
        let total = measures.matches + measures.misses
        let errors = measures.surplus + measures.switches
        measures.mota = Double(measures.matches - errors) / Double(max(1, total))
        return (measures, people)
    }

    private static func pairs(of frame: Frame, holding previous: [Int?]) -> [(person: Int, number: Int)] {
        let values = zip(frame.truth, frame.similarity).map { person, row in
            zip(frame.found, row).map { number, similarity in
                similarity < threshold - .ulpOfOne ? 0 : (previous[person] == number ? 1000 : 0) + similarity
            }
        }
        return Assignment.maximumValue(values).enumerated().compactMap { row, column in
            column.map { (frame.truth[row], frame.found[$0]) }
        }
    }

    /// IDF1: one number for each person over the whole recording, so that most frames agree.
    private func identity(_ all: IndexedFrames, _ measures: inout Measures) {
        var shared = all.zeros
        for frame in all.frames {
            for (person, row) in zip(frame.truth, frame.similarity) {
                for (number, similarity) in zip(frame.found, row) where similarity >= Self.threshold {
                    shared[person][number] += 1
                }
            }
        }
        let pairs = Assignment.maximumValue(shared)
        let hits = zip(shared, pairs).reduce(0) { sum, pair in sum + (pair.1.map { pair.0[$0] } ?? 0) }
        let (real, found) = (all.truthCounts.reduce(0, +), all.foundCounts.reduce(0, +))
        measures.idRecall = hits / Double(max(1, real))
        measures.idPrecision = hits / Double(max(1, found))
        measures.idf1 = 2 * hits / Double(max(1, real + found))
    }

    /// HOTA: the geometric mean of detection and association, averaged over the thresholds.
    private func higherOrder(_ all: IndexedFrames, _ measures: inout Measures) {
        let alignment = alignment(all)
        var counts = [[[Double]]](repeating: all.zeros, count: Self.alphas.count)
        var hits = [Int](repeating: 0, count: Self.alphas.count)
        for frame in all.frames where !frame.truth.isEmpty && !frame.found.isEmpty {
            let values = zip(frame.truth, frame.similarity).map { person, row in
                zip(frame.found, row).map { alignment[person][$0] * $1 }
            }
            for case (let row, let column?) in Assignment.maximumValue(values).enumerated() {
                let similarity = frame.similarity[row][column]
                for (index, alpha) in Self.alphas.enumerated() where similarity >= alpha - .ulpOfOne {
                    counts[index][frame.truth[row]][frame.found[column]] += 1
                    hits[index] += 1
                }
            }
        }
        let total = all.truthCounts.reduce(0, +) + all.foundCounts.reduce(0, +)
        for index in Self.alphas.indices {
            let detection = Double(hits[index]) / Double(max(1, total - hits[index]))
            let association = association(counts[index], all) / Double(max(1, hits[index]))
            measures.detA += detection / Double(Self.alphas.count)
            measures.assA += association / Double(Self.alphas.count)
            measures.hota += (detection * association).squareRoot() / Double(Self.alphas.count)
        }
    }

    /// The sum over all hits of the share of frames in which the same two belong together.
    private func association(_ counts: [[Double]], _ all: IndexedFrames) -> Double {
        var sum = 0.0
        for (person, row) in counts.enumerated() {
            for (number, count) in row.enumerated() where count > 0 {
                sum += count * count / max(1, Double(all.truthCounts[person] + all.foundCounts[number]) - count)
            }
        }
        return sum
    }

    /// The agreement of each person and each number over the whole recording, before they are paired.
    private func alignment(_ all: IndexedFrames) -> [[Double]] {
        var potential = all.zeros
        for frame in all.frames {
            let columns = frame.found.indices.map { column in frame.similarity.reduce(0) { $0 + $1[column] } }
            for (person, row) in zip(frame.truth, frame.similarity) {
                let sum = row.reduce(0, +)
                for (column, similarity) in row.enumerated() where similarity > 0 {
                    potential[person][frame.found[column]] += similarity / (columns[column] + sum - similarity)
                }
            }
        }
        for person in potential.indices {
            for number in potential[person].indices {
                let shared = potential[person][number]
                potential[person][number] =
                    shared / (Double(all.truthCounts[person] + all.foundCounts[number]) - shared)
            }
        }
        return potential
    }
}
