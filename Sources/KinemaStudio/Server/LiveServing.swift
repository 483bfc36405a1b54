package protocol LiveServing: Sendable {
    func serve(_ socket: some LiveSocket) async

    func status() -> LiveStatus
}
