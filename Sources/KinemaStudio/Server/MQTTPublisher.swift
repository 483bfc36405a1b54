import Dispatch
import Synchronization

/// Publishes lines of cameras at a broker of MQTT, and retained whether each camera is live, over one connection.
///
/// A line goes to PREFIX/CAMERA; `live` or `lost` to PREFIX/CAMERA/state, and of the whole to PREFIX/state, where it is also
/// the will.
package final class MQTTPublisher: Sendable {
    private struct Session {
        var broker: MosquittoHandle?
        /// What was told of each camera over this connection.
        var told: [Bool?] = []
    }

    private let address: MQTTAddress
    private let cameras: [String]
    private let session = Mutex(Session())
    /// The library blocks, so it gets a thread.
    private let queue = DispatchQueue(label: "kinema.mqtt")

    /// The last part of the topics of states.
    package static let stateName = "state"

    package init(_ address: MQTTAddress, cameras: [String]) { (self.address, self.cameras) = (address, cameras) }

    /// Connects unless it is, tells the states that are new, and publishes lines of cameras (by number) in their order.
    ///
    /// Returns how many of the first lines the broker took, and why it did not take all. Without lines, keeps the
    /// connection.
    package func publish(
        _ lines: [(camera: Int, text: [UInt8])], areLive: [Bool]
    ) async -> (taken: Int, failure: String?) {
        await onQueue { session in
            var taken = 0
            do throws(MosquittoHandle.Failure) {
                let broker = try self.connected(&session)
                try broker.turn()
                try self.tell(areLive, broker, &session)
                var numbers: [Int32] = []
                defer { taken = broker.count(numbers) }
                for line in lines {
                    numbers.append(
                        try broker.publish(line.text, to: self.topic(self.cameras[line.camera]), isRetained: false))
                }
                try broker.settle(numbers)
            } catch {
                session = Session()
                return (taken, error.reason)
            }
            return (taken, nil)
        }
    }

    /// Tells that nothing is live any more, if there is a connection, and ends it.
    package func end() async {
        await onQueue { session in
            guard let broker = session.broker else { return }
            let live = self.cameras.indices.filter { session.told[$0] != false }.map { self.cameras[$0] }
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
        session = Session(broker: broker, told: cameras.map { _ in nil })
        return broker
    }

    private func tell(
        _ areLive: [Bool], _ broker: MosquittoHandle, _ session: inout Session
    ) throws(MosquittoHandle.Failure) {
        var numbers: [Int32] = []
        for (index, isLive) in areLive.enumerated() where session.told[index] != isLive {
            let topic = topic(cameras[index], Self.stateName)
            numbers.append(try broker.publish((isLive ? "live" : "lost").utf8, to: topic, isRetained: true))
        }
        try broker.settle(numbers)
        _ = broker.count(numbers)
        session.told = areLive
    }

    /// Does something on the library's thread, one at a time.
    private func onQueue<Result: Sendable>(_ work: @escaping @Sendable (inout Session) -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.session.withLock { work(&$0) }) }
        }
    }
}
