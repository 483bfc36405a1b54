import Crypto
package import Foundation
import KinemaCore
import NIOSSL
import SwiftASN1
import X509

/// The certificate and key with which the studio proves to phones that it is the same studio as before.
package struct StudioCertificate: Sendable {
    let context: NIOSSLContext
    /// The certificate's SHA-256, as browsers show it.
    package let fingerprint: String
    /// The names and addresses in it.
    let network: LocalNetwork

    /// Seconds; browsers refuse certificates of more than 825 days.
    private static let lifetime: TimeInterval = 365 * 86_400
    /// A certificate with less time left is replaced, seconds.
    private static let renewal: TimeInterval = 30 * 86_400
    /// Addresses of earlier networks that a new certificate still names, so that a laptop that moves asks once for each.
    private static let mostAddresses = 16

    /// Names of the two files.
    static let certificateName = "certificate.pem"
    static let keyName = "key.pem"

    // MARK: Made here

    /// The certificate kept in a folder; a new one if there is none, it expires soon, or it does not name an address of
    /// the network.
    package static func kept(in folder: URL, for network: LocalNetwork, at now: Date = Date()) throws
        -> StudioCertificate
    {
        let (certificateFile, keyFile) = (
            PrivateFile(certificateName, in: folder), PrivateFile(keyName, in: folder)
        )
        let old = try? certificateFile.read().map { try read(String(decoding: $0, as: UTF8.self)) }
        // A key that others could read is a secret no longer.
        if let old, keyFile.isPrivate, let key = try keyFile.read(), isGood(old, for: network, at: now),
            let ready = try? StudioCertificate(
                chain: [old.serializeAsPEM().pemString], key: String(decoding: key, as: UTF8.self))
        {
            return ready
        }
        var wanted = network
        for address in (old.map { names(in: $0) })?.addresses ?? []
        where !wanted.addresses.contains(address) && wanted.addresses.count < mostAddresses {
            wanted.addresses.append(address)
        }
        let key = P256.Signing.PrivateKey()
        let certificate = try make(key, for: wanted, at: now)
        let text = try certificate.serializeAsPEM().pemString
        let made = try StudioCertificate(chain: [text], key: key.pemRepresentation)
        try keyFile.write(Data(key.pemRepresentation.utf8))
        try certificateFile.write(Data(text.utf8))
        return made
    }

    private static func isGood(_ certificate: Certificate, for network: LocalNetwork, at now: Date) -> Bool {
        let named = names(in: certificate)
        return certificate.notValidBefore <= now && now < certificate.notValidAfter - renewal
            && Set(named.addresses).isSuperset(of: network.addresses) && Set(named.names).isSuperset(of: network.names)
    }

    /// A certificate for servers only, signed by itself; it cannot sign others.
    private static func make(_ key: P256.Signing.PrivateKey, for network: LocalNetwork, at now: Date) throws
        -> Certificate
    {
        let name = try DistinguishedName {
            OrganizationName("Kinema")
            CommonName("Kinema studio" + (network.names.first.map { " on \(PlainText.name($0, atMost: 40))" } ?? ""))
        }
        let addresses = network.addresses.compactMap { LocalNetwork.bytes(of: $0) }
        let alternatives =
            network.names.map { GeneralName.dnsName($0) }
            + addresses.map { .ipAddress(ASN1OctetString(contentBytes: ArraySlice($0))) }
        let extensions = try Certificate.Extensions {
            Critical(BasicConstraints.notCertificateAuthority)
            Critical(KeyUsage(digitalSignature: true))
            try ExtendedKeyUsage([.serverAuth])
            SubjectAlternativeNames(alternatives.isEmpty ? [.dnsName("localhost")] : alternatives)
        }
        return try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: .init(key.publicKey),
            // An hour back, for phones whose clock is behind.
            notValidBefore: now - 3_600, notValidAfter: now + lifetime, issuer: name, subject: name,
            signatureAlgorithm: .ecdsaWithSHA256, extensions: extensions, issuerPrivateKey: .init(key))
    }

    // MARK: The user's own

    /// The user's certificate, perhaps with its chain, and its key; throws one line if they do not fit or have expired.
    package static func given(certificate: URL, key: URL, at now: Date = Date()) throws -> StudioCertificate {
        let limit = 1 << 20
        let chain = String(decoding: try BoundedFile.read(certificate, limit: limit), as: UTF8.self)
        let secret = String(decoding: try BoundedFile.read(key, limit: limit), as: UTF8.self)
        let first: Certificate
        do { first = try read(chain) } catch {
            let isPEM = chain.contains("-----BEGIN CERTIFICATE-----")
            throw KinemaError(
                .unreadableInput,
                isPEM
                    ? "this certificate is damaged, or its key too short; make one with ECDSA, or RSA of 2048 bits or more"
                    : "this is not a certificate in PEM, which begins with -----BEGIN CERTIFICATE-----",
                file: certificate.path)
        }
        guard first.notValidBefore <= now else {
            let day = first.notValidBefore.formatted(.iso8601.year().month().day())
            throw KinemaError(.invalidArgument, "the certificate is not valid before \(day)", file: certificate.path)
        }
        guard now < first.notValidAfter else {
            let day = first.notValidAfter.formatted(.iso8601.year().month().day())
            throw KinemaError(.invalidArgument, "the certificate expired on \(day)", file: certificate.path)
        }
        guard (try? NIOSSLPrivateKey(bytes: Array(secret.utf8), format: .pem)) != nil else {
            throw KinemaError(
                .unreadableInput, "this is not a private key in PEM without a password", file: key.path)
        }
        do { return try StudioCertificate(chain: [chain], key: secret) } catch {
            throw KinemaError(
                .invalidArgument, "the key does not belong to the certificate \(certificate.lastPathComponent)",
                file: key.path)
        }
    }

    // MARK: Both

    private init(chain: [String], key: String) throws {
        let pem = Array(chain.joined(separator: "\n").utf8)
        let certificates = try NIOSSLCertificate.fromPEMBytes(pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates.map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem)))
        configuration.minimumTLSVersion = .tlsv12
        // Of TLS 1.2 only what encrypts and authenticates at once, as TLS 1.3 does; every phone since 2014 has it.
        configuration.cipherSuites = "ECDHE+AESGCM:ECDHE+CHACHA20"
        configuration.applicationProtocols = ["http/1.1"]
        context = try NIOSSLContext(configuration: configuration)
        let first = try Self.read(chain.joined(separator: "\n"))
        var serializer = DER.Serializer()
        try serializer.serialize(first)
        fingerprint = SHA256.hash(data: serializer.serializedBytes)
            .map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true) }
            .joined(separator: ":")
        network = Self.names(in: first)
        // The context alone accepts a key of another certificate of the same kind.
        let pair = try Certificate.PrivateKey(pemEncoded: key)
        guard pair.publicKey == first.publicKey else {
            throw KinemaError(.invalidArgument, "the key does not belong to the certificate")
        }
    }

    /// The first certificate of a text in PEM.
    private static func read(_ text: String) throws -> Certificate {
        guard let first = try PEMDocument.parseMultiple(pemString: text).first else {
            throw KinemaError(.unreadableInput, "there is no certificate")
        }
        return try Certificate(pemDocument: first)
    }

    private static func names(in certificate: Certificate) -> LocalNetwork {
        var found = LocalNetwork(addresses: [], names: [])
        for name in (try? certificate.extensions.subjectAlternativeNames) ?? SubjectAlternativeNames() {
            switch name {
            case .dnsName(let name): found.names.append(name.lowercased())
            case .ipAddress(let bytes) where bytes.bytes.count == 4:
                found.addresses.append(bytes.bytes.map { "\($0)" }.joined(separator: "."))
            default: break
            }
        }
        return found
    }
}

