import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

@testable import KinemaMedia

/// Cameras, as far as a machine without one can: a filter stands in for it.
@Suite(.tags(.realTime), .serialized) struct CameraTests {
    @Test
    func `A filter stands in for a camera, in real time, and ends where it ends`() async throws {
        let following = Following("camera:lavfi:testsrc2=size=160x120:rate=30:duration=1")
        let began = ContinuousClock.now
        let frames = try await following.read()
        #expect(ContinuousClock.now - began >= .milliseconds(900))
        #expect(frames.isLive && frames.frameSize == CGSize(width: 160, height: 120))
        #expect(frames.tally.arrived == 30 && frames.tally.isSettled, "\(frames.tally)")
        #expect(following.times.isStrictlyIncreasing && following.states == [.connecting, .live])
        // Thirty frames a second are 3000 ticks each; a machine that is behind may shift them by a hundredth.
        let starts = following.ids.map(\.range.lowerBound)
        let steps = zip(starts, starts.dropFirst()).map { $1 - $0 }
        #expect(steps.allSatisfy { abs($0 - ($0 + 1500) / 3000 * 3000) <= 30 }, "\(steps)")
    }

    @Test
    func `readCamera gives frames with Apple's names, and one iteration`() async throws {
        var configuration = VideoReader.CameraConfiguration(resolution: .low)
        configuration.device = "lavfi:testsrc2=size=160x120:rate=30"
        let buffers = try await VideoReader.readCamera(configuration: configuration)
        #expect(buffers.count == nil && buffers.frameSize == CGSize(width: 160, height: 120))
        var iterator = buffers.makeAsyncIterator()
        var times: [Double] = []
        while let frame = try await iterator.next() {
            times.append(frame.feature.time)
            if times.count == 5 { break }
        }
        #expect(times.isStrictlyIncreasing && buffers.tally.analysed == 5)
        var another = buffers.makeAsyncIterator()
        await #expect(throws: KinemaError.self) { try await another.next() }
    }

    @Test
    func `A missing device, a file that is none, a folder and no camera at all are reported in one line`() async throws
    {
        let folder = try TemporaryFolder()
        try Data("no camera".utf8).write(to: folder.file("plain"))
        func message(_ argument: String) async throws -> String {
            let error = try #require(try await Following(argument).failure(), "\(argument) was read")
            #expect(error.code == .unreadableInput && error.file == argument && !error.message.contains("\n"))
            return error.message
        }
        #expect(try await message("camera:/dev/video63").contains("no such camera"))
        #expect(try await message("camera:\(folder.file("plain").path)").contains("is not a camera"))
        #expect(try await message("camera:\(folder.url.path)").contains("is not a camera"))
        #expect(try await message("camera:/dev/null").contains("is not a camera"))
        #expect(try await message("camera:lavfi:nosuchfilter").contains("this filter delivers no frames"))
        if geteuid() != 0 {
            try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: folder.file("plain").path)
            #expect(try await message("camera:\(folder.file("plain").path)").contains("group video"))
        }
        if !FileManager.default.fileExists(atPath: "/dev/video0") {
            #expect(try await message("camera").contains("no camera; connect one"))
        }
    }

    @Test(arguments: [
        (EBUSY, "in use by another program"), (ENODEV, "plug it in again"), (EACCES, "group video"),
        (ENOSPC, "reconnect it"),
    ])
    func `What the kernel says of a camera is reported with what to do`(number: Int32, words: String) {
        let error = KinemaError.unusable("camera:/dev/video0", -number, isFilter: false)
        #expect(error.message.contains(words), "\(error)")
    }
}
