import Foundation
import KinemaCore
import KinemaTestSupport
import Synchronization
import Testing

@testable import KinemaCommands
@testable import KinemaStudioCommands
@testable import KinemaWatch

extension CommandTests {
    /// What `kinema watch` sends: the lines that wait, and a real broker of MQTT that takes them.
    @Suite(.serialized) struct WatchDeliveryTests {
        /// A receiver that does as it is told.
        private final class Receiver: LineReceiver {
            let name = "receiver"
            let got = Mutex<[String]>([])
            /// How many lines are taken of each batch, and what happens meanwhile.
            let takes: @Sendable (_ batch: Int) -> Int

            init(_ takes: @escaping @Sendable (Int) -> Int) { self.takes = takes }

            func send(_ lines: [WaitingLine]) async -> (taken: Int, failure: String?) {
                let count = min(takes(lines.count), lines.count)
                got.withLock { $0 += lines.prefix(count).map { String(decoding: $0.text, as: UTF8.self) } }
                return (count, count < lines.count ? "no more." : nil)
            }

            func end() async {}
        }

        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private static func add(_ numbers: Range<Int>, to queue: LineQueue) {
            for number in numbers { queue.add(Array("{\"n\":\(number)}\n".utf8), of: number % 2) }
        }

        private func queue(_ port: Int, user: String = "", _ metrics: WatchMetrics) throws -> LineQueue {
            let address = try MQTTAddress("mqtt://\(user)127.0.0.1:\(port)/gym/hall")
            return LineQueue(MQTTPublisher(address, cameras: ["left", "right"], metrics), metrics)
        }

        /// The messages that the broker took, as "topic\tpayload".
        private var messages: [String] {
            ((try? String(contentsOf: folder.file("messages"), encoding: .utf8)) ?? "").split(separator: "\n").map(
                String.init)
        }

        /// The numbers of the lines that the broker took, of both cameras, each once.
        private var numbers: [Int] {
            var seen = Set<Int>()
            return messages.filter { $0.hasSuffix("}") }
                .compactMap { Int(String(decoding: $0.utf8.filter { (48...57).contains($0) }, as: UTF8.self)) }
                .filter { seen.insert($0).inserted }
        }

