@testable import KinemaHistory
import Foundation
import Kinema
import KinemaCore
import KinemaDraw
import KinemaMedia
@testable import KinemaHTTP
@testable import KinemaStudio

/// Repeatedly opens and closes objects that hold memory, descriptors or threads of C libraries; what the process holds
/// must not grow with the number of cycles. Models are left out: OpenVINO's threads load a library with RTLD_DEEPBIND,
/// which the address sanitizer does not allow.
enum Cycles {
    /// What the process holds.
    private struct Held {
        var kilobytes: Int
        var descriptors: Int
        var threads: Int

        static var now: Held {
            let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            func number(_ name: String) -> Int {
                let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
                return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
            }
            let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            return Held(kilobytes: number("VmRSS:"), descriptors: files?.count ?? 0, threads: number("Threads:"))
        }
    }

    /// The growth allowed per thousand cycles, for the allocator's variation. A lost frame of the clip has 9 KB, so one
    /// per cycle would add 9 MB.
    private static let allowedKilobytes = 4096

    /// Runs each cycle `count` times; returns the exit code, 1 if anything grows.
    static func run(_ count: Int) async throws -> CInt {
        let clip = try clip(), picture = Harness.folder.appending(path: "picture.png")
        try ImageWriter.write(Bitmap(width: 96, height: 64, red: 90), to: picture)
        var grows = false
        func measure(_ name: String, _ count: Int, _ cycle: () async throws -> Void) async throws {
            // The first cycles fill caches.
            for _ in 0..<max(50, count / 10) { try await cycle() }
            try await settle()
            let before = Held.now
            for _ in 0..<count { try await cycle() }
            try await settle()
            let after = Held.now
            let limit = allowedKilobytes * max(1, count / 1000)
            let isSteady =
                after.kilobytes - before.kilobytes < limit && after.descriptors <= before.descriptors
                && after.threads <= before.threads + 2
            if !isSteady { grows = true }
            print(
                "\(name): \(count) cycles: \(before.kilobytes) KB before, \(after.kilobytes) KB after; "
                    + "\(before.descriptors) and \(after.descriptors) descriptors, "
                    + "\(before.threads) and \(after.threads) threads\(isSteady ? "" : "; grows")")
        }
        try await measure("video reader", count) {
            for try await _ in try await VideoReader.read(contentsOf: clip) { break }
        }
        try await measure("image reader", count) { _ = try ImageReader.read(contentsOf: picture) }
        try await measure("studio session", count) { await session() }
        try await measure("drawing", count) { draw() }
        return grows ? 1 : 0
    }

    /// Gives threads time to end.
    private static func settle() async throws { try await Task.sleep(for: .milliseconds(300)) }

    private static func clip() throws -> URL {
        let url = Harness.folder.appending(path: "clip.mp4")
        var writer = try VideoWriter(url: url, width: 96, height: 64, timescale: 30, nominalFrameRate: 30)
        for frame in 0..<6 {
            let bitmap = Bitmap(width: 96, height: 64, red: UInt8(frame * 40), green: 90, blue: 120)
            try writer.append(bitmap, at: frame..<frame + 1)
        }
        try writer.finish()
        return url
    }

    private static func draw() {
        var bitmap = Bitmap(width: 96, height: 64)
        try? bitmap.draw { canvas in
            canvas.text("12", at: CGPoint(x: 10, y: 30), size: 20, color: Color(hex: 0xFFFFFF))
            canvas.disc(at: CGPoint(x: 40, y: 30), radius: 8, color: Color(hex: 0x0072B2))
        }
    }

    // MARK: Sessions

    private static let service = LiveService(LiveConfiguration()) { _, _ in IdleAnalysis() }
    private static let planes = Data(repeating: 90, count: 96 * 64 * 3 / 2)

    /// A client that starts, sends a few frames and leaves.
    private static func session() async {
        let (messages, client) = AsyncThrowingStream<SocketMessage, any Error>.makeStream()
        client.yield(.text(#"{"type":"start","mode":"poses","source":{"kind":"browser","name":"test"}}"#))
        let planar = PlanarPicture(width: 96, height: 64, isBT709: true, isFullRange: false, samples: planes)
        for index in 0..<3 {
            guard let planar else { continue }
            let frame = FrameMessage(
                sequence: UInt32(index + 1), time: Double(index), width: 96, height: 64, picture: .planar(planar))
            client.yield(.binary(frame.bytes))
        }
        client.finish()
        await service.serve(SilentSocket(messages: messages))
    }

    /// A socket whose client reads everything and answers nothing.
    private struct SilentSocket: LiveSocket {
        let messages: AsyncThrowingStream<SocketMessage, any Error>
        var isBehind: Bool { false }
        func send(_ message: SocketMessage) async throws {}
        func close(code: UInt16, reason: String) async {}
    }

    /// An analysis that finds nothing.
    private struct IdleAnalysis: FrameAnalysing {
        mutating func take(_ frame: VideoFrame) throws -> LiveFindings { LiveFindings() }
        func catchUp() {}
        func apply(_ command: DrawingCommand) {}
        func finish() -> [AnalysisEvent] { [] }
        func write(to json: inout JSONText) {}
        func summarise(_ session: inout StoredSession) {}
    }
}
