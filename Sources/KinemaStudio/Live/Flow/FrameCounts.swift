/// How many frames came, were analysed and were not.
struct FrameCounts: Sendable, Equatable {
    var sent = 0
    var analysed = 0
    var dropped = 0

    init<Frame>(_ ledger: FrameLedger<Frame>) {
        (sent, analysed, dropped) = (ledger.sent, ledger.analysed, ledger.dropped)
    }
}
