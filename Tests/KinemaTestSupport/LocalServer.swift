import Foundation
import Synchronization

/// A server of `Tests/Servers` on this machine, which a test can kill and start again at the same port.
package final class LocalServer: Sendable {
    /// The servers by their scripts.
    package enum Kind: String {
        /// A real RTSP server.
        case rtsp
        /// A web server that misbehaves on demand.
        case web
        /// A real broker of MQTT.
        case broker
        /// Encryption before another server.
        case tls
    }

    /// What a test needs and does not find, with the command that mends it.
    package struct Failure: Error, CustomStringConvertible {
        /// What was wrong.
        package let description: String
    }

    /// The port it listens on.
    package var port: Int { state.withLock { $0.port } }

    private struct State {
        var port = 0
        var process: Process?
    }

    private let kind: Kind
    private let arguments: [String]
    private let state = Mutex(State())

    /// Starts a server and waits until it listens.
    package init(_ kind: Kind, _ arguments: String...) throws {
        self.kind = kind
        self.arguments = arguments
        try start()
    }

    deinit {
        stop()
    }

    /// Starts it again where it was.
    package func start() throws {
        let process = Process()
        // The distribution's Python, which has GStreamer's bindings, whatever other comes first.
        process.executableURL = URL(filePath: "/usr/bin/python3")
        let script = SharedData.package.appending(path: "Tests/Servers/\(kind.rawValue).py")
        process.arguments = [script.path, String(port)] + arguments
        process.standardInput = FileHandle.nullDevice
        // Into a file, not a pipe, which every other process started meanwhile would inherit.
        let files = try TemporaryFolder()
        let output = files.file("output")
        try Data().write(to: output)
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = FileHandle.nullDevice
        try process.run()
        let end = ContinuousClock.now + .seconds(30)
        while true {
            let words = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
            if words.hasPrefix("ready "), words.hasSuffix("\n"), let port = Int(words.filter(\.isNumber)) {
                return state.withLock { $0 = State(port: port, process: process) }
            }
            guard process.isRunning, ContinuousClock.now < end else {
                process.terminate()
                throw Failure(
                    description: "the \(kind.rawValue) server for tests did not start; run script/bootstrap --tests")
            }
            Thread.sleep(forTimeInterval: 0.01)
        }
    }

    /// Kills it, without a word to whoever is connected.
    package func stop() {
        let process = state.withLock { state -> Process? in
            defer { state.process = nil }
            return state.process
        }
        guard let process else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Stops it in mid-word, the connections staying open; `resume()` lets it go on.
    package func freeze() {
        signal(SIGSTOP)
    }

    /// Lets a frozen one go on.
    package func resume() {
        signal(SIGCONT)
    }

    private func signal(_ number: Int32) {
        state.withLock { if let process = $0.process { kill(process.processIdentifier, number) } }
    }
}
