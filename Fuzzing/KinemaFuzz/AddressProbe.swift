@testable import KinemaMedia

/// The parts of an address, which are internal to the media library.
enum AddressProbe {
    static func use(_ text: String) {
        if let request = StreamProxy.Request(text) { _ = (request.host, request.port) }
        guard let address = try? StreamAddress(text) else { return }
        _ = (address.hostName, address.port, address.pathAndQuery, address.isPlaylist, address.isEncrypted)
        _ = InputLimits.protocols(of: address)
        // FFmpeg parses an address byte by byte; it must see the host that was inserted.
        let authority = address.forwarded(to: "::1", port: 1).utf8.dropFirst(7).prefix { !"/?#".utf8.contains($0) }
        let host = authority.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).last
        Harness.expect(host?.elementsEqual("[::1]:1".utf8) == true, "the host is the one that was checked")
        let again = try? address.redirected(to: text)
        Harness.expect(
            again == nil || again?.description == address.description, "a redirect to itself is the same address")
        guard let at = text.firstIndex(of: "@") else { return }
        let secret = text[..<at].split(separator: ":", maxSplits: 2).last ?? ""
        let isLong = secret.utf8.count > 12 && !secret.contains("/")
        Harness.expect(!isLong || !address.description.contains(secret + "@"), "no password is shown")
    }
}
