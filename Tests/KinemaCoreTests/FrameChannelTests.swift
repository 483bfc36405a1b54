import Synchronization
import Testing

@testable import KinemaCore

/// The rules alone: no task waits here.
@Suite struct FrameChannelStateTests {
    private typealias State = FrameChannelState<Int, String>

    /// Offers an element; what it overtook, and the reader it was delivered to.
    private func offer(_ element: Int, to state: inout State) -> (overtaken: Int?, reader: String?) {
        switch state.offer(element) {
        case .waits(let overtaken): (overtaken, nil)
        case .delivered(let reader): (nil, reader)
        case .full, .ended: (-1, nil)
        }
    }

    @Test func `the newest takes the place of the one that waits`() throws {
        var state = State(.newest)
        #expect(offer(1, to: &state).overtaken == nil)
        #expect(try state.read("a").result?.get() == 1)
        #expect(offer(2, to: &state).overtaken == nil)
        #expect(offer(3, to: &state).overtaken == 2)
        #expect(try state.read("a").result?.get() == 3)
        #expect(state.read("a").result == nil)
        #expect(offer(4, to: &state).reader == "a")
        #expect(state.tally.arrived == 4 && state.tally.analysed == 3 && state.tally.dropped == 1)
    }

    @Test func `a bounded channel is full and drops nothing`() throws {
        var state = State(.bounded(2))
        for element in 1...2 { #expect(offer(element, to: &state).overtaken == nil) }
        guard case .full = state.offer(3) else { return #expect(Bool(false), "there was room") }
        #expect(state.waitForRoom {})
        let (first, sender) = state.read("a")
        #expect(try first?.get() == 1 && sender != nil)
        #expect(!state.waitForRoom {})
        #expect(offer(3, to: &state).overtaken == nil)
        #expect(state.exchange() == nil)
        #expect(state.tally.arrived == 3 && state.tally.dropped == 0)
    }

    @Test func `an element that was read gives way to a newer one`() throws {
        var state = State(.newest)
        _ = offer(1, to: &state)
        #expect(try state.read("a").result?.get() == 1)
        #expect(state.exchange() == nil)
        _ = offer(2, to: &state)
        #expect(state.exchange() == 2)
        state.reject()
        #expect(state.tally.arrived == 2 && state.tally.analysed == 0 && state.tally.dropped == 2)
    }

    @Test func `what waits at the end is read, and dropped where the channel is cancelled`() throws {
        var state = State(.newest)
        _ = offer(1, to: &state)
        #expect(state.finish(.success(())) == nil)
        guard case .ended = state.offer(2) else { return #expect(Bool(false), "accepted after the end") }
        #expect(try state.read("a").result?.get() == 1)
        #expect(try state.read("a").result?.get() == .some(nil))
        var other = State(.newest)
        _ = offer(1, to: &other)
        #expect(other.cancel().dropped == [1])
        #expect(throws: CancellationError.self) { try other.read("a").result?.get() }
        #expect(other.tally.arrived == 1 && other.tally.dropped == 1)
    }

    @Test func `after any end arrived is analysed and dropped`() {
        var random = SystemRandomNumberGenerator()
        for policy in [FrameChannelPolicy.newest, .bounded(3)] {
            for _ in 0..<200 {
                var state = State(policy)
                for step in 0..<100 {
                    switch UInt8.random(in: 0..<6, using: &random) {
                    case 0, 1: _ = state.offer(step)
                    case 2:
                        if case .success(.some)? = state.read("a").result, Bool.random(using: &random) {
                            state.reject()
                        }
                    case 3: _ = state.exchange()
                    case 4: _ = state.takeReader()
                    default: state.refuse()
                    }
                }
                _ = state.cancel()
                #expect(state.tally.arrived == state.tally.analysed + state.tally.dropped)
            }
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct FrameChannelTests {
    @Test func `the sum holds whichever side is faster, and the sender of a live source never waits`() async throws {
        for readerPause in [0, 1] {
            let dropped = Mutex<[Int]>([])
            let channel = FrameChannel<Int>(.newest) { element in dropped.withLock { $0.append(element) } }
            let sender = Task.detached {
                for number in 0..<2000 {
                    guard channel.offer(number) == true else { break }
                    if readerPause == 0, number % 10 == 0 { await Task.yield() }
                }
                channel.finish()
            }
            var taken: [Int] = []
            for try await number in channel {
                taken.append(number)
                if readerPause > 0 { try await Task.sleep(for: .milliseconds(readerPause)) }
            }
            await sender.value
            #expect(taken == taken.sorted() && taken.last == 1999)
            #expect(channel.tally.arrived == 2000 && channel.tally.analysed == taken.count)
            #expect(Set(taken).union(dropped.withLock { $0 }) == Set(0..<2000))
        }
    }

    @Test(arguments: [false, true])
    func `a bounded channel delivers everything in order`(blocks: Bool) async throws {
        let channel = FrameChannel<Int>(.bounded(3))
        let sender = Task.detached {
            for number in 0..<500 {
                let isAccepted = blocks ? channel.sendBlocking(number) : try await channel.send(number)
                #expect(isAccepted)
            }
            channel.finish()
        }
        var taken: [Int] = []
        for try await number in channel { taken.append(number) }
        try await sender.value
        #expect(taken == Array(0..<500) && channel.tally.dropped == 0)
    }

    @Test func `cancelling the channel ends both sides and counts nothing more`() async throws {
        let channel = FrameChannel<Int>(.bounded(1))
        #expect(try await channel.send(1))
        #expect(try await channel.next() == 1)
        #expect(try await channel.send(2))
        let waiting = Task { try await channel.send(3) }
        channel.cancel()
        #expect(try await !waiting.value)
        #expect(channel.offer(4) == false)
        #expect(channel.tally.arrived == 2 && channel.tally.analysed == 1 && channel.tally.dropped == 1)
        await #expect(throws: CancellationError.self) { try await channel.next() }
    }

    @Test func `cancelling a task ends its wait for an element and its wait for room`() async throws {
        let empty = FrameChannel<Int>(.newest)
        let reader = Task { try await empty.next() }
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        // The channel goes on without that reader.
        #expect(empty.offer(1) == true)
        #expect(try await empty.next() == 1)
        let full = FrameChannel<Int>(.bounded(1))
        #expect(try await full.send(1))
        let sender = Task { try await full.send(2) }
        sender.cancel()
        await #expect(throws: CancellationError.self) { try await sender.value }
        #expect(full.tally.arrived == 1)
    }

    @Test func `the failure of the sender reaches the reader after what waits`() async throws {
        struct Failure: Error {}
        let channel = FrameChannel<Int>(.newest)
        #expect(channel.offer(1) == true)
        channel.finish(.failure(Failure()))
        #expect(try await channel.next() == 1)
        await #expect(throws: Failure.self) { try await channel.next() }
    }
}
