import Foundation

package enum TrustedAuthorities {
    /// The paths of certificates in Linux distributions: Debian, Fedora, openSUSE.
    private static let ofSystem = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
    ]

    /// The authorities' file: the given one, that in `SSL_CERT_FILE`, or the system's.
    package static func file(_ named: String? = nil) -> String? {
        let named = named ?? ProcessInfo.processInfo.environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
        return named ?? ofSystem.first { FileManager.default.isReadableFile(atPath: $0) }
    }
}
