import KinemaCore
import Testing

@testable import KinemaMedia

@Suite struct FrameQueueTests {
    @Test("Of a live source the newest frame waits, and frames in are frames analysed and dropped")
    func newest() {
        var queue = FrameQueue<Int>(.keepsNewest)
        #expect(queue.add(1).isEmpty)
        #expect(queue.take() == 1)
        #expect(queue.add(2).isEmpty)
        #expect(queue.add(3) == [2])
        #expect(queue.add(4) == [3])
        #expect(queue.take() == 4)
        #expect(queue.take() == nil)
        _ = queue.add(5)
        #expect(queue.clear() == [5])
        #expect(queue.tally.arrived == 5 && queue.tally.analysed == 2 && queue.tally.dropped == 3)
    }

    @Test("Of a file nothing is dropped")
    func all() {
        var queue = FrameQueue<Int>(.keepsAll)
        for number in 1...5 { #expect(queue.add(number).isEmpty) }
        #expect((1...5).allSatisfy { queue.take() == $0 })
        #expect(queue.tally.arrived == 5 && queue.tally.analysed == 5 && queue.tally.dropped == 0)
    }

    @Test("The sum holds whoever is quicker, and the sender of a live source never waits")
    func channel() async throws {
        for readerPause in [0, 1] {
            let channel = FrameChannel<Int>(.keepsNewest)
            let sender = Task.detached {
                for number in 0..<2000 {
                    guard channel.send(number) else { break }
                    if readerPause == 0, number % 10 == 0 { await Task.yield() }
                }
                channel.finish(.success(()))
            }
            var taken: [Int] = []
            while let number = try await channel.next() {
                taken.append(number)
                if readerPause > 0 { try await Task.sleep(for: .milliseconds(readerPause)) }
            }
            await sender.value
            let tally = channel.tally
            #expect(taken == taken.sorted() && taken.last == 1999)
            #expect(tally.arrived == 2000 && tally.analysed == taken.count)
            #expect(tally.dropped == 2000 - taken.count)
        }
    }

    @Test("Who stops reading drops what waits, and later frames are not counted")
    func cancelled() async throws {
        let channel = FrameChannel<Int>(.keepsNewest)
        #expect(channel.send(1))
        #expect(try await channel.next() == 1)
        #expect(channel.send(2))
        channel.cancel()
        #expect(!channel.send(3))
        #expect(channel.tally.arrived == 2 && channel.tally.analysed == 1 && channel.tally.dropped == 1)
        await #expect(throws: CancellationError.self) { try await channel.next() }
    }
}
