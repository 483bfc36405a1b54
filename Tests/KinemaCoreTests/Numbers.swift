import KinemaCore

/// Elements 0, 1, 2, … at 30 a second, as a file would give them.
struct Numbers: TemporalSequence {
    typealias Feature = Int
    typealias Element = TemporalFeature<Int>

    let total: Int
    var timescale = 30

    var count: Int? { total }

    func makeAsyncIterator() -> Iterator {
        Iterator(total: total, timescale: timescale)
    }

    struct Iterator: AsyncIteratorProtocol {
        let total: Int
        let timescale: Int
        var position = 0

        mutating func next() async -> TemporalFeature<Int>? {
            guard position < total else { return nil }
            defer { position += 1 }
            let id = TemporalSegmentIdentifier(source: "numbers", range: position..<position + 1, timescale: timescale)
            return TemporalFeature(id: id, feature: position)
        }
    }
}

/// Reads a sequence to its end.
func read<S: TemporalSequence>(_ sequence: S) async throws -> [S.Feature] {
    var features: [S.Feature] = []
    for try await element in sequence { features.append(element.feature) }
    return features
}
