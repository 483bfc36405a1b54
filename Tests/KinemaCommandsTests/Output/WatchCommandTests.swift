import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

@testable import KinemaCommands
@testable import KinemaStudioCommands
@testable import KinemaWatch

extension CommandTests {
    /// `kinema watch`: several inputs, one process.
    struct WatchCommandTests {
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func file(_ text: String) throws -> String {
            try Data(text.utf8).write(to: folder.file("cameras.yaml"))
            return folder.file("cameras.yaml").path
        }

        /// The lines a camera's results hold, of whichever day.
        private func results(_ camera: String) throws -> [[String: Any]] {
            let place = folder.file("out/\(camera)")
            let days = try FileManager.default.contentsOfDirectory(atPath: place.path).sorted()
            return try days.flatMap { day in
                try Data(contentsOf: place.appending(path: day)).split(separator: 10).map {
                    try #require(try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any])
                }
            }
        }

        @Test func `every input has its own task and results, which also go to the webhook`() async throws {
            let server = try LocalServer(.web, folder.url.path)
            let run = try await Program().run([
                "watch",
                try file(
                    """
                    folder: \(folder.file("out").path)
                    webhook: http://127.0.0.1:\(server.port)/hook
                    cameras:
                      - {name: rack, input: \(try Clips.squat.get().path), task: count}
                      - {name: door, input: \(try Clips.pair.get().path), task: pose, options: [--max-people, "2"]}
                    """),
            ])
            #expect(run.status == 0, "\(run.complaint)")
            let (rack, door) = (try results("rack"), try results("door"))
            let counted = rack.compactMap { ($0["event"] as? [String: Any])?["count"] as? Int }
            #expect(counted.last == 1, "\(rack)")
            #expect(
                door.allSatisfy { $0["camera"] as? String == "door" && ($0["at"] as? String)?.hasSuffix("Z") == true })
            let people = door.compactMap { ($0["event"] as? [String: Any])?["people"] as? [Any] }
            #expect(people.count > 5 && people.last?.count == 2)
            // The first POST was refused, so it was sent again; each line came once.
            let posts = try String(contentsOf: folder.file("posts"), encoding: .utf8).split(separator: "\n")
            #expect(posts.count == rack.count + door.count && Set(posts).count == posts.count, "\(run.complaint)")
        }

