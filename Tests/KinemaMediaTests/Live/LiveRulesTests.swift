import Foundation
import KinemaCore
import Testing

@testable import KinemaMedia

@Suite struct LiveRulesTests {
    @Test
    func `Attempts follow each other quickly enough to find a server that is back within 2 s`() {
        var backoff = ReconnectBackoff(LiveOptions())
        let attempts = (0..<9).map { _ in backoff.next() }
        #expect(attempts.prefix(4).map(\.pause) == [.milliseconds(250), .milliseconds(500), .seconds(1), .seconds(1)])
        #expect(attempts.allSatisfy { $0.pause <= .seconds(1) })
        // Every fourth is patient, for servers that are slow to answer.
        #expect(attempts.indices.filter { attempts[$0].timeout > .seconds(2) } == [3, 7])
        #expect(attempts[3].timeout == LiveOptions().connectionTimeout)
        #expect(backoff.attempts == 9)
    }

    @Test
    func `The same picture for too long is a frozen source; a still scene is waited for longer each time`() {
        var frozen = FrozenFrameDetector(timeout: .seconds(10))
        func looks(_ digest: UInt64, _ times: [Int]) -> [Bool] {
            times.map { frozen.isFrozen(digest, at: .seconds($0)) }
        }
        #expect(looks(1, [0, 5, 9]) == [false, false, false])
        #expect(looks(2, [10, 19]) == [false, false])
        #expect(looks(2, [20, 39, 40, 79, 80]) == [true, false, true, false, true])
        #expect(looks(3, [90, 99, 100]) == [false, false, true])
        var patient = FrozenFrameDetector(timeout: nil)
        #expect((0..<1000).allSatisfy { !patient.isFrozen(1, at: .seconds($0)) })
    }

    @Test(arguments: [
        ("rtsp://user:pass@cam/live", "rtsp://cam/live"),
        ("RTSP://user:p@ss@cam:8554/live", "rtsp://cam:8554/live"),
        ("http://cam/video.cgi?user=a&pwd=pass", "http://cam/video.cgi?…"),
        ("rtsp://cam/user=admin_password=pass_channel=1/stream", "rtsp://cam/…/stream"),
        ("rtsp://user:pa/pass@cam/live", "rtsp://…"),
        ("https://cam:444", "https://cam:444"),
        ("http://[::1]:80/a#pass", "http://[::1]:80/a?…"),
    ])
    func `What may be secret in an address is shown nowhere`(given: String, shown: String) throws {
        let address = try StreamAddress(given)
        #expect(address.description == shown)
        let input = MediaInput.stream(address)
        #expect(input.source == shown)
        for text in ["\(input)", "\(address)", String(reflecting: input), input.url.absoluteString] {
            #expect(!text.contains("pass"), "\(text)")
        }
    }

    @Test(arguments: [
        "file:///etc/passwd", "concat://a", "rtmp://h/a", "tcp://h:1", "rtsp://", "http:///a", "http://h/a b",
        "http://h/\r\nX: y", "http://user:secret@",
        // FFmpeg, which reads byte by byte, would connect to the inner host here, and we would check the outer one.
        "rtsp://127.0.0.1:8080/\u{301}@public.example/a", "rtsp://127.0.0.1:8080\u{600}/@public.example/a",
        "rtsp://h/" + String(repeating: "a", count: 3000),
    ])
    func `What is no address of a stream is refused, without repeating it`(argument: String) {
        let error = #expect(throws: KinemaError.self) { try MediaInput(argument: argument) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.description.contains("secret") == false && error?.description.contains("\n") == false)
    }

    @Test
    func `Arguments name files, standard input, cameras and streams`() throws {
        #expect(try MediaInput(argument: "-") == .standardInput)
        #expect(try MediaInput(argument: "a.mp4").source.hasSuffix("/a.mp4"))
        #expect(try MediaInput(argument: "./camera").source.hasSuffix("/camera"))
        #expect(try MediaInput(argument: "camera") == .camera(VideoReader.CameraConfiguration()))
        guard case .camera(let camera) = try MediaInput(argument: "camera:/dev/video2") else {
            return #expect(Bool(false), "no camera")
        }
        #expect(camera.device == "/dev/video2")
        #expect(try MediaInput(argument: "rtsp://h/a") == .stream(StreamAddress("rtsp://h/a")))
        for argument in ["", "camera:"] {
            #expect(throws: KinemaError.self) { try MediaInput(argument: argument) }
        }
    }

    @Test
    func `A stream leads to its own protocol alone`() throws {
        func list(_ address: String) throws -> Set<Substring> {
            Set(InputLimits.protocols(of: try StreamAddress(address)).split(separator: ","))
        }
        for address in ["rtsp://h", "rtsps://h", "http://h", "https://h"] {
            #expect(try list(address).isDisjoint(with: ["file", "pipe", "concat", "subfile", "data", "fd", "unix"]))
        }
        // What was asked for in secret is not fetched in the open.
        #expect(try !list("https://h").contains("http"))
        #expect(try list("http://h").isDisjoint(with: ["rtsp", "rtp", "udp"]))
    }
}