/// A small file that only its owner may read, in a folder that only its owner may enter.
struct PrivateFile: Sendable {
    let url: URL

    /// Bytes; a list of phones or a chain of certificates is far smaller.
    private static let limit = 4 << 20

    init(_ name: String, in folder: URL) { url = folder.appending(path: name) }

    /// Whether only its owner may read it, and has been able to enter its folder; true without a file.
    var isPrivate: Bool {
        let rights = (try? FileManager.default.attributesOfItem(atPath: url.path))?[.posixPermissions] as? Int
        return (rights ?? 0) & 0o077 == 0
    }

    /// The content; nil if there is no file. Rights that others were given are taken back.
    func read() throws -> Data? {
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        for (path, rights) in [(url.deletingLastPathComponent().path, 0o700), (url.path, 0o600)] {
            try? FileManager.default.setAttributes([.posixPermissions: rights], ofItemAtPath: path)
        }
        return Data(try BoundedFile.read(url, limit: Self.limit))
    }

    /// Replaces the content at once: a reader sees the old file or the new one.
    func write(_ data: Data) throws(KinemaError) {
        let folder = url.deletingLastPathComponent()
        let draft = folder.appending(path: ".\(url.lastPathComponent).\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
        } catch {
            throw Self.unwritable(folder)
        }
        guard FileManager.default.createFile(atPath: draft.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw Self.unwritable(url) }
        do {
            let file = try FileHandle(forWritingTo: draft)
            try file.write(contentsOf: data)
            try file.close()
        } catch {
            unlink(draft.path)
            throw Self.unwritable(url)
        }
        guard rename(draft.path, url.path) == 0 else {
            unlink(draft.path)
            throw Self.unwritable(url)
        }
    }

    private static func unwritable(_ url: URL) -> KinemaError {
        KinemaError(
            .unwritableOutput, "cannot be written; check the folder's rights and the free space", file: url.path)
    }
}
