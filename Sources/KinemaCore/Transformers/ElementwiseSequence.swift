/// A temporal sequence whose elements a transformer changes one by one as they are read.
struct ElementwiseSequence<Base, Change>: TemporalSequence
where Base: TemporalSequence, Change: Transformer, Base.Feature == Change.Input {
    typealias Feature = Change.Output
    typealias Element = TemporalFeature<Change.Output>

    let base: Base
    let transformer: Change
    let eventHandler: EventHandler?

    var count: Int? { base.count }

    func makeAsyncIterator() -> Iterator {
        Iterator(
            base: base.makeAsyncIterator(), transformer: transformer,
            progress: ProgressReporter(origin: Change.self, total: base.count, eventHandler: eventHandler))
    }

    struct Iterator: AsyncIteratorProtocol {
        var base: Base.AsyncIterator
        let transformer: Change
        let progress: ProgressReporter
        var done = 0

        mutating func next() async throws -> TemporalFeature<Change.Output>? {
            guard let element = try await base.next() else { return nil }
            let output = try await transformer.applied(to: element.feature, eventHandler: nil)
            done += 1
            progress.report(done)
            return TemporalFeature(id: element.id, feature: output)
        }
    }
}
