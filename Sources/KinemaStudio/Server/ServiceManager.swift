import Foundation
import NIOCore
import NIOPosix

/// What is told to systemd: that the service runs, and that it is alive (sd_notify(3)); nothing where none listens.
package struct ServiceManager: Sendable {
    private let socket: String?
    /// How often systemd wants to hear, at least; nil if it does not.
    package let interval: Duration?

    /// Takes the manager's socket from the environment.
    package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        socket = environment["NOTIFY_SOCKET"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let limit = environment["WATCHDOG_USEC"].flatMap(Int.init)
        interval = socket == nil ? nil : limit.map { .microseconds(max(1000, $0 / 3)) }
    }

    /// Tells a state such as READY=1; what goes wrong with that stops nobody.
    package func tell(_ state: String) async {
        guard let socket else { return }
        do {
            let channel = try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(unixDomainSocketPath: socket).get()
            let address = try SocketAddress(unixDomainSocketPath: socket)
            try? await channel.writeAndFlush(AddressedEnvelope(remoteAddress: address, data: ByteBuffer(string: state)))
            try? await channel.close()
        } catch {}
    }
}
