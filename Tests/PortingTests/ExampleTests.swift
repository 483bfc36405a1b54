import Foundation
import Kinema
import KinemaTestSupport
import Testing

/// The example program, run as a process of its own.
struct ExampleTests {
    private func run(_ arguments: String...) throws -> (status: Int32, output: String, complaint: String) {
        let tests =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        let process = Process()
        process.executableURL = URL(filePath: tests).deletingLastPathComponent().appending(path: "CountMyActions")
        process.arguments = arguments
        let (output, complaint) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = complaint
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let words = String(decoding: complaint.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text, words)
    }

    @Test func `the built-in scene is counted to its end, one line a repetition`() throws {
        let run = try run("--demo")
        let lines = run.output.split(separator: "\n")
        #expect(run.status == 0, "\(run.complaint)")
        #expect(lines.last == "8 repetitions")
        #expect(lines.dropLast().compactMap { Int($0.split(separator: " ").last ?? "") }.last == 8)
    }

    @Test func `a file that is missing ends it with one line`() throws {
        let run = try run("/nowhere/clip.mp4")
        #expect(run.status == 1 && run.output.isEmpty)
        #expect(run.complaint.split(separator: "\n").count == 1)
        #expect(run.complaint.contains("/nowhere/clip.mp4"))
    }
}
