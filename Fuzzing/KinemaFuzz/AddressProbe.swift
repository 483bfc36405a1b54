@testable import KinemaMedia

/// The parts of an address, which are the media library's own.
enum AddressProbe {
    static func use(_ text: String) {
        if let request = StreamProxy.Request(text) { _ = (request.host, request.port) }
        guard let address = try? StreamAddress(text) else { return }
        _ = (address.hostName, address.port, address.pathAndQuery, address.isPlaylist, address.isEncrypted)
        _ = (address.forwarded(to: "::1", port: 1), InputLimits.protocols(of: address))
        let again = try? address.redirected(to: text)
        Harness.expect(
            again == nil || again?.description == address.description, "a redirect to itself is the same address")
        guard let at = text.firstIndex(of: "@") else { return }
        let secret = text[..<at].split(separator: ":", maxSplits: 2).last ?? ""
        let isLong = secret.utf8.count > 12 && !secret.contains("/")
        Harness.expect(!isLong || !address.description.contains(secret + "@"), "no password is shown")
    }
}
