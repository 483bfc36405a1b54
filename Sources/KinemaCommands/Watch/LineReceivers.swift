import KinemaStudio

/// A webhook, which takes several lines in one POST.
struct WebhookReceiver: LineReceiver {
    let name = "webhook"
    private let sender: WebhookSender

    init(_ address: WebhookAddress) { sender = WebhookSender(address) }

    func send(_ lines: [WaitingLine]) async -> (taken: Int, failure: String?) {
        guard !lines.isEmpty else { return (0, nil) }
        let failure = await sender.post(lines.flatMap(\.text))
        return (failure == nil ? lines.count : 0, failure)
    }

    func end() async {}
}

/// A broker of MQTT, which takes each line as a message and is told which cameras are live.
struct BrokerReceiver: LineReceiver {
    let name = "mqtt"
    private let publisher: MQTTPublisher
    private let metrics: WatchMetrics

    init(_ address: MQTTAddress, cameras: [String], _ metrics: WatchMetrics) {
        publisher = MQTTPublisher(address, cameras: cameras)
        self.metrics = metrics
    }

    func send(_ lines: [WaitingLine]) async -> (taken: Int, failure: String?) {
        await publisher.publish(lines.map { ($0.camera, Array($0.text.dropLast())) }, areLive: metrics.areLive)
    }

    func end() async { await publisher.end() }
}