        private func come(_ condition: () -> Bool) async throws {
            let end = ContinuousClock.now + .seconds(60)
            while !condition(), ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(10)) }
            try #require(condition(), "\(messages.suffix(3))")
        }

        // MARK: The queue

        @Test func `the oldest lines make room and are counted, but for those on their way`() async throws {
            let metrics = WatchMetrics(["left", "right"])
            let late = Mutex<LineQueue?>(nil)
            // While the first 500 are on their way, two more come than there is room for; then the 500 are not taken.
            let receiver = Receiver { batch in
                guard let queue = late.withLock({ $0.take() }) else { return batch }
                Self.add(LineQueue.most..<LineQueue.most + 2, to: queue)
                return 0
            }
            let queue = LineQueue(receiver, metrics)
            Self.add(0..<LineQueue.most, to: queue)
            late.withLock { $0 = queue }
            let running = Task { await queue.run() }
            try await come { late.withLock { $0 == nil } }
            await queue.finish(running)
            let wanted = (0..<LineQueue.most + 2).filter { $0 != 500 && $0 != 501 }.map { "{\"n\":\($0)}\n" }
            #expect(receiver.got.withLock { $0 } == wanted)
            #expect(metrics.counts(0).undelivered == 1 && metrics.counts(1).undelivered == 1)
        }

        @Test func `what a receiver took of a batch is not sent again, and the rest counts at the end`() async {
            let metrics = WatchMetrics(["left", "right"])
            let calls = Mutex(0)
            let receiver = Receiver { batch in
                calls.withLock { calls in
                    calls += 1
                    return calls == 1 ? min(batch, 3) : 0
                }
            }
            let queue = LineQueue(receiver, metrics)
            Self.add(0..<10, to: queue)
            await queue.finish(Task {})
            #expect(receiver.got.withLock { $0 } == (0..<3).map { "{\"n\":\($0)}\n" })
            #expect(metrics.counts(0).undelivered + metrics.counts(1).undelivered == 7)
            #expect(calls.withLock { $0 } == 3)
        }

        @Test func `a failure is reported in plain words, whatever a library says`() async throws {
            let reports = Mutex<[String]>([])
            let queue = LineQueue(Receiver { _ in 0 }, WatchMetrics(["left", "right"])) { line in
                reports.withLock { $0.append(line) }
            }
            Self.add(0..<1, to: queue)
            let running = Task { await queue.run() }
            try await come { reports.withLock { !$0.isEmpty } }
            await queue.finish(running)
            #expect(reports.withLock { $0.first } == "kinema: receiver: no more; results wait, at most 10000")
            for (address, reason) in [
                ("http://127.0.0.1:1/", "Connection refused"), ("http://256.1.1.1/", "unknown host name"),
            ] {
                let answer = await Webhook(try Webhook.Address(address)).send([WaitingLine(camera: 0, text: [10])])
                #expect(answer.failure == reason)
            }
        }

        @Test func `a receiver that refuses once at the end gets everything all the same`() async {
            let metrics = WatchMetrics(["left", "right"])
            let calls = Mutex(0)
            let receiver = Receiver { batch in
                calls.withLock { calls in
                    calls += 1
                    return calls == 1 ? 0 : batch
                }
            }
            let queue = LineQueue(receiver, metrics)
            Self.add(0..<10, to: queue)
            await queue.finish(Task {})
            #expect(receiver.got.withLock { $0.count } == 10)
            #expect(metrics.counts(0).undelivered + metrics.counts(1).undelivered == 0)
        }

        @Test func `what waits is sent in a cancelled task too`() async {
            let metrics = WatchMetrics(["left", "right"])
            let receiver = Receiver { $0 }
            let queue = LineQueue(receiver, metrics)
            Self.add(0..<10, to: queue)
            await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                await queue.finish(Task {})
            }.value
            #expect(receiver.got.withLock { $0.count } == 10)
        }

        // MARK: The broker

        @Test func `lines arrive in order and complete, with the state of each camera`() async throws {
            let broker = try LocalServer(.broker, folder.url.path)
            let metrics = WatchMetrics(["left", "right"])
            metrics.update(1) { $0.state = .live }
            let queue = try queue(broker.port, metrics)
            let running = Task { await queue.run() }
            Self.add(0..<1200, to: queue)
            try await come { numbers.count == 1200 }
            metrics.update(0) { $0.state = .live }
            metrics.update(1) { $0.state = .lost }
            try await come { messages.filter { $0.contains("/state") }.count == 5 }
            #expect(metrics.text.contains("kinema_delivery_up{to=\"mqtt\"} 1"))
            await queue.finish(running)
            // Each camera's lines have its topic, and all are in order.
            #expect(numbers == Array(0..<1200))
            #expect(messages.filter { $0.hasPrefix("gym/hall/left\t") }.first == "gym/hall/left\t{\"n\":0}")
            #expect(messages.filter { $0.hasPrefix("gym/hall/right\t") }.last == "gym/hall/right\t{\"n\":1199}")
            let states = messages.filter { $0.contains("/state") }
            #expect(
                states == [
                    "gym/hall/state\tlive", "gym/hall/left/state\tlost", "gym/hall/right/state\tlive",
                    "gym/hall/left/state\tlive", "gym/hall/right/state\tlost",
                    "gym/hall/left/state\tlost", "gym/hall/state\tlost",
                ])
            // Who comes later is told too.
            let retained = try await Program.shell(
                "mosquitto_sub -p \"$1\" -t '#' --retained-only -C 3 -W 30 -v | sort", "\(broker.port)")
            #expect(retained.lines == ["gym/hall/left/state lost", "gym/hall/right/state lost", "gym/hall/state lost"])
        }

        @Test func `a broker that is killed and comes back gets everything at least once`() async throws {
            let broker = try LocalServer(.broker, folder.url.path)
            let metrics = WatchMetrics(["left", "right"])
            let queue = try queue(broker.port, metrics)
            Self.add(0..<1000, to: queue)
            let running = Task { await queue.run() }
            try await come { !numbers.isEmpty }
            broker.stop()
            Self.add(1000..<2000, to: queue)
            try broker.start()
            try await come { numbers.count == 2000 }
            await queue.finish(running)
            #expect(numbers == Array(0..<2000))
            #expect(metrics.counts(0).undelivered + metrics.counts(1).undelivered == 0)
            // Both times it was told what is there.
            #expect(messages.filter { $0 == "gym/hall/state\tlive" }.count >= 2)
        }

        @Test func `the broker publishes the will of a watch that is killed`() async throws {
            let broker = try LocalServer(.broker, folder.url.path)
            let running = try Program().start(["watch", try file(broker.port, Clips.long.get())])
            try await come { messages.contains("gym/rack/state\tlive") }
            running.breakOff()
            try await come { messages.contains("gym/state\tlost") }
        }

        @Test func `a silent broker does not delay the end`() async throws {
            let broker = try LocalServer(.broker, folder.url.path, "--silent")
            let metrics = WatchMetrics(["left", "right"])
            let queue = try queue(broker.port, metrics)
            Self.add(0..<7, to: queue)
            await queue.finish(Task { await queue.run() }, within: .milliseconds(300))
            #expect(metrics.counts(0).undelivered + metrics.counts(1).undelivered == 7)
        }

        @Test func `a broker that sends messages unasked is left at the first`() async throws {
            let broker = try LocalServer(.broker, folder.url.path, "--flooding")
            let address = try MQTTAddress("mqtt://127.0.0.1:\(broker.port)/gym")
            let answer = await MQTTPublisher(address, cameras: ["left"], WatchMetrics(["left"])).send([])
            #expect(answer.failure == "the broker sends messages, but nothing is subscribed to")
        }

        // MARK: The command

        private func file(_ port: Int, _ clip: URL, scheme: String = "mqtt", user: String = "") throws -> String {
            let text = """
                folder: \(folder.file("out").path)
                listen: 127.0.0.1:0
                mqtt: \(scheme)://\(user)localhost:\(port)/gym
                cameras: [{name: rack, input: \(clip.path), task: pose}]
                """
            try Data(text.utf8).write(to: folder.file("cameras.yaml"))
            return folder.file("cameras.yaml").path
        }

        /// The lines in the files of results.
        private func results() throws -> [String] {
            let place = folder.file("out/rack")
            return try FileManager.default.contentsOfDirectory(atPath: place.path).sorted().flatMap { day in
                try String(contentsOf: place.appending(path: day), encoding: .utf8).split(separator: "\n").map(
                    String.init)
            }
        }

        @Test func `an authenticated encrypted broker gets the same lines as the files`() async throws {
            let broker = try LocalServer(.broker, folder.url.path, "--closed")
            let door = try LocalServer(.tls, "\(broker.port)", folder.url.path)
            var program = Program()
            program.environment["SSL_CERT_FILE"] = folder.file("own.pem").path
            let words = ["watch", try file(door.port, Clips.nobody.get(), scheme: "mqtts", user: "eye:glass@")]
            let run = try await program.run(words)
            #expect(run.status == 0, "\(run.complaint)")
            let lines = try results()
            #expect(
                lines.count == 30 && messages.filter { $0.hasPrefix("gym/rack\t") } == lines.map { "gym/rack\t" + $0 })
            // It hears the last, MQTT's DISCONNECT, a moment after the watch has gone.
            try await come { (try? Data(contentsOf: folder.file("heard")))?.suffix(2) == Data([0xE0, 0]) }
            let heard = try Data(contentsOf: folder.file("heard")).count
            // Without its certificate it hears nothing more, and the watch goes on.
            program.environment["SSL_CERT_FILE"] = "/etc/ssl/certs/ca-certificates.crt"
            let other = try await program.run(words)
            #expect(
                other.status == 1 && other.complaint.contains("kinema: mqtt: no encrypted connection"),
                "\(other.complaint)"
            )
            #expect(other.complaint.contains("kinema: mqtt: 30 results could not be delivered"), "\(other.complaint)")
            #expect(try Data(contentsOf: folder.file("heard")).count == heard)
        }

        /// The last line, the report of the whole, comes with the stop.
        @Test(arguments: [SIGINT, SIGTERM])
        func `a watch that is stopped delivers every line that is in the files`(signal: Int32) async throws {
            let broker = try LocalServer(.broker, folder.url.path)
            let web = try LocalServer(.web, folder.url.path)
            let text = """
                folder: \(folder.file("out").path)
                webhook: http://127.0.0.1:\(web.port)/hook
                mqtt: mqtt://127.0.0.1:\(broker.port)/gym
                cameras: [{name: rack, input: \(try Clips.long.get().path)}]
                """
            try Data(text.utf8).write(to: folder.file("cameras.yaml"))
            let running = try Program().start(["watch", folder.file("cameras.yaml").path])
            try await come { (try? results().isEmpty) == false }
            running.interrupt(signal)
            let end = try await running.outcome()
            #expect(end.status == 130, "\(end.complaint)")
            let lines = try results()
            #expect(lines.last?.contains("\"frames\":") == true, "\(lines)")
            #expect(messages.filter { $0.hasPrefix("gym/rack\t") } == lines.map { "gym/rack\t" + $0 })
            #expect(messages.last == "gym/state\tlost")
            let posts = try String(contentsOf: folder.file("posts"), encoding: .utf8).split(separator: "\n")
            #expect(posts.map(String.init) == lines)
        }

        /// A file that was removed, replaced or ends in half a line.
        @Test func `results are kept where the path leads`() throws {
            let notices = Mutex<[String]>([])
            let results = try CameraResults(
                "rack", in: folder.file("out"), onLine: { _ in },
                onNotice: { text in notices.withLock { $0.append(text) } })
            func lines() throws -> [Substring] { try self.results().map { $0[...] } }
            try results.write(Array("{\"n\":0}\n".utf8))
            try FileManager.default.removeItem(at: folder.file("out"))
            try results.write(Array("{\"n\":1}\n".utf8))
            #expect(try lines().count == 1 && lines().allSatisfy { $0.hasSuffix("{\"n\":1}}") })
            #expect(notices.withLock { $0.count == 1 && $0[0].contains("made again") })
            let day = try #require(
                try FileManager.default.contentsOfDirectory(atPath: folder.file("out/rack").path).first)
            let file = folder.file("out/rack").appending(path: day)
            try (Data(contentsOf: file) + Data("{\"camera\":\"ra".utf8)).write(to: file)
            let again = try CameraResults("rack", in: folder.file("out"), onLine: { _ in })
            try again.write(Array("{\"n\":2}\n".utf8))
            #expect(try lines().count == 2 && lines().allSatisfy { $0.hasSuffix("}}") })
            // As a program does that rotates files by copying them.
            try FileHandle(forWritingTo: file).truncate(atOffset: 0)
            try again.write(Array("{\"n\":3}\n".utf8))
            #expect(try Data(contentsOf: file).first == UInt8(ascii: "{") && lines().count == 1)
            try FileManager.default.moveItem(at: file, to: folder.file("rotated"))
            try again.write(Array("{\"n\":4}\n".utf8))
            #expect(try lines().count == 1 && lines().allSatisfy { $0.hasSuffix("{\"n\":4}}") })
            try FileManager.default.removeItem(at: file)
            try FileManager.default.createSymbolicLink(at: file, withDestinationURL: folder.file("elsewhere"))
            #expect(throws: KinemaError.self) { try again.write(Array("{\"n\":3}\n".utf8)) }
        }

        @Test func `the watch is not healthy while results are lost`() async throws {
            let metrics = WatchMetrics(["rack"])
            metrics.update(0) { $0.state = .live }
            let results = try CameraResults(
                "rack", in: folder.file("out"), onLine: { _ in metrics.update(0) { $0.loss = nil } },
                onLoss: { error in metrics.update(0) { ($0.lost, $0.loss) = ($0.lost + 1, error) } })
            try results.write(Array("{}\n".utf8))
            #expect(metrics.health.isGood && metrics.health.text == "rack live\n")
            try FileManager.default.removeItem(at: folder.file("out"))
            try Data().write(to: folder.file("out"))
            #expect(throws: KinemaError.self) { try results.write(Array("{}\n".utf8)) }
            #expect(!metrics.health.isGood && metrics.health.text.hasPrefix("rack live: results are lost: "))
            #expect(metrics.text.contains("kinema_results_lost_total{camera=\"rack\"} 1"))
            try FileManager.default.removeItem(at: folder.file("out"))
            try results.write(Array("{}\n".utf8))
            #expect(metrics.health.isGood)
            // A receiver that takes nothing, once more wait than are kept.
            let queue = LineQueue(Receiver { _ in 0 }, metrics)
            for _ in 0..<LineQueue.most { queue.add([10], of: 0) }
            #expect(metrics.health.isGood)
            queue.add([10], of: 0)
            #expect(
                !metrics.health.isGood && metrics.health.text == "rack live\nreceiver lost: results are discarded\n")
            metrics.delivers(true, to: "receiver")
            #expect(metrics.health.isGood)
        }

        @Test func `lines that nobody took are sent first by the next run`() async throws {
            let kept = UndeliveredLines(for: "test", in: folder.url, cameras: ["left", "right"])
            let metrics = WatchMetrics(["left", "right"])
            func line(_ number: Int) -> WaitingLine {
                WaitingLine(camera: 1, text: Array("{\"camera\":\"right\",\"n\":\(number)}\n".utf8))
            }
            let deaf = LineQueue(Receiver { _ in 0 }, metrics, kept: kept)
            for number in 0..<3 { deaf.add(line(number).text, of: 1) }
            #expect(await deaf.finish(Task {}, within: .milliseconds(300)) == false)
            let receiver = Receiver { $0 }
            let next = LineQueue(receiver, metrics, kept: kept)
            next.add(line(3).text, of: 1)
            #expect(await next.finish(Task {}))
            #expect(receiver.got.withLock { $0 } == (0..<4).map { String(decoding: line($0).text, as: UTF8.self) })
            #expect(!FileManager.default.fileExists(atPath: kept.file.path))
        }

        @Test func `a wrong password is reported in one line and by a metric, and the watch continues`() async throws {
            let broker = try LocalServer(.broker, folder.url.path, "--closed")
            let running = try Program().start(["watch", try file(broker.port, Clips.long.get(), user: "eye:brass@")])
            let place = #/metrics at (http://127\.0\.0\.1:\d+/metrics)/#
            #expect(
                try await running.holds {
                    running.complaint.contains(
                        "kinema: mqtt: the broker rejects the user or the password; results wait")
                        && running.complaint.contains(place)
                })
            let address = String(try #require(running.complaint.firstMatch(of: place)).output.1)
            var metrics = ""
            let limit = ContinuousClock.now + .seconds(60)
            while !metrics.contains(#/analysed_total\{camera="rack"\} [1-9]/#), ContinuousClock.now < limit {
                metrics = try await Program.shell("curl -s -m 10 \"$1\"", address).text
            }
            #expect(
                metrics.contains("kinema_delivery_up{to=\"mqtt\"} 0")
                    && metrics.contains("kinema_camera_up{camera=\"rack\"} 1"))
            running.interrupt()
            let end = try await running.outcome()
            // Undelivered results count more than the stop.
            #expect(end.status == 1 && messages.isEmpty)
            #expect(
                !end.complaint.contains("brass") && !end.complaint.contains("eye")
                    && !end.complaint.contains("localhost"))
            #expect(end.complaints.count { $0.contains("rejects") } == 1, "\(end.complaint)")
        }

        @Test func `without a broker the results are in the files all the same`() async throws {
            // The broker's own port, once it has gone.
            let broker = try LocalServer(.broker, folder.url.path)
            broker.stop()
            let run = try await Program().run(["watch", try file(broker.port, Clips.nobody.get())])
            #expect(
                run.status == 1 && run.complaint.contains("kinema: mqtt: Connection refused; results wait"),
                "\(run.complaint)")
            #expect(run.complaint.contains("kinema: mqtt: 30 results could not be delivered"), "\(run.complaint)")
            #expect(run.complaint.contains("the next run sends them"), "\(run.complaint)")
            #expect(try results().count == 30)
        }

        @Test(arguments: [
            ("http://broker/kinema", "must be an address such as"), ("mqtt://", "has no host"),
            ("mqtt:///kinema", "has no host"), ("mqtt://broker", "has no topic"),
            ("mqtt://broker/", "has no topic"),
            ("mqtt://broker:0/a", "an invalid port"), ("mqtt://broker:65536/a", "an invalid port"),
            ("mqtt://broker:x/a", "an invalid port"), ("mqtt://[::1/a", "has no host"),
            ("mqtt://bro%00ker/a", "has no host"), ("mqtt://broker/a/+/b", "with + or #"),
            ("mqtt://broker/a/%23", "with + or #"), ("mqtt://broker/$SYS/a", "begins with $"),
            ("mqtt://broker/a//b", "an empty level"),
            ("mqtt://broker/a/", "an empty level"),
            ("mqtt://broker/a%0Ab", "has no topic"), ("mqtt://broker/%zz", "has no topic"),
            ("mqtt://broker/" + String(repeating: "a", count: 257), "more than 256 bytes"),
            ("mqtt://broker/" + String(repeating: "a", count: 3000), "must be a string of 1 to 2048 bytes"),
            ("mqtt://:secret@broker/a", "no user and password"),
            ("mqtt://eye:se:cret@broker/a", "no user and password"),
            ("mqtt://eye:%gg@broker/a", "no user and password"), ("mqtt://eye:se@cret@broker/a", "more than one @"),
            ("mqtt://eye:1/secret@broker/a", "more than one @"),
            ("mqtt://eye:%00secret@broker/a", "no user and password"),
        ])
        func `an invalid address is refused in one line that does not show it`(
            address: String, words: String
        )
            throws
        {
            let text = "mqtt: \"\(address)\"\ncameras: [{name: a, input: x}]"
            let error = #expect(throws: KinemaError.self) { try WatchConfiguration(text) }
            let message = error?.message ?? ""
            #expect(message.contains(words), "\(message)")
            #expect(error?.code == .unreadableInput && !message.contains("\n"))
            #expect(
                !message.contains("secret") && !message.contains("broker") && !message.contains("eye"), "\(message)")
        }

        @Test func `good addresses are accepted and never shown`() async throws {
            for text in [
                "mqtt://broker/kinema", "mqtts://eye:gl%40ss@broker.example:8884/a/b",
                "mqtt://eye@[::1]:1/gr%C3%BCn%20haus",
            ] {
                let address = try #require(try WatchConfiguration("mqtt: \(text)\ncameras: [{name: a, input: x}]").mqtt)
                #expect(!"\(address) \([address])".contains("broker") && !"\(address)".contains("gl"))
            }
            // A camera of this name would have the topic of the whole.
            let clash = #expect(throws: KinemaError.self) {
                try WatchConfiguration("mqtt: mqtt://broker/a\ncameras: [{name: state, input: x}]")
            }
            #expect(clash?.message.contains("state") == true)
            // A file that is no YAML is not quoted.
            try Data("mqtt: \"mqtt://eye:glass@broker/a\ncameras: [".utf8).write(to: folder.file("bad.yaml"))
            let run = try await Program.run("watch", "--check", folder.file("bad.yaml").path)
            #expect(
                run.status == 65 && run.complaints.count == 1 && !run.complaint.contains("glass"), "\(run.complaint)")
            try Data("mqtt: mqtt://eye:glass@broker/#\ncameras: [{name: a, input: x}]".utf8).write(
                to: folder.file("bad.yaml"))
            let checked = try await Program.run("watch", "--check", folder.file("bad.yaml").path)
            #expect(
                checked.status == 65 && checked.complaints.count == 1 && !checked.complaint.contains("glass"),
                "\(checked.complaint)")
        }
    }
}
