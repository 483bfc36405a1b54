import Foundation
import Kinema
import KinemaCore
import KinemaMedia
import KinemaSynth
import KinemaTestSupport
import Testing

@testable import KinemaHTTP
@testable import KinemaStudio

@Suite(.tags(.realTime)) struct LiveSourceTests {
    private func clip(in folder: TemporaryFolder, repetitions: Int) throws -> (URL, SynthScene) {
        let scene = SynthScene.exercise(
            .jumpingJack, repetitions: repetitions, seed: 2, view: .front, secondsPerRepetition: 1,
            settings: .init(width: 320, height: 240))
        let url = folder.file("clip.mp4")
        try RenderedVideo.write(scene, to: url)
        return (url, scene)
    }

    @Test func `a file is played in real time and shown`() async throws {
        let folder = try TemporaryFolder()
        let (url, scene) = try clip(in: folder, repetitions: 2)
        var configuration = LiveConfiguration()
        configuration.inputs = [.init(name: "clip", argument: url.path)]
        let client = LiveClient(.slow(configuration, pause: 0.06))
        let begin = ContinuousClock.now
        client.socket.say(#"{"type":"start","mode":"poses","source":{"kind":"input","name":"clip"}}"#)
        let ended = await client.next("ended")
        let seconds = (ContinuousClock.now - begin) / .seconds(1)
        #expect(ended?["reason"] as? String == "finished")
        // At its own pace, which a busy machine can only slow down, and dropping what a slow analysis cannot follow.
        #expect(seconds > scene.duration - 0.2)
        let (sent, analysed, dropped) = (
            ended?["arrived"] as? Int ?? 0, ended?["analysed"] as? Int ?? 0, ended?["dropped"] as? Int ?? 0
        )
        #expect(sent == scene.frameCount)
        #expect(sent == analysed + dropped && dropped > 0)
        // Each result comes after its picture.
        #expect(client.pictures.count == client.all("result").count)
        #expect(client.pictures.first.flatMap(\.jpegHeader)?.width == 320)
        await client.leave()
    }

    @Test(.timeLimit(.minutes(1)))
    func `stopping a file stops its reading`() async throws {
        let folder = try TemporaryFolder()
        let (url, _) = try clip(in: folder, repetitions: 3)
        var configuration = LiveConfiguration()
        configuration.inputs = [.init(name: "clip", argument: url.path)]
        configuration.orientation = PixelOrientation(degreesClockwise: 90)
        let client = LiveClient(.slow(configuration))
        client.socket.say(#"{"type":"start","mode":"poses","source":{"kind":"input","name":"clip"}}"#)
        let result = await client.next("result")
        // Results and pictures are those of the turned frames.
        #expect(result?["width"] as? Int == 240 && client.pictures.first.flatMap(\.jpegHeader)?.width == 240)
        let ended = await client.stop()
        #expect(ended?["reason"] as? String == "stopped")
        #expect((ended?["arrived"] as? Int) == (ended?["analysed"] as? Int ?? 0) + (ended?["dropped"] as? Int ?? 0))
        #expect(client.all("error").isEmpty)
        await client.leave()
    }

    @Test func `an upload is analysed whole with its overlay and poses`() async throws {
        let folder = try TemporaryFolder()
        let (url, scene) = try clip(in: folder, repetitions: 3)
        let upload = try StudioUpload(of: url, name: "mine.mp4", in: folder)
        var configuration = LiveConfiguration()
        configuration.upload = { $0 == "abc" ? upload : nil }
        let client = LiveClient(LiveService(configuration))
        client.socket.say(
            #"{"type":"start","mode":"count","source":{"kind":"upload","id":"abc"},"overlay":true}"#)
        let ended = await client.next("ended")
        #expect(ended?["reason"] as? String == "finished")
        #expect(ended?["analysed"] as? Int == scene.frameCount)
        #expect(ended?["dropped"] as? Int == 0)
        let summary = try #require(ended?["summary"] as? [String: Any])
        #expect(summary["count"] as? Int == scene.count)
        #expect(summary["source"] as? String == "mine.mp4")
        #expect(summary["model"] as? String == "blazepose")
        #expect(client.all("progress").last?["fraction"] as? Double == 1)
        let lines = try String(contentsOf: upload.poses, encoding: .utf8).split(separator: "\n")
        // Fifteen a second are analysed, and all are in the overlay.
        #expect(lines.count == (scene.frameCount + 1) / 2)
        let mode = try FileManager.default.attributesOfItem(atPath: upload.poses.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        var frames = 0
        for try await _ in try await VideoReader.read(contentsOf: upload.overlay) { frames += 1 }
        #expect(frames == scene.frameCount)
        await client.leave()
    }

    @Test func `an upload that is alone is read in parts, as a file is`() async throws {
        let folder = try TemporaryFolder()
        let (url, scene) = try clip(in: folder, repetitions: 9)
        let upload = try StudioUpload(of: url, name: "mine.mp4", in: folder)
        var configuration = LiveConfiguration()
        configuration.upload = { _ in upload }
        configuration.uploadWorkers = 2
        let client = LiveClient(LiveService(configuration))
        client.socket.say(#"{"type":"start","mode":"count","source":{"kind":"upload","id":"abc"}}"#)
        let ended = await client.next("ended")
        #expect(ended?["analysed"] as? Int == (scene.frameCount + 1) / 2 && ended?["dropped"] as? Int == 0)
        await client.leave()
        for jobs in [2, 1] {
            var pipeline = PosePipeline.live(people: .prominent, precision: .counting)
            (pipeline.mode, pipeline.jobs) = (.file, jobs)
            var json = JSONText()
            var index = 0
            let frames = try await VideoReader.read(.file(url), isolation: .none, selection: .perSecond(15))
            for try await element in pipeline(frames) {
                let (frame, seen) = (element.feature.frame, element.feature)
                json.frame(
                    ExportedFrame(
                        index: index, time: frame.time, width: frame.width, height: frame.height, poses: seen.poses,
                        hands: seen.hands))
                json.newline()
                index += 1
            }
            let poses = try Data(contentsOf: upload.poses)
            #expect(scene.duration > 8 && (poses == Data(json.bytes)) == (jobs == 2))
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `an upload is analysed by one session at a time`() async throws {
        let folder = try TemporaryFolder()
        let (url, _) = try clip(in: folder, repetitions: 3)
        let upload = try StudioUpload(of: url, name: "mine.mp4", in: folder)
        var configuration = LiveConfiguration()
        configuration.upload = { _ in upload }
        let service = LiveService.slow(configuration, pause: 0.2)
        let start = #"{"type":"start","mode":"poses","source":{"kind":"upload","id":"abc"}}"#
        let (first, second) = (LiveClient(service), LiveClient(service))
        first.socket.say(start)
        _ = await first.next("result")
        second.socket.say(start)
        let error = await second.next("error")
        #expect(error?["code"] as? String == "busy")
        #expect((error?["message"] as? String)?.contains("is already being analysed") == true)
        #expect(await second.next("ended")?["reason"] as? String == "failed")
        #expect(await first.stop()?["reason"] as? String == "stopped")
        // It is free again.
        second.socket.say(start)
        #expect(await second.next("result", "error")?["type"] as? String == "result")
        await first.leave()
        await second.leave()
    }

    @Test(.timeLimit(.minutes(1)))
    func `an upload waits in the queue, says its place and starts by itself`() async throws {
        let folder = try TemporaryFolder()
        let (url, _) = try clip(in: folder, repetitions: 1)
        let upload = try StudioUpload(of: url, name: "mine.mp4", in: folder)
        var configuration = LiveConfiguration()
        configuration.upload = { _ in upload }
        configuration.uploadsAtOnce = 1
        let service = LiveService.slow(configuration, pause: 0.2)
        func start(_ id: String) -> LiveClient {
            let client = LiveClient(service)
            client.socket.say(#"{"type":"start","mode":"poses","source":{"kind":"upload","id":"\#(id)"}}"#)
            return client
        }
        // The others come when the first is at work: who asks at the same time may be first.
        var clients = [start("a")]
        _ = await clients[0].next("result")
        clients += [start("b"), start("c")]
        var places: [[Int]] = []
        for client in clients[1...] {
            let state = await client.next("state")
            #expect(state?["state"] as? String == "queued")
            places.append([state?["position"] as? Int ?? 0])
        }
        #expect(places.joined().sorted() == [1, 2])
        // Who is next goes away, and who came last is next.
        let (next, last) = places[0] == [1] ? (clients[1], clients[2]) : (clients[2], clients[1])
        #expect(await next.stop()?["reason"] as? String == "stopped")
        #expect(await last.next("state")?["position"] as? Int == 1)
        #expect(await clients[0].stop()?["reason"] as? String == "stopped")
        #expect(await last.next("result", "error")?["type"] as? String == "result")
        for client in clients { await client.leave() }
    }

    @Test func `pictures that are too large are refused with the limit`() async throws {
        let folder = try TemporaryFolder()
        let script = SharedData.package.appending(path: "Tests/Servers/hostile.py")
        let process = try Process.run(URL(filePath: "/usr/bin/python3"), arguments: [script.path, folder.url.path])
        process.waitUntilExit()
        let upload = try StudioUpload(of: folder.file("large.gif"), name: "large.gif", in: folder)
        var configuration = LiveConfiguration()
        configuration.upload = { _ in upload }
        let client = LiveClient(.slow(configuration))
        client.socket.say(#"{"type":"start","mode":"poses","source":{"kind":"upload","id":"abc"},"overlay":true}"#)
        let error = await client.next("error")
        #expect((error?["message"] as? String)?.hasPrefix("frames of 16384x6100 are too large: at most 4096") == true)
        await client.leave()
    }

    @Test func `a shared studio opens no stream in the local network and reveals nothing about it`()
        async throws
    {
        let folder = try TemporaryFolder()
        try Data("no picture".utf8).write(to: folder.file("0.jpg"))
        let server = try LocalServer(.web, folder.url.path)
        func message(_ url: String, _ streams: LiveConfiguration.Streams) async -> String {
            var configuration = LiveConfiguration()
            configuration.streams = streams
            let client = LiveClient(.slow(configuration))
            client.socket.say(#"{"type":"start","mode":"poses","source":{"kind":"stream","url":"\#(url)"}}"#)
            let error = await client.next("error", "result")
            await client.leave()
            return error?["message"] as? String ?? ""
        }
        let home = "http://127.0.0.1"
        // A closed port, a missing page and what is no picture, of a machine that may be reached and of one that may not.
        var heard: Set<String> = []
        for place in [
            "\(home):1/", "\(home):\(server.port)/none", "\(home):\(server.port)/0.jpg", "rtsp://127.0.0.1:1/",
        ] {
            heard.insert(await message(place, .publicAddresses()))
            heard.insert(await message(place, .publicAddresses(and: [NetworkAddress([127, 0, 0, 1])])))
        }
        #expect(heard.count == 1 && heard.first?.hasPrefix("this stream cannot be opened") == true, "\(heard)")
        #expect(await message("\(home):\(server.port)/none", .all).contains("no such stream"))
        #expect(await message("\(home):1/", .none).contains("--page-streams"))
    }

    @Test(arguments: [
        (#"{"kind":"input","name":"/etc/passwd"}"#, "unknown input"),
        (#"{"kind":"upload","id":"../x"}"#, "no such upload"),
        (#"{"kind":"camera","device":"lavfi:movie=/etc/passwd"}"#, "unknown camera"),
        (#"{"kind":"stream","url":"file:///etc/passwd"}"#, "addresses begin with rtsp://"),
    ])
    func `what is not offered is not opened`(_ source: String, because reason: String) async throws {
        let client = LiveClient(.slow())
        client.socket.say(#"{"type":"start","mode":"poses","source":\#(source)}"#)
        let error = await client.next("error")
        #expect(error?["code"] as? String == "unreadable")
        // What was tried and could not be opened would fail too, so the reason counts.
        #expect((error?["message"] as? String)?.contains(reason) == true)
        #expect(await client.next("ended")?["reason"] as? String == "failed")
        await client.leave()
    }
}
