import CFFmpeg
package import Foundation
import KinemaCore

package enum ContentDigest {
    /// The SHA-256 of the bytes, in hexadecimal.
    package static func sha256(of bytes: [UInt8]) -> String {
        var rest = [bytes]
        return sha256 { rest.popLast() }
    }

    /// The SHA-256 of a file of any size, in hexadecimal; throws Foundation's error when it cannot be read.
    package static func sha256(contentsOf url: URL) throws -> String {
        guard BoundedFile.size(of: url) != nil else { throw CocoaError(.fileReadNoSuchFile) }
        let file = try FileHandle(forReadingFrom: url)
        defer { try? file.close() }
        return try sha256 {
            let part = try file.read(upToCount: 1 << 20)
            return part.flatMap { $0.isEmpty ? nil : Array($0) }
        }
    }

    /// The size of a file and the SHA-256 of its first and last MiB, which distinguish files without reading them
    /// whole: containers keep the sizes and times of all frames there. Throws Foundation's error as above.
    package static func fingerprint(of url: URL) throws -> String {
        guard let size = BoundedFile.size(of: url) else { throw CocoaError(.fileReadNoSuchFile) }
        let file = try FileHandle(forReadingFrom: url)
        defer { try? file.close() }
        var offsets = [max(0, size - 1 << 20), 0]
        let digest = try sha256 {
            guard let offset = offsets.popLast() else { return nil }
            try file.seek(toOffset: UInt64(offset))
            return try file.read(upToCount: 1 << 20).map(Array.init) ?? []
        }
        return "\(size) \(digest)"
    }

    private static func sha256(_ next: () throws -> [UInt8]?) rethrows -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        guard let state = av_sha_alloc() else { return "" }
        defer { av_free(UnsafeMutableRawPointer(state)) }
        // SAFETY: the state is FFmpeg's own allocation, freed on return; digest has the 32 bytes SHA-256 writes.
        av_sha_init(state, 256)
        while let part = try next() {
            part.withUnsafeBufferPointer { av_sha_update(state, $0.baseAddress, $0.count) }
        }
        av_sha_final(state, &digest)
        return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension DecodedPicture {
    /// A hash of every pixel's brightness, to detect identical pictures: FNV-1a (Fowler, Noll, Vo; 64 bit) with eight
    /// bytes a step, not forgery-proof.
    var digest: UInt64 {
        withPlanes { planes in
            let (plane, _, _) = planes.planes
            let bytesPerPixel =
                if case .packed(_, _, _, let bytes) = planes.layout { bytes } else { planes.bytesPerSample }
            let count = planes.storedWidth * bytesPerPixel
            var digest: UInt64 = 0xcbf2_9ce4_8422_2325
            for y in 0..<planes.storedHeight {
                // SAFETY: a row holds `count` bytes; the planes outlive this closure.
                let row = UnsafeRawBufferPointer(start: plane.base + y * plane.bytesPerRow, count: count)
                var x = 0
                while x + 8 <= count {
                    digest = (digest ^ row.loadUnaligned(fromByteOffset: x, as: UInt64.self)) &* 0x0000_0100_0000_01b3
                    x += 8
                }
                while x < count {
                    digest = (digest ^ UInt64(row[x])) &* 0x0000_0100_0000_01b3
                    x += 1
                }
            }
            return digest
        }
    }
}
