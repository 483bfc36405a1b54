import Testing

@testable import KinemaCore

struct TemporalStepTests {
    @Test(arguments: [(1, [0, 1, 2, 3, 4, 5, 6]), (2, [0, 2, 4, 6]), (3, [0, 3, 6]), (7, [0]), (9, [0])])
    func `a downsampler keeps the first of each group`(factor: Int, kept: [Int]) async throws {
        let sequence = try await Downsampler<Int>(factor: factor)(Numbers(total: 7))
        #expect(try await read(sequence) == kept)
        #expect(sequence.count == kept.count)
    }

    @Test(arguments: [
        (5, 2, 3, [[0, 1, 2], [2, 3, 4]]),
        (6, 2, 3, [[0, 1, 2], [2, 3, 4]]),
        (8, 3, 2, [[0, 1], [3, 4], [6, 7]]),
        (3, 1, 1, [[0], [1], [2]]),
        (2, 1, 3, []),
    ])
    func `windows are full and begin every stride`(total: Int, stride: Int, length: Int, windows: [[Int]]) async throws
    {
        let sequence = try SlidingWindowTransformer<Int>(stride: stride, length: length)
            .applied(to: Numbers(total: total))
        #expect(try await read(sequence) == windows)
        #expect(sequence.count == windows.count)
    }

    @Test func `a window's time spans its elements in the first one's time scale`() async throws {
        let windows = try await PreprocessedFeatureSequence(
            SlidingWindowTransformer<Int>(stride: 2, length: 4).applied(to: Numbers(total: 6)))
        #expect(windows.features.map(\.id.range) == [0..<4, 2..<6])
        #expect(windows.features[0].id.timescale == 30)

        var step = SlidingWindow<Int>(stride: 1, length: 2)
        let first = TemporalSegmentIdentifier(source: "a", range: 0..<1000, timescale: 30_000)
        let last = TemporalSegmentIdentifier(source: "a", range: 2..<4, timescale: 60)
        #expect(step.push(TemporalFeature(id: first, feature: 0)) == nil)
        let window = step.push(TemporalFeature(id: last, feature: 1))
        #expect(window?.id == TemporalSegmentIdentifier(source: "a", range: 0..<2000, timescale: 30_000))
    }

    @Test func `two readers of one result do not disturb each other`() async throws {
        let sequence = try await SlidingWindowTransformer<Int>(stride: 1, length: 2)(Numbers(total: 4))
        var one = sequence.makeAsyncIterator()
        var two = sequence.makeAsyncIterator()
        #expect(try await one.next()?.feature == [0, 1])
        #expect(try await two.next()?.feature == [0, 1])
        #expect(try await one.next()?.feature == [1, 2])
        #expect(try await one.next()?.feature == [2, 3])
        #expect(try await one.next() == nil)
        #expect(try await one.next() == nil)
        #expect(try await two.next()?.feature == [1, 2])
    }

    @Test func `any sequence passes through an eraser, with or without a count`() async throws {
        let stream = AsyncStream<TemporalFeature<Int>> { continuation in
            let id = TemporalSegmentIdentifier(source: "stream", range: 0..<1, timescale: 1)
            continuation.yield(TemporalFeature(id: id, feature: 7))
            continuation.finish()
        }
        let erased = AnyTemporalSequence<Int>(stream, count: nil)
        #expect(erased.count == nil)
        #expect(try await read(erased) == [7])
        #expect(AnyTemporalSequence(Numbers(total: 3)).count == 3)
    }
}
