import Foundation
import KinemaCore
import KinemaTestSupport
import NIOSSL
import Testing

@testable import KinemaHTTP
@testable import KinemaPhones
@testable import KinemaStudio

/// The certificate and the TLS listener.
@Suite(.timeLimit(.minutes(2))) struct PhoneListenerTests {
    private let network = LocalNetwork(addresses: ["192.168.1.7"], names: ["laptop", "laptop.local"])

    // MARK: The certificate

    @Test func `the certificate is kept, and made anew for another address or before it expires`() throws {
        let folder = try TemporaryFolder()
        let place = folder.file("phones")
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let first = try StudioCertificate.kept(in: place, for: network, at: now)
        #expect(first.network == network && first.fingerprint.count == 95)
        #expect(try StudioCertificate.kept(in: place, for: network, at: now + 86_400).fingerprint == first.fingerprint)
        let elsewhere = LocalNetwork(addresses: ["10.0.0.2"], names: network.names)
        let second = try StudioCertificate.kept(in: place, for: elsewhere, at: now)
        #expect(second.fingerprint != first.fingerprint)
        // Back at home it is not made a third time.
        #expect(second.network.addresses == ["10.0.0.2", "192.168.1.7"])
        #expect(try StudioCertificate.kept(in: place, for: network, at: now).fingerprint == second.fingerprint)
        let late = try StudioCertificate.kept(in: place, for: network, at: now + 340 * 86_400)
        #expect(late.fingerprint != second.fingerprint)
        // A key that others could read is no secret.
        let key = place.appending(path: "key.pem").path
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place.path)
        let fresh = try StudioCertificate.kept(in: place, for: network, at: now + 340 * 86_400)
        #expect(fresh.fingerprint != late.fingerprint)
        #expect(try FileManager.default.attributesOfItem(atPath: key)[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.attributesOfItem(atPath: place.path)[.posixPermissions] as? Int == 0o700)
        try Data("broken".utf8).write(to: place.appending(path: "certificate.pem"))
        #expect(try StudioCertificate.kept(in: place, for: network, at: now).fingerprint != late.fingerprint)
    }

    @Test func `an own certificate that does not fit is refused in one line`() throws {
        let folder = try TemporaryFolder()
        let now = Date()
        let names = ["one", "two"]
        for name in names { _ = try StudioCertificate.kept(in: folder.file(name), for: network, at: now) }
        let files = names.map { (folder.file("\($0)/certificate.pem"), folder.file("\($0)/key.pem")) }
        #expect(try StudioCertificate.given(certificate: files[0].0, key: files[0].1, at: now).network == network)
        func refusal(_ certificate: URL, _ key: URL, _ date: Date = now) -> String {
            let error = #expect(throws: KinemaError.self) {
                try StudioCertificate.given(certificate: certificate, key: key, at: date)
            }
            return error?.message ?? ""
        }
        #expect(refusal(files[0].0, files[1].1).contains("does not belong to the certificate"))
        #expect(refusal(files[0].1, files[0].1).contains("not a certificate in PEM"))
        #expect(refusal(files[0].0, files[0].0).contains("not a private key in PEM"))
        #expect(refusal(files[0].0, files[0].1, now + 400 * 86_400).contains("expired on"))
        #expect(refusal(files[0].0, files[0].1, now - 86_400).contains("not valid before"))
        let cut = folder.file("cut.pem")
        try Data("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".utf8).write(to: cut)
        #expect(refusal(cut, files[0].1).contains("damaged, or its key too short"))
    }

    @Test func `the addresses of real interfaces come without those of containers`() {
        let found = LocalNetwork.addresses(of: [
            ("lo", "127.0.0.1"), ("docker0", "172.17.0.1"), ("wlan0", "192.168.1.7"), ("wlan0", "fe80::1"),
            ("eth0", "169.254.3.4"), ("eth1", "10.0.0.2"), ("eth1", "10.0.0.2"),
        ])
        #expect(found == ["192.168.1.7", "10.0.0.2"])
        #expect(LocalNetwork.addresses(of: [("veth1", "10.9.0.1")]) == ["10.9.0.1"])
        #expect(LocalNetwork.names(of: "Laptop") == ["laptop", "laptop.local"])
        #expect(LocalNetwork.names(of: "a.example") == ["a.example"] && LocalNetwork.names(of: "localhost").isEmpty)
    }

    @Test func `a QR code has its three corners and the same size as its drawing`() throws {
        let code = try QRCode("https://192.168.1.7:8788/phone#pair=0123456789abcdef0123456789abcdef")
        #expect(code.size >= 33)
        for (column, row) in [(0, 0), (code.size - 7, 0), (0, code.size - 7)] {
            #expect((0..<7).allSatisfy { code.isDark(column + $0, row) && code.isDark(column, row + $0) })
            #expect(!code.isDark(column + 1, row + 1) && code.isDark(column + 3, row + 3))
        }
        #expect(code.svg.contains("viewBox=\"0 0 \(code.size + 8) \(code.size + 8)\""))
        #expect(code.terminalLines.count == (code.size + 5) / 2)
        #expect(throws: KinemaError.self) { try QRCode(String(repeating: "x", count: 5_000)) }
    }

    // MARK: The listener

    @Test func `TLS older than 1_2 is refused`() async throws {
        try await PhoneUnderTest.run { phone in
            let old = try PhoneUnderTest.tls { $0.maximumTLSVersion = .tlsv11 }
            let client = try await RawClient(phone.port, tls: old)
            client.offer(Array(phone.request("GET", "/phone").utf8))
            #expect(try await client.answer() == nil)
            let new = try PhoneUnderTest.tls { $0.minimumTLSVersion = .tlsv13 }
            let other = try await RawClient(phone.port, tls: new)
            try await other.send(phone.request("GET", "/phone"))
            try expect(200, await other.answer())
            await other.close()
        }
    }

    @Test func `a request without TLS is sent to the address with it, and noise is ended`() async throws {
        try await PhoneUnderTest.run { phone in
            let plain = try await RawClient(phone.port)
            try await plain.send("GET /phone HTTP/1.1\r\nHost: evil.example\r\n\r\n")
            let answer = try await plain.answer()
            #expect(answer?.status == 301 && answer?["location"] == "https://127.0.0.1:\(phone.port)/")
            #expect(try await plain.receive() == nil)
            let noise = try await RawClient(phone.port)
            try await noise.send([0, 1, 2, 3])
            #expect(try await noise.receiveAll().isEmpty)
        }
    }

    @Test func `an unfinished handshake makes room for a new one`() async throws {
        try await PhoneUnderTest.run(phones: {
            ($0.tls.handshakes, $0.tls.handshakesPerAddress, $0.tls.handshakeTimeout) = (4, 4, .seconds(60))
        }) { phone in
            var held: [RawClient] = []
            for _ in 0..<8 {
                let client = try await RawClient(phone.port)
                try await client.send([22, 3, 1])
                held.append(client)
            }
            try expect(200, await phone.ask("GET", "/phone"))
            // The oldest had to go.
            #expect(try await held[0].receiveAll().isEmpty)
            for client in held { await client.close() }
        }
    }

    @Test func `who guesses or waits takes nobody's place`() async throws {
        try await PhoneUnderTest.run(studio: { $0.limits.requests = 4 }) { stranger in
            let phone = try await stranger.paired()
            let keys = [
                try await phone.ask("POST", "/api/live")?.json["key"] as? String,
                try await phone.ask("POST", "/api/live")?.json["key"] as? String,
            ].compactMap(\.self)
            for key in keys { _ = try await phone.ask("GET", "/api/live/\(key)") }
            var waiting: [RawClient] = []
            for index in 0..<12 {
                let client = try await phone.client()
                let guess = #"{"token":"\#(String(repeating: "0", count: 32))"}"#
                client.offer(
                    Array(
                        (index % 2 == 0
                            ? phone.request("GET", "/api/live/\(keys[index % 4 / 2])")
                            : stranger.request("POST", "/api/pair", ["Content-Length": "\(guess.utf8.count)"]) + guess)
                            .utf8))
                waiting.append(client)
            }
            try await Task.sleep(for: .milliseconds(200))
            try expect(200, await phone.ask("GET", "/api/phone"))
            for client in waiting { await client.close() }
        }
    }

    @Test func `a hundred slow handshakes are ended and keep nobody out for long`() async throws {
        try await PhoneUnderTest.run(phones: { $0.tls.handshakeTimeout = .milliseconds(400) }) { phone in
            var slow: [RawClient] = []
            for index in 0..<100 {
                guard let client = try? await RawClient(phone.port) else { continue }
                // Half of them begin a handshake.
                if index % 2 == 0 { client.offer([22, 3, 1]) }
                slow.append(client)
            }
            for client in slow { #expect((try? await client.receiveAll())?.isEmpty != false) }
            try expect(200, await phone.ask("GET", "/phone"))
        }
    }

    @Test func `bodies and frames above their limits are refused`() async throws {
        try await PhoneUnderTest.run(studio: { $0.limits.live.frameBytes = 100_000 }) { stranger in
            let phone = try await stranger.paired()
            let key = try #require(try await phone.ask("POST", "/api/live")?.json["key"] as? String)
            for (type, count) in [("application/octet-stream", 100_001), ("application/json", 16_385)] {
                let answer = try await phone.ask(
                    "POST", "/api/live/\(key)", ["Content-Type": type, "Content-Length": "\(count)"])
                #expect(answer?.status == 413 && answer?.code == "too-large")
            }
            try expect(413, await stranger.ask("POST", "/api/pair", ["Content-Length": "1000000"]))
            try expect(
                400,
                await phone.ask(
                    "POST", "/api/live/\(key)", ["Content-Type": "application/json"], bytes: Data([0xFF, 0xFE])))
            let long = "/api/live/" + String(repeating: "a", count: 3_000)
            try expect(414, await phone.ask("POST", long))
            // And the phone still counts.
            try expect(200, await phone.ask("GET", "/api/phone"))
        }
    }

    @Test func `without phones nothing but the owner's listener is open`() async throws {
        try await StudioUnderTest.run { studio in
            try expect(404, await studio.ask("GET", "/api/phones"))
            try expect(404, await studio.ask("GET", "/api/room"))
        }
    }
}
