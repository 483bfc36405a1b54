import Foundation
import KinemaCore

/// One side of a relay: bytes in order, in both directions.
protocol RelayEndpoint: AnyObject, Sendable {
    /// Waits for the next bytes; nil at the end.
    func read() -> [UInt8]?
    /// Sends all bytes; false when the other side no longer takes them.
    func write(_ bytes: [UInt8]) -> Bool
    /// Ends both directions, so that waiting threads continue.
    func shutDown()
}

extension RelayEndpoint {
    func relay(to other: some RelayEndpoint) {
        Thread.start("kinema.relay") { other.forward(to: self) }
        forward(to: other)
    }

    private func forward(to other: some RelayEndpoint) {
        while let bytes = read(), other.write(bytes) {}
        shutDown()
        other.shutDown()
    }
}
