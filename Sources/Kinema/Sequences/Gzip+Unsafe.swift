internal import CZlib
internal import Foundation
package import KinemaCore

/// Packs and unpacks gzip with zlib; unpacks up to a size, as a small file may claim to be a huge one.
package enum Gzip {
    /// Whether the bytes begin as gzip does (RFC 1952).
    package static func isGzip(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

    /// The unpacked bytes. Throws `unreadableInput` when they are damaged, cut short, or more than the limit.
    package static func unpack(_ bytes: [UInt8], limit: Int, file: String) throws(KinemaError) -> [UInt8] {
        var stream = z_stream()
        // 15 is zlib's largest window, 16 more asks for the gzip header and its checksum (zlib.h, inflateInit2).
        guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw KinemaError(.analysisFailed, "zlib could not be started", file: file)
        }
        defer { inflateEnd(&stream) }
        var (input, output) = (bytes, [UInt8]())
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        var status = Z_OK
        var consumed = 0
        while status == Z_OK {
            // SAFETY: zlib gets pointers that hold for the call alone, with the sizes of the arrays behind them.
            let written = input.withUnsafeMutableBufferPointer { input in
                chunk.withUnsafeMutableBufferPointer { chunk in
                    stream.next_in = input.baseAddress.map { $0 + consumed }
                    stream.avail_in = UInt32(clamping: input.count - consumed)
                    stream.next_out = chunk.baseAddress
                    stream.avail_out = UInt32(chunk.count)
                    status = inflate(&stream, Z_NO_FLUSH)
                    consumed = input.count - Int(stream.avail_in)
                    return chunk.count - Int(stream.avail_out)
                }
            }
            output += chunk[..<written]
            guard output.count <= limit else {
                throw KinemaError(.unreadableInput, "unpacks to more than \(limit >> 20) MB", file: file)
            }
        }
        guard status == Z_STREAM_END else {
            throw KinemaError(.unreadableInput, "is damaged or cut short; copy it again", file: file)
        }
        return output
    }

    /// The packed bytes.
    package static func pack(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        // As in `unpack`, 16 more asks for gzip's frame; 8 is zlib's usual memory (zlib.h, deflateInit2).
        guard
            deflateInit2_(
                &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { preconditionFailure("zlib has no memory") }
        defer { deflateEnd(&stream) }
        var (input, output) = (bytes, [UInt8]())
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        var status = Z_OK
        var consumed = 0
        while status == Z_OK {
            // SAFETY: zlib gets pointers that hold for the call alone, with the sizes of the arrays behind them.
            let written = input.withUnsafeMutableBufferPointer { input in
                chunk.withUnsafeMutableBufferPointer { chunk in
                    stream.next_in = input.baseAddress.map { $0 + consumed }
                    stream.avail_in = UInt32(clamping: input.count - consumed)
                    stream.next_out = chunk.baseAddress
                    stream.avail_out = UInt32(chunk.count)
                    // More than 4 GB go in several calls; the last one finishes.
                    let isLast = Int(stream.avail_in) == input.count - consumed
                    status = deflate(&stream, isLast ? Z_FINISH : Z_NO_FLUSH)
                    consumed = input.count - Int(stream.avail_in)
                    return chunk.count - Int(stream.avail_out)
                }
            }
            output += chunk[..<written]
        }
        return output
    }
}
