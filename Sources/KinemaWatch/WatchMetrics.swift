package import Foundation
package import KinemaCore
import Synchronization

/// The counts of a camera, which only grow, and its state.
package struct CameraCounts: Sendable {
    package enum State: String, Sendable { case starting, live, lost, failed, ended }

    package var state = State.starting
    package var frames = FrameTally()
    package var current: (@Sendable () -> FrameTally)?
    package var reconnections = 0
    package var restarts = 0
    package var results = 0
    /// Results discarded before the webhook or the broker took them: the queue was full, or the watch ended.
    package var undelivered = 0
    /// Results that could not be written, and why the last one could not; nil once another one was.
    package var lost = 0
    package var loss: KinemaError?
    /// Frames by latency: a count for each of `bounds` and one for more.
    var latencies = [Int](repeating: 0, count: Self.bounds.count + 1)
    var latencySum = 0.0
    /// The failure of the last run.
    package var failure: String?

    /// Seconds; 0.033 is a frame at 30 a second.
    static let bounds = [0.01, 0.02, 0.033, 0.05, 0.1, 0.2, 0.5, 1, 2, 5]

    package var tally: FrameTally { current.map { frames + $0() } ?? frames }

    package mutating func took(_ seconds: Double) {
        latencies[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
        latencySum += seconds
    }
}

/// The counts of every camera, for the metrics and the health check.
package final class WatchMetrics: Sendable {
    private let names: [String]
    private let cameras: Mutex<[CameraCounts]>
    /// Whether each receiver of lines takes them, by name, once it was tried.
    private let deliveries = Mutex<[String: Bool]>([:])
    /// The receivers for which results were discarded since they last took some.
    private let losing = Mutex<Set<String>>([])
    private let started = Date()

    package init(_ names: [String]) {
        self.names = names
        cameras = Mutex(names.map { _ in CameraCounts() })
    }

    package func update(_ camera: Int, _ change: (inout CameraCounts) -> Void) {
        cameras.withLock { change(&$0[camera]) }
    }

    package func counts(_ camera: Int) -> CameraCounts { cameras.withLock { $0[camera] } }

    /// Whether each camera is live, in order.
    var areLive: [Bool] { cameras.withLock { $0.map { $0.state == .live } } }

    /// Records whether a receiver of lines takes them.
    func delivers(_ isGood: Bool, to receiver: String) {
        deliveries.withLock { $0[receiver] = isGood }
        if isGood { _ = losing.withLock { $0.remove(receiver) } }
    }

    /// Records that a result for a receiver was discarded.
    func loses(_ receiver: String) { _ = losing.withLock { $0.insert(receiver) } }

    private var all: [(name: String, counts: CameraCounts)] {
        zip(names, cameras.withLock { $0 }).map { (name: $0, counts: $1) }
    }

    /// Whether every camera is starting, live or at its end and no results are lost, with a line for each.
    package var health: (isGood: Bool, text: String) {
        let all = all
        let good: [CameraCounts.State] = [.live, .ended, .starting]
        let losing = losing.withLock { $0.sorted() }
        let isGood = losing.isEmpty && all.allSatisfy { good.contains($0.counts.state) && $0.counts.loss == nil }
        let lines = all.map { name, counts in
            let failure = counts.state == .failed ? counts.failure.map { ": " + $0 } : nil
            let reason = counts.loss.map { ": results are lost: \($0)" } ?? failure ?? ""
            return "\(name) \(counts.state.rawValue)" + PlainText.oneLine(reason)
        }
        return (isGood, (lines + losing.map { "\($0) lost: results are discarded" }).joined(separator: "\n") + "\n")
    }

    /// All metrics in the text format of Prometheus.
    package var text: String {
        let all = all
        var lines: [String] = []
        func add(_ name: String, _ kind: String, _ help: String, _ value: (CameraCounts) -> Int) {
            lines += Self.head(name, kind, help)
            lines += all.map { "\(name){camera=\"\($0.name)\"} \(value($0.counts))" }
        }
        add("kinema_camera_up", "gauge", "1 while the camera's frames arrive.") { $0.state == .live ? 1 : 0 }
        add("kinema_frames_received_total", "counter", "Frames received.") { $0.tally.arrived }
        add("kinema_frames_analysed_total", "counter", "Frames analysed.") { $0.tally.analysed }
        add("kinema_frames_dropped_total", "counter", "Frames replaced by a newer one, or unreadable.") {
            $0.tally.dropped
        }
        add("kinema_reconnections_total", "counter", "Times the camera was lost and reconnected.") { $0.reconnections }
        add("kinema_restarts_total", "counter", "Times the task was restarted after a failure.") { $0.restarts }
        add("kinema_results_total", "counter", "Lines of results.") { $0.results }
        add("kinema_results_lost_total", "counter", "Results that could not be written.") { $0.lost }
        add("kinema_results_undelivered_total", "counter", "Results that the webhook or the broker did not accept.") {
            $0.undelivered
        }
        lines += deliveryLines
        lines += stageLines
        let name = "kinema_frame_latency_seconds"
        lines += Self.head(name, "histogram", "Seconds from a frame's arrival to its results.")
        for (camera, counts) in all {
            var sum = 0
            for (bound, count) in zip(CameraCounts.bounds.map { "\($0)" } + ["+Inf"], counts.latencies) {
                sum += count
                lines.append("\(name)_bucket{camera=\"\(camera)\",le=\"\(bound)\"} \(sum)")
            }
            lines.append("\(name)_sum{camera=\"\(camera)\"} \(String(format: "%.6f", counts.latencySum))")
            lines.append("\(name)_count{camera=\"\(camera)\"} \(sum)")
        }
        lines += Self.head("process_start_time_seconds", "gauge", "Start of the process in seconds since 1970.")
        lines.append("process_start_time_seconds \(String(format: "%.3f", started.timeIntervalSince1970))")
        lines += Self.head("process_resident_memory_bytes", "gauge", "Memory in use.")
        lines.append("process_resident_memory_bytes \(Self.residentBytes)")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func head(_ name: String, _ kind: String, _ help: String) -> [String] {
        ["# HELP \(name) \(help)", "# TYPE \(name) \(kind)"]
    }

    private var deliveryLines: [String] {
        let deliveries = deliveries.withLock { $0 }.sorted { $0.key < $1.key }
        guard !deliveries.isEmpty else { return [] }
        let name = "kinema_delivery_up"
        return Self.head(name, "gauge", "1 while the webhook or the broker accepts results.")
            + deliveries.map { "\(name){to=\"\($0)\"} \($1 ? 1 : 0)" }
    }

    private var stageLines: [String] {
        let (name, times) = ("kinema_stage_seconds_total", StageTimes.now)
        return Self.head(name, "counter", "Seconds of work in each stage, of all cameras and threads together.")
            + Stage.allCases.map { "\(name){stage=\"\($0.name)\"} \(String(format: "%.3f", times[$0] / .seconds(1)))" }
    }

    private static var residentBytes: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}

package final class CameraResults: Sendable {
    private let name: String
    private let folder: URL
    /// The file of the day.
    private let file: Mutex<LineFile>
    private let onLine: @Sendable ([UInt8]) -> Void
    private let onNotice: @Sendable (String) -> Void
    private let onLoss: @Sendable (KinemaError) -> Void

    /// Makes the camera's folder; throws `unwritableOutput` if that fails. Calls `onNotice` when the file was removed or
    /// replaced and is made again, and `onLoss` for a line that cannot be written.
    package init(
        _ name: String, in folder: URL, onLine: @escaping @Sendable ([UInt8]) -> Void,
        onNotice: @escaping @Sendable (String) -> Void = { _ in },
        onLoss: @escaping @Sendable (KinemaError) -> Void = { _ in }
    ) throws {
        (self.name, self.onLine, self.onNotice, self.onLoss) = (name, onLine, onNotice, onLoss)
        self.folder = folder.appending(path: name)
        file = Mutex(LineFile(self.folder))
        do {
            try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
        } catch {
            throw KinemaError.unwritable(self.folder.path, error)
        }
    }

    /// Takes lines of JSON, as the command writes them.
    package func write(_ bytes: [UInt8]) throws {
        for line in bytes.split(separator: UInt8(ascii: "\n")) { try append(Array(line)) }
    }

    private func append(_ event: [UInt8]) throws {
        let now = Date.now.formatted(Self.style)
        var text = Array("{\"camera\":\"\(name)\",\"at\":\"\(now)\",\"event\":".utf8)
        text += event + Array("}\n".utf8)
        try file.withLock { file in
            let url = folder.appending(path: "\(now.prefix(10)).jsonl")
            if file.url != url { file = LineFile(url) }
            do throws(KinemaError) {
                if try file.append(text) {
                    onNotice("kinema: \(name): \(url.path) was removed or replaced; it is made again")
                }
            } catch {
                onLoss(error)
                throw error
            }
        }
        onLine(text)
    }

    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
