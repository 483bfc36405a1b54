import Foundation
import NIOCore
import NIOPosix

/// Notifies systemd that the service runs and is alive (sd_notify(3)); does nothing without systemd.
package struct ServiceManager: Sendable {
    private let socket: String?
    /// The interval between keep-alive notifications, a third of systemd's limit; nil without a limit.
    package let interval: Duration?

    package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        socket = environment["NOTIFY_SOCKET"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let limit = environment["WATCHDOG_USEC"].flatMap(Int.init)
        interval = socket == nil ? nil : limit.map { .microseconds(max(1000, $0 / 3)) }
    }

    /// Sends a state such as READY=1; errors are ignored.
    package func notify(_ state: String) async {
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
