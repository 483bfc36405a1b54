import Testing

@testable import KinemaStudio

struct FrameLedgerTests {
    @Test func theNewestTakesThePlaceOfTheOneThatWaits() {
        var ledger = FrameLedger<Int>()
        #expect(ledger.offer(1) == nil)
        #expect(ledger.take() == 1)
        #expect(ledger.offer(2) == nil)
        #expect(ledger.offer(3) == 2)
        // One in flight, one waiting.
        #expect(ledger.take() == nil)
        ledger.settle(analysed: true)
        #expect(ledger.take() == 3)
        #expect((ledger.sent, ledger.analysed, ledger.dropped) == (3, 1, 1))
    }

    @Test func afterAnyEndSentIsAnalysedAndDropped() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var ledger = FrameLedger<Int>()
            for step in 0..<100 {
                switch UInt8.random(in: 0..<5, using: &random) {
                case 0, 1: _ = ledger.offer(step)
                case 2: _ = ledger.take()
                case 3: ledger.settle(analysed: Bool.random())
                default: ledger.refuse()
                }
            }
            ledger.settle(analysed: true)
            _ = ledger.giveUp()
            #expect(ledger.sent == ledger.analysed + ledger.dropped)
        }
    }
}
