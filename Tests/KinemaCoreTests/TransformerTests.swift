import Foundation
import KinemaCore
import Synchronization
import Testing

struct Adding: Transformer {
    let amount: Int

    func applied(to input: Int, eventHandler: EventHandler? = nil) -> Int { input + amount }
}

struct Describing: Transformer {
    func applied(to input: Int, eventHandler: EventHandler? = nil) async -> String { "\(input)" }
}

/// Not `Sendable`: holds an object with state.
struct Remembering: Transformer {
    final class Memory { var sum = 0 }
    let memory = Memory()

    func applied(to input: Int, eventHandler: EventHandler? = nil) -> Int {
        memory.sum += input
        return memory.sum
    }
}

struct TransformerTests {
    @Test func `a composition applies the inner transformer first`() async throws {
        let pipeline = Adding(amount: 1).appending(Adding(amount: 2)).appending(Describing())
        #expect(try await pipeline(4) == "7")
        #expect(pipeline.inner.inner.amount == 1)
    }

    @Test func `transformers and temporal transformers append in every order`() async throws {
        let first = Adding(amount: 1).appending(Downsampler<Int>(factor: 2))
        let second = first.appending(Adding(amount: 10))
        let third = second.appending(SlidingWindowTransformer<Int>(stride: 1, length: 2))
        let outer: SlidingWindowTransformer<Int> = third.outer
        #expect(outer.length == 2)
        #expect(try await read(third(Numbers(total: 6))) == [[11, 13], [13, 15]])
    }

    @Test func `a downsampler takes its input type from what is appended`() async throws {
        let pipeline = Downsampler(factor: 3).appending(Describing())
        #expect(try await read(pipeline(Numbers(total: 7))) == ["0", "3", "6"])
    }

    @Test func `transformers that cannot be shared between tasks append as well`() async throws {
        let pipeline = Downsampler(factor: 1).appending(Remembering())
        #expect(try await read(pipeline(Numbers(total: 4))) == [0, 1, 3, 6])
        let head = Remembering().appending(SlidingWindowTransformer<Int>(stride: 2, length: 2))
        #expect(try await read(head(Numbers(total: 4))) == [[0, 1], [3, 6]])
        #expect(try await read(Remembering().adaptedAsTemporal()(Numbers(total: 3))) == [0, 1, 3])
    }

    @Test func `an adapted transformer keeps each element's time`() async throws {
        let adapted: TemporalAdaptor<Adding> = Adding(amount: 5).adaptedAsTemporal()
        let sequence = try await adapted(Numbers(total: 2))
        let result = try await PreprocessedFeatureSequence(sequence)
        #expect(result.features.map(\.feature) == [5, 6])
        #expect(result.features.map(\.id.range) == [0..<1, 1..<2])
        #expect(sequence.count == 2)
    }

    @Test func `many inputs go through in order`() async throws {
        #expect(try await Adding(amount: 1).applied(to: [1, 2, 3]) == [2, 3, 4])
        let sequences = try await Downsampler<Int>(factor: 2)(to: [Numbers(total: 3), Numbers(total: 1)])
        #expect(try await read(sequences[0]) == [0, 2])
        #expect(try await read(sequences[1]) == [0])
    }

    @Test func `calling a transformer is applying it, to sequences too`() async throws {
        let adding = Adding(amount: 1)
        #expect(try await adding([1, 2]) == [2, 3])
        #expect(try await read(adding(Numbers(total: 3))) == [1, 2, 3])
        #expect(try await read(adding.applied(to: Numbers(total: 2))) == [1, 2])
        #expect(try await read(adding.appending(Describing())(Numbers(total: 2))) == ["1", "2"])
    }

    @Test func `both names of the adaptor are one type`() {
        let one: TemporalAdaptor<Adding> = TransformerToTemporalAdaptor(Adding(amount: 1))
        let other: TransformerToTemporalAdaptor<Adding> = TemporalAdaptor(Adding(amount: 2))
        #expect(one.base.amount + other.base.amount == 3)
    }

    @Test func `the event handler hears of every element`() async throws {
        let events = Mutex<[Event]>([])
        let handler: EventHandler = { event in events.withLock { $0.append(event) } }
        let pipeline = Downsampler(factor: 2).appending(Describing())
        _ = try await read(pipeline(Numbers(total: 4), eventHandler: handler))
        let seen = events.withLock { $0.map { "\($0.origin) \($0.itemCount) of \($0.totalItemCount ?? -1)" } }
        #expect(
            seen == ["Downsampler<Int> 1 of 2", "Describing 1 of 2", "Downsampler<Int> 2 of 2", "Describing 2 of 2"])
    }
}
