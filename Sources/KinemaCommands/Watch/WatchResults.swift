import Foundation
import Kinema
import KinemaCore
import KinemaStudio
import Synchronization

/// A camera's results: wraps each line with the camera and the time of day, appends it to the file of the day, and hands
/// it on.
final class CameraResults: ResultSink {
    private struct State {
        var day = ""
        var file: FileHandle?
    }

    private let name: String
    private let folder: URL
    private let state = Mutex(State())
    private let onLine: @Sendable ([UInt8]) -> Void

    /// Makes the folder; throws `unwritableOutput` where that cannot be.
    init(_ name: String, in folder: URL, onLine: @escaping @Sendable ([UInt8]) -> Void) throws {
        (self.name, self.onLine) = (name, onLine)
        self.folder = folder.appending(path: name)
        do {
            try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
        } catch {
            throw KinemaError.unwritable(self.folder.path, error)
        }
    }

    /// Takes lines of JSON, as the command writes them.
    func write(_ bytes: [UInt8]) throws {
        for line in bytes.split(separator: UInt8(ascii: "\n")) { try append(Array(line)) }
    }

    private func append(_ event: [UInt8]) throws {
        let now = Date.now.formatted(Self.style)
        var text = Array("{\"camera\":\"\(name)\",\"at\":\"\(now)\",\"event\":".utf8)
        text += event + Array("}\n".utf8)
        try state.withLock { state in
            let day = String(now.prefix(10))
            do {
                if state.day != day || state.file == nil {
                    try state.file?.close()
                    state.file = try Self.open(folder.appending(path: "\(day).jsonl"))
                    state.day = day
                }
                try state.file?.write(contentsOf: text)
            } catch {
                throw KinemaError.unwritable(folder.appending(path: "\(day).jsonl").path, error)
            }
        }
        onLine(text)
    }

    private static func open(_ url: URL) throws -> FileHandle {
        if !FileManager.default.fileExists(atPath: url.path) {
            try Data().write(to: url)
        }
        let file = try FileHandle(forUpdating: url)
        let end = try file.seekToEnd()
        // A process that was killed may have left half a line.
        if end > 0 {
            try file.seek(toOffset: end - 1)
            if try file.read(upToCount: 1) != Data([10]) { try file.write(contentsOf: Data([10])) }
        }
        return file
    }

    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}

/// Lines that wait for a webhook: a bounded number, of which the oldest make room.
final class WebhookQueue: Sendable {
    private struct Line: Sendable {
        var camera: Int
        var text: [UInt8]
    }

    private let lines = Mutex<[Line]>([])
    private let sender: WebhookSender
    private let metrics: WatchMetrics

    /// Lines that wait at most: some minutes of a busy camera.
    private static let most = 10_000
    /// Lines and bytes of one POST at most.
    private static let mostAtOnce = 500, mostBytes = 1 << 20

    init(_ address: WebhookAddress, _ metrics: WatchMetrics) {
        (sender, self.metrics) = (WebhookSender(address), metrics)
    }

    func add(_ text: [UInt8], of camera: Int) {
        let lost = lines.withLock { lines -> Int? in
            lines.append(Line(camera: camera, text: text))
            return lines.count > Self.most ? lines.removeFirst().camera : nil
        }
        if let lost { metrics.update(lost) { $0.undelivered += 1 } }
    }

    /// Sends what waits until cancelled; a receiver that fails is tried again, ever more rarely.
    func run() async {
        var pause = Duration.milliseconds(200)
        var hasFailed = false
        while !Task.isCancelled {
            guard let failure = await sendSome() else {
                pause = .milliseconds(200)
                hasFailed = false
                try? await Task.sleep(for: pause)
                continue
            }
            if !hasFailed { Console.shared.line("kinema: webhook: \(failure); results wait, at most \(Self.most)") }
            hasFailed = true
            pause = min(pause * 2, .seconds(30))
            try? await Task.sleep(for: pause)
        }
    }

    /// Sends everything that waits, as far as it is taken; what is not counts as undelivered.
    func flush() async {
        while !lines.withLock({ $0.isEmpty }) {
            guard await sendSome() != nil else { continue }
            for line in lines.withLock({ $0 }) { metrics.update(line.camera) { $0.undelivered += 1 } }
            return
        }
    }

    /// Sends the oldest lines; nil if they were taken or there were none.
    private func sendSome() async -> String? {
        let batch = lines.withLock { lines in
            var bytes = 0
            return Array(
                lines.prefix(Self.mostAtOnce).prefix { line in
                    bytes += line.text.count
                    return bytes <= Self.mostBytes || bytes == line.text.count
                })
        }
        guard !batch.isEmpty else { return nil }
        if let failure = await sender.post(batch.flatMap(\.text)) { return failure }
        // Some of them may have made room meanwhile.
        lines.withLock { $0.removeFirst(min(batch.count, $0.count)) }
        return nil
    }
}