        @Test func `an https webhook gets every line, and none without a certificate that is trusted`() async throws {
            let web = try LocalServer(.web, folder.url.path)
            let door = try LocalServer(.tls, "\(web.port)", folder.url.path)
            let words = [
                "watch",
                try file(
                    """
                    folder: \(folder.file("out").path)
                    webhook: https://localhost:\(door.port)/hook
                    cameras: [{name: rack, input: \(try Clips.nobody.get().path), task: pose}]
                    """),
            ]
            var program = Program()
            program.environment["SSL_CERT_FILE"] = folder.file("own.pem").path
            let run = try await program.run(words)
            #expect(run.status == 0, "\(run.complaint)")
            func posts() throws -> Int {
                try String(contentsOf: folder.file("posts"), encoding: .utf8).split(separator: "\n").count
            }
            let count = try results("rack").count
            #expect(count > 0)
            #expect(try posts() == count)
            program.environment["SSL_CERT_FILE"] = "/etc/ssl/certs/ca-certificates.crt"
            let other = try await program.run(words)
            #expect(
                other.status == 1 && other.complaint.contains("webhook: its certificate is not signed by a trusted"),
                "\(other.complaint)")
            #expect(try posts() == count)
        }

        @Test func `metrics and health are reported while it runs`() async throws {
            let running = try Program().start([
                "watch",
                try file(
                    """
                    folder: \(folder.file("out").path)
                    listen: 127.0.0.1:0
                    cameras:
                      - {name: hall, input: \(try Clips.long.get().path), task: pose}
                      - {name: gone, input: \(folder.file("gone.mp4").path)}
                    """),
            ])
            let place = #/kinema: metrics at (http://127\.0\.0\.1:\d+)/metrics/#
            #expect(
                try await running.holds {
                    running.complaint.contains("kinema: gone: ") && running.complaint.firstMatch(of: place) != nil
                })
            let address = String(try #require(running.complaint.firstMatch(of: place)).output.1)
            func ask(_ path: String) async throws -> String {
                try await Program.shell("curl -s -m 10 -w '%{http_code}' \"$1\"", address + path).text
            }
            var metrics = ""
            let inferred = #/kinema_stage_seconds_total\{stage="infer"\} (?:[1-9]|0\.\d*[1-9])/#
            for _ in 0..<2000 where !metrics.contains(inferred) { metrics = try await ask("/metrics") }
            #expect(metrics.contains("kinema_camera_up{camera=\"hall\"} 1") && metrics.hasSuffix("200"), "\(metrics)")
            #expect(metrics.contains("kinema_camera_up{camera=\"gone\"} 0"))
            #expect(metrics.contains("kinema_frame_latency_seconds_bucket{camera=\"hall\",le=\"+Inf\"}"))
            #expect(metrics.contains("# TYPE kinema_stage_seconds_total counter"))
            #expect(
                metrics.contains(inferred) && metrics.contains(#/received_total\{camera="hall"\} [1-9]/#), "\(metrics)")
            let health = try await ask("/healthz")
            #expect(health.hasPrefix("hall live\ngone failed: ") && health.hasSuffix("503"), "\(health)")
            #expect(try await ask("/secret").hasSuffix("404"))
            // Idle connections, more than the server has room for, and a page that has its name resolve to this machine.
            let port = address.split(separator: ":").last.map(String.init) ?? ""
            let crowd = try await Program.shell(
                """
                python3 -c 'import socket,sys; all=[socket.create_connection(("127.0.0.1",int(sys.argv[1]))) for _ in range(300)]
                print(len(all))' "$1"
                """, port)
            #expect(crowd.text == "300\n", "\(crowd.complaint)")
            #expect(try await ask("/metrics").hasSuffix("200"))
            let other = try await Program.shell(
                "curl -s -m 10 -w '%{http_code}' -H 'Host: evil.example' \"$1\"", address + "/metrics")
            #expect(other.text.hasSuffix("421") && !other.text.contains("hall"), "\(other.text)")
            running.interrupt()
            #expect(try await running.outcome().status == 130)
        }

        @Test(arguments: [
            ("cameras: []", "lists no cameras"), ("- a\n", "lists no cameras"), ("cameras: [", "is not YAML"),
            ("camera: []", "file has the unknown key camera; use one of cameras, folder, hosts, listen, mqtt, webhook"),
            ("cameras: [{name: a, input: x, tusk: count}]", "camera 1 has the unknown key tusk"),
            ("cameras: [{name: a/b, input: x}]", "camera 1 needs a name"), ("cameras: [{name: a}]", "a has no input"),
            ("cameras: [{name: a, input: x, task: fly}]", "a has the unknown task fly; use one of pose, count"),
            ("cameras: [{name: a, input: x, options: [--nothing]}]", "a: "),
            ("cameras: [{name: a, input: x, options: [--format, csv]}]", "leave out --format"),
            ("cameras: [{name: a, input: x, options: [--help]}]", "a: an option that prints help cannot be used here"),
            ("cameras: [{name: a, input: x, options: [-h]}]", "cannot be used here; see kinema count --help"),
            ("cameras: [{name: a, input: x, options: [--help-hidden]}]", "an option that prints help"),
            ("cameras: [{name: a, input: x}, {name: a, input: y}]", "two cameras are named a"),
            ("cameras: [{name: a, input: '-'}]", "a cannot be standard input"),
            ("listen: nowhere\ncameras: [{name: a, input: x}]", "listen must be a host and a port"),
            ("hosts: gym.example\ncameras: [{name: a, input: x}]", "hosts must be a list of names"),
            ("hosts: [http://gym.example]\ncameras: [{name: a, input: x}]", "hosts must be a list of names"),
            ("webhook: https://:443/\ncameras: [{name: a, input: x}]", "webhook has no host"),
            ("webhook: ftp://x/\ncameras: [{name: a, input: x}]", "webhook must be an address"),
        ])
        func `a file that makes no sense is refused in one line`(text: String, words: String) throws {
            let error = #expect(throws: KinemaError.self) { try WatchConfiguration(text) }
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
            #expect(error?.message.contains("\n") == false)
        }

        @Test func `without a file the error names the help`() async throws {
            let run = try await Program.run("watch", folder.file("no.yaml").path)
            #expect(run.status == 65 && run.complaints.count == 1, "\(run.complaint)")
            #expect(run.complaint.contains("no.yaml: no such file; see kinema watch --help"), "\(run.complaint)")
        }

        @Test func `frames are put into the bucket of how long they took`() {
            let metrics = WatchMetrics(["a", "b"])
            metrics.update(1) { counts in
                for seconds in [0.005, 0.04, 0.04, 9] { counts.took(seconds) }
                counts.restarts = 2
            }
            let lines = metrics.text.split(separator: "\n")
            for expected in [
                "kinema_frame_latency_seconds_bucket{camera=\"b\",le=\"0.01\"} 1",
                "kinema_frame_latency_seconds_bucket{camera=\"b\",le=\"0.05\"} 3",
                "kinema_frame_latency_seconds_bucket{camera=\"b\",le=\"5.0\"} 3",
                "kinema_frame_latency_seconds_bucket{camera=\"b\",le=\"+Inf\"} 4",
                "kinema_frame_latency_seconds_count{camera=\"b\"} 4", "kinema_restarts_total{camera=\"b\"} 2",
                "kinema_restarts_total{camera=\"a\"} 0",
            ] { #expect(lines.contains { $0 == expected }, "\(expected)") }
        }
    }
}
