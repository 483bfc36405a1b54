protocol ResultSink: Sendable {
    func write(_ bytes: [UInt8]) throws
}
