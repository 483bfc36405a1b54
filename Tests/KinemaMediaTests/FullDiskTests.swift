import Foundation
import KinemaCore
import Testing

@testable import KinemaMedia

/// A file system of a few hundred kilobytes, where the right to mount one is given.
final class TinyDisk {
    let clips: Clips

    init(kilobytes: Int) throws {
        clips = try Clips()
        try Clips.run("mount", ["-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", clips.folder.path])
    }

    deinit {
        // Lazily: a writer that outlives the disk still has its file open.
        _ = try? Clips.run("umount", ["-l", clips.folder.path])
    }

    static let isAvailable = (try? TinyDisk(kilobytes: 64)) != nil
}

@Suite(.enabled(if: TinyDisk.isAvailable, "mounting a small file system is not allowed here")) struct FullDiskTests {
    /// Noise, which barely compresses.
    static func noise(_ index: Int) -> Bitmap {
        var source = SystemNoise(seed: UInt64(index))
        return Bitmap(width: 64, height: 64, pixels: (0..<64 * 64 * 4).map { _ in source.next() })
    }

    @Test
    func `A disk that fills up ends the video with one line and leaves the part before playable`() async throws {
        let disk = try TinyDisk(kilobytes: 300)
        let url = disk.clips.url("full.mp4")
        var writer = try VideoWriter(url: url, width: 64, height: 64, timescale: 30)
        var failure: KinemaError?
        for index in 0..<1000 where failure == nil {
            do { try writer.append(Self.noise(index), at: index..<index + 1) } catch { failure = error as? KinemaError }
        }
        #expect(failure?.code == .unwritableOutput && failure?.message.contains("disk is full") == true)
        #expect(failure?.file == url.path)
        var count = 0
        let diagnostics = DiagnosticCollector()
        for try await _ in try await VideoReader.read(.file(url), diagnostics: diagnostics) { count += 1 }
        #expect(count >= 30, "\(count)")
        #expect(diagnostics.diagnostics == [])
    }

    @Test
    func `A disk that is full from the start leaves no file`() throws {
        let disk = try TinyDisk(kilobytes: 4)
        let url = disk.clips.url("full.mp4")
        #expect(throws: KinemaError.self) {
            var writer = try VideoWriter(url: url, width: 64, height: 64, timescale: 30)
            for index in 0..<100 { try writer.append(Self.noise(index), at: index..<index + 1) }
            try writer.finish()
        }
        #expect(throws: KinemaError.self) {
            try ImageWriter.write(Self.noise(1), to: disk.clips.url("full.png"))
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: disk.clips.folder.path)
        #expect(left == [])
    }

    @Test
    func `Without room for a second copy, finishing keeps the file as it is`() async throws {
        let disk = try TinyDisk(kilobytes: 300)
        let url = disk.clips.url("tight.mp4")
        var writer = try VideoWriter(url: url, width: 64, height: 64, timescale: 30)
        var frames = 0
        let size = { (try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int) ?? 0 }
        while try size() < 150_000 {
            try writer.append(Self.noise(frames), at: frames..<frames + 1)
            frames += 1
        }
        try writer.finish()
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.clips.folder.path) == ["tight.mp4"])
        var count = 0
        for try await _ in try await VideoReader.read(contentsOf: url) { count += 1 }
        #expect(count == frames)
    }
}
