import Dispatch
import Synchronization

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
