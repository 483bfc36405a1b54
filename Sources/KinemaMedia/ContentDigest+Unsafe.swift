import CFFmpeg

/// Checks that a file is the one that was meant.
package enum ContentDigest {
    /// The SHA-256 of the bytes, in hexadecimal.
    package static func sha256(of bytes: [UInt8]) -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        guard let state = av_sha_alloc() else { return "" }
        defer { av_free(UnsafeMutableRawPointer(state)) }
        // SAFETY: the state is FFmpeg's own allocation, freed on return; digest has the 32 bytes SHA-256 writes.
        av_sha_init(state, 256)
        bytes.withUnsafeBufferPointer { av_sha_update(state, $0.baseAddress, $0.count) }
        av_sha_final(state, &digest)
        return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
