import Dispatch
import Foundation
package import KinemaCore
import Synchronization

/// An MQTT broker, the user's credentials there, and the prefix of all topics.
package struct MQTTAddress: Sendable, Hashable, CustomStringConvertible {
    let host: String
    let port: Int
    /// Whether TLS is used, and the broker's certificate checked.
    let isEncrypted: Bool
    let user: String?
    let password: String?
    /// Without a slash at its end.
    let prefix: String

    /// Only the scheme, since the address may contain a password.
    package var description: String { isEncrypted ? "mqtts://…" : "mqtt://…" }

    /// Brokers take 65,535 bytes; the name of a camera follows.
    private static let longestPrefix = 256

    /// Parses an address such as `mqtts://user:password@host:8883/topic/prefix`; throws `invalidArgument` without
    /// quoting it.
    package init(_ text: String) throws(KinemaError) {
        isEncrypted = text.hasPrefix("mqtts://")
        guard isEncrypted || text.hasPrefix("mqtt://"), text.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else {
            throw Self.broken(
                "must be an address such as mqtt://127.0.0.1:1883/kinema, percent-encoded")
        }
        let rest = text.dropFirst(isEncrypted ? 8 : 7)
        let authority = rest.prefix { $0 != "/" }
        let parts = authority.split(separator: "@", omittingEmptySubsequences: false)
        // With an unescaped slash or @, part of a password would be sent as a host or a topic.
        guard parts.count <= 2, !rest.dropFirst(authority.count).contains("@") else {
            throw Self.broken("has more than one @; in a user, password or topic write @ as %40 and / as %2F")
        }
        (user, password) = try Self.credentials(parts.count == 2 ? parts[0] : nil)
        (host, port) = try Self.place(parts[parts.count - 1], port: isEncrypted ? 8883 : 1883)
        prefix = try Self.topic(rest.dropFirst(authority.count + 1))
    }

    private static func broken(_ what: String) -> KinemaError { KinemaError(.invalidArgument, "mqtt \(what)") }

    /// A text without its escapes; nil if they are invalid or make control characters.
    private static func plain(_ text: Substring) -> String? {
        String(text).removingPercentEncoding.flatMap { plain in
            plain.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } ? plain : nil
        }
    }

    private static func credentials(_ text: Substring?) throws(KinemaError) -> (user: String?, password: String?) {
        guard let text else { return (nil, nil) }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let user = plain(parts[0]), !user.isEmpty,
            let password = plain(parts.count == 2 ? parts[1] : "")
        else {
            throw broken(
                "has no user and password before its @; write user:password, and : % @ / in them as %3A %25 %40 %2F")
        }
        return (user, parts.count == 2 ? password : nil)
    }

    private static func place(_ text: Substring, port: Int) throws(KinemaError) -> (host: String, port: Int) {
        let form = /(?:\[([0-9A-Za-z._:%-]+)\]|([0-9A-Za-z._-]+))(?::(\+?[0-9]+))?/
        guard let match = text.wholeMatch(of: form), let host = match.1 ?? match.2, host.utf8.count <= 253,
            let port = match.3.map({ Int($0) }) ?? port, (1...65535).contains(port)
        else {
            throw broken("has no host or an invalid port")
        }
        return (String(host), port)
    }

    private static func topic(_ text: Substring) throws(KinemaError) -> String {
        guard let topic = plain(text), !topic.isEmpty else {
            throw broken("has no topic; give one after the host, such as mqtt://127.0.0.1/kinema")
        }
        guard topic.utf8.count <= longestPrefix else { throw broken("has a topic of more than \(longestPrefix) bytes") }
        guard !topic.contains(where: { "+#".contains($0) }), !topic.hasPrefix("$") else {
            throw broken("has a topic with + or #, or one that begins with $, which a client cannot publish to")
        }
        guard !topic.split(separator: "/", omittingEmptySubsequences: false).contains("") else {
            throw broken("has a topic with an empty level")
        }
        return topic
    }
}

/// Publishes results at an MQTT broker, and retained whether each camera is live, over one connection.
///
/// A line goes to PREFIX/CAMERA; `live` or `lost` to PREFIX/CAMERA/state and, also as the will, to PREFIX/state.
package final class MQTTPublisher: LineReceiver {
    private struct Session {
        var broker: MosquittoHandle?
        var published: [Bool?] = []
    }

    package let name = "mqtt"
    private let address: MQTTAddress
    private let cameras: [String]
    private let metrics: WatchMetrics
    private let session = Mutex(Session())
    /// A separate thread, since the library blocks.
    private let queue = DispatchQueue(label: "kinema.mqtt")

    package static let stateName = "state"

    package init(_ address: MQTTAddress, cameras: [String], _ metrics: WatchMetrics) {
        (self.address, self.cameras, self.metrics) = (address, cameras, metrics)
    }

    /// Connects if needed, publishes changed states and then the lines; without lines it keeps the connection alive.
    package func send(_ lines: [WaitingLine]) async -> (taken: Int, failure: String?) {
        let areLive = metrics.areLive
        return await onQueue { session in
            var taken = 0
            do throws(MosquittoHandle.Failure) {
                let broker = try self.connected(&session)
                try broker.turn()
                try self.publish(areLive, broker, &session)
                var numbers: [Int32] = []
                defer { taken = broker.count(numbers) }
                for line in lines {
                    let topic = self.topic(self.cameras[line.camera])
                    numbers.append(try broker.publish(line.text.dropLast(), to: topic, isRetained: false))
                }
                try broker.settle(numbers)
            } catch {
                session = Session()
                return (taken, error.reason)
            }
            return (taken, nil)
        }
    }

    /// Publishes that every camera is lost, if there is a connection, and ends it.
    package func end() async {
        await onQueue { session in
            guard let broker = session.broker else { return }
            let live = self.cameras.indices.filter { session.published[$0] != false }.map { self.cameras[$0] }
            let all = live.map { self.topic($0, Self.stateName) } + [self.topic(Self.stateName)]
            if let numbers = try? all.map({ try broker.publish("lost".utf8, to: $0, isRetained: true) }) {
                try? broker.settle(numbers)
            }
            broker.leave()
            session = Session()
        }
    }

    private func topic(_ parts: String...) -> String { ([address.prefix] + parts).joined(separator: "/") }

    private func connected(_ session: inout Session) throws(MosquittoHandle.Failure) -> MosquittoHandle {
        if let broker = session.broker { return broker }
        let state = topic(Self.stateName)
        let broker = try MosquittoHandle(address, will: state, last: "lost")
        let number = try broker.publish("live".utf8, to: state, isRetained: true)
        try broker.settle([number])
        session = Session(broker: broker, published: cameras.map { _ in nil })
        return broker
    }

    private func publish(
        _ areLive: [Bool], _ broker: MosquittoHandle, _ session: inout Session
    ) throws(MosquittoHandle.Failure) {
        var numbers: [Int32] = []
        for (index, isLive) in areLive.enumerated() where session.published[index] != isLive {
            let topic = topic(cameras[index], Self.stateName)
            numbers.append(try broker.publish((isLive ? "live" : "lost").utf8, to: topic, isRetained: true))
        }
        try broker.settle(numbers)
        _ = broker.count(numbers)
        session.published = areLive
    }

    private func onQueue<Result: Sendable>(_ work: @escaping @Sendable (inout Session) -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.session.withLock { work(&$0) }) }
        }
    }
}
