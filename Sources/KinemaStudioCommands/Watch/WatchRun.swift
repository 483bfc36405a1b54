import Foundation
import KinemaCommands
import Kinema
import KinemaWatch
import Synchronization

/// Watches every camera of a configuration in this process; models are loaded once.
struct WatchRun: Sendable {
    private let configuration: WatchConfiguration
    private let metrics: WatchMetrics
    private let results: [CameraResults]
    private let queues: [LineQueue]

    /// Makes the folders; throws `unwritableOutput` if that fails.
    init(_ configuration: WatchConfiguration) throws {
        let metrics = WatchMetrics(configuration.cameras.map(\.name))
        let names = configuration.cameras.map(\.name)
        let receivers: [(any LineReceiver)?] = [
            configuration.webhook.map { Webhook($0) },
            configuration.mqtt.map { MQTTPublisher($0, cameras: names, metrics) },
        ]
        let folder = URL(filePath: configuration.folder)
        let queues = receivers.compactMap(\.self).map { receiver in
            let kept = UndeliveredLines(for: receiver.name, in: folder, cameras: names)
            return LineQueue(receiver, metrics, kept: kept) { Console.shared.line($0) }
        }
        (self.configuration, self.metrics, self.queues) = (configuration, metrics, queues)
        results = try configuration.cameras.enumerated().map { index, camera in
            try CameraResults(
                camera.name, in: folder,
                onLine: { line in
                    metrics.update(index) { ($0.results, $0.loss) = ($0.results + 1, nil) }
                    for queue in queues { queue.add(line, of: index) }
                }, onNotice: { Console.shared.line($0) },
                onLoss: { error in metrics.update(index) { ($0.lost, $0.loss) = ($0.lost + 1, error) } })
        }
    }

    /// Watches until interrupted, or until every input is a file that has ended; returns whether one failed for good, and
    /// whether all results were written and delivered.
    func run(_ interruption: Interruption) async throws -> (hasFailed: Bool, isDelivered: Bool) {
        let manager = ServiceManager()
        let sending = queues.map { queue in Task { await queue.run() } }
        let notifying = Task { await keepAlive(manager) }
        let serving = try await serve()
        defer { serving?.cancel() }
        await manager.notify("READY=1")
        await withTaskGroup(of: Void.self) { group in
            for index in configuration.cameras.indices {
                group.addTask { await watch(index, interruption) }
            }
        }
        await manager.notify("STOPPING=1")
        notifying.cancel()
        let isDelivered = await withTaskGroup(of: Bool.self) { group in
            for (queue, task) in zip(queues, sending) {
                group.addTask { await queue.finish(task) }
            }
            return await group.reduce(true) { $0 && $1 }
        }
        let counts = configuration.cameras.indices.map(metrics.counts)
        return (counts.contains { $0.state == .failed }, isDelivered && counts.allSatisfy { $0.lost == 0 })
    }

    /// Starts the metrics server, if configured; returns once it listens.
    private func serve() async throws -> Task<Void, Never>? {
        guard let place = configuration.listen else { return nil }
        let metrics = metrics
        let server = try await TextServer(host: place.host, port: place.port, names: configuration.hosts) { path in
            let health = metrics.health
            return switch path {
            case "/metrics":
                TextServer.Answer(mediaType: "text/plain; version=0.0.4; charset=utf-8", text: metrics.text)
            case "/healthz": TextServer.Answer(status: health.isGood ? 200 : 503, text: health.text)
            default: nil
            }
        }
        let host = place.host.contains(":") ? "[\(place.host)]" : place.host
        Console.shared.line("kinema: metrics at http://\(host):\(server.port)/metrics")
        return Task { await server.run() }
    }

    /// Notifies systemd while live cameras deliver results.
    private func keepAlive(_ manager: ServiceManager) async {
        guard let interval = manager.interval else { return }
        var before: [Int] = []
        var still = Duration.zero
        while !Task.isCancelled {
            let counts = configuration.cameras.indices.map(metrics.counts)
            let now = counts.map { $0.tally.analysed }
            still = now != before || !counts.contains { $0.state == .live } ? .zero : still + interval
            before = now
            if still < .seconds(60) { await manager.notify("WATCHDOG=1") }
            try? await Task.sleep(for: interval)
        }
    }

    /// Runs a camera's task; restarts it after a failure, with growing pauses.
    private func watch(_ index: Int, _ interruption: Interruption) async {
        let camera = configuration.cameras[index]
        var pause = Duration.seconds(1)
        while !interruption.isRaised {
            let started = ContinuousClock.now
            let failure = await once(index, interruption)
            metrics.update(index) { counts in
                counts.frames = counts.tally
                counts.current = nil
                counts.failure = failure
                counts.state = failure == nil ? .ended : .failed
            }
            guard let failure, !interruption.isRaised else { return }
            // A file that cannot be read is not tried again.
            guard InputChoice(camera.input).isLive else {
                return Console.shared.line("kinema: \(camera.name): \(failure)")
            }
            if ContinuousClock.now - started > .seconds(60) { pause = .seconds(1) }
            Console.shared.line("kinema: \(camera.name): \(failure); retrying in \(pause.components.seconds) s")
            try? await interruption.cancelling { [pause] in try await Task.sleep(for: pause) }
            pause = min(pause * 2, .seconds(60))
            metrics.update(index) { $0.restarts += 1 }
        }
    }

    /// Runs a camera's task to its end; returns the error, if any.
    private func once(_ index: Int, _ interruption: Interruption) async -> String? {
        let camera = configuration.cameras[index]
        let runner = JobRunner(task: camera.task, interruption: interruption)
        let outcome = await RunObserver.$current.withValue(RunObserver(index, metrics)) {
            await runner.run(
                camera.input, as: camera.name, options: camera.options + ["--format", "jsonl"], into: results[index])
        }
        return switch outcome {
        case .done, .nothing, .interrupted: nil
        case .missing(let error): "\(error)"
        case .failed(let reason, _): reason
        }
    }
}

extension CameraResults: ResultSink {}

extension RunObserver {
    /// Counts what a camera of a watch does.
    fileprivate init(_ camera: Int, _ metrics: WatchMetrics) {
        self.init { tally in
            metrics.update(camera) { counts in
                counts.current = tally
                counts.state = .live
                counts.failure = nil
            }
        } took: { frame in
            let seconds = (ContinuousClock.now - frame.arrival) / .seconds(1)
            metrics.update(camera) { $0.took(seconds) }
        } changed: { state in
            metrics.update(camera) { counts in
                switch state {
                case .connecting: break
                case .live:
                    if counts.state == .lost { counts.reconnections += 1 }
                    counts.state = .live
                case .reconnecting: counts.state = .lost
                }
            }
        }
    }
}
