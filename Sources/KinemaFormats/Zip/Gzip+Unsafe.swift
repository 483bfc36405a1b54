internal import CZlib
internal import Foundation
package import KinemaCore

/// Compresses and decompresses gzip with zlib; decompression has a limit, because a small file may expand hugely.
package enum Gzip {
    /// zlib's largest window, 15; 16 more asks for the gzip header and checksum (zlib.h, inflateInit2).
    private static let gzipWindow: Int32 = 15 + 16

    /// Whether the bytes begin like gzip (RFC 1952).
    package static func isGzip(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

    /// Returns the decompressed bytes.
    ///
    /// Throws `unreadableInput` when the input is damaged, cut short, larger than `limit`, or larger than both `free`
    /// bytes and `ratio` times its compressed size.
    package static func unpack(
        _ bytes: [UInt8], limit: Int, ratio: Int = .max, free: Int = 0, file: String
    ) throws(KinemaError) -> [UInt8] {
        let (output, isWhole) = try unpackPart(bytes, limit: limit, ratio: ratio, free: free, file: file)
        guard isWhole else { throw damaged(file) }
        return output
    }

    /// Returns the decompressed bytes up to a cut, and whether the input is whole; otherwise throws as `unpack` does.
    static func unpackPart(
        _ bytes: [UInt8], limit: Int, ratio: Int = .max, free: Int = 0, file: String
    ) throws(KinemaError) -> (bytes: [UInt8], isWhole: Bool) {
        let expected = expectedSize(of: bytes.count, ratio: ratio, free: free)
        guard let (output, status) = inflated(bytes, limit: min(limit, expected)) else {
            throw KinemaError(.analysisFailed, "zlib cannot be started", file: file)
        }
        guard output.count <= limit else {
            throw tooLarge(bytes: limit, file)
        }
        guard output.count <= expected else { throw tooLarge(ratio, file) }
        // Z_BUF_ERROR: the stream is incomplete.
        guard status == Z_STREAM_END || status == Z_BUF_ERROR else { throw damaged(file) }
        return (output, status == Z_STREAM_END)
    }

    /// At least the first `count` unpacked bytes, as far as the input goes.
    static func head(_ bytes: [UInt8], count: Int) -> [UInt8] { inflated(bytes, limit: count)?.output ?? [] }

    /// What was unpacked and zlib's last status; nil if zlib cannot be started.
    private static func inflated(_ bytes: [UInt8], limit: Int) -> (output: [UInt8], status: Int32)? {
        var stream = z_stream()
        guard inflateInit2_(&stream, gzipWindow, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        defer { inflateEnd(&stream) }
        return pump(bytes, through: &stream, limit: limit) { stream, _ in inflate(&stream, Z_NO_FLUSH) }
    }

    /// The largest plausible unpacked size of `packed` bytes.
    static func expectedSize(of packed: Int, ratio: Int, free: Int) -> Int {
        let (product, overflow) = packed.multipliedReportingOverflow(by: ratio)
        return overflow ? .max : max(product, free)
    }

    static func tooLarge(bytes limit: Int, _ file: String) -> KinemaError {
        KinemaError(.unreadableInput, "unpacks to more than \(limit >> 20) MB; split it", file: file)
    }

    static func tooLarge(_ ratio: Int, _ file: String) -> KinemaError {
        KinemaError(
            .unreadableInput,
            "unpacks to more than \(ratio) times its size, unlike any recording of people; unpack it first if it is "
                + "one", file: file)
    }

    static func damaged(_ file: String) -> KinemaError {
        KinemaError(.unreadableInput, "is damaged or cut short; copy it again", file: file)
    }

    package static func pack(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        // 8 is zlib's usual memory level (zlib.h, deflateInit2).
        guard
            deflateInit2_(
                &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzipWindow, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { preconditionFailure("out of memory for zlib") }
        defer { deflateEnd(&stream) }
        return pump(bytes, through: &stream) { stream, isLast in
            deflate(&stream, isLast ? Z_FINISH : Z_NO_FLUSH)
        }.output
    }

    /// The CRC-32 of bytes (RFC 1952, as zip has it too), continued from that of the bytes before them.
    package static func checksum(_ bytes: [UInt8], after previous: UInt32 = 0) -> UInt32 {
        // SAFETY: zlib reads as many bytes as the array has, during the call alone; crc32_z takes any count.
        bytes.withUnsafeBufferPointer { UInt32(crc32_z(UInt(previous), $0.baseAddress, $0.count)) }
    }

    /// Passes bytes through zlib in chunks until it is done, fails, or exceeds the limit; `isLast` marks the end.
    private static func pump(
        _ bytes: [UInt8], through stream: inout z_stream, limit: Int = .max,
        step: (_ stream: inout z_stream, _ isLast: Bool) -> Int32
    ) -> (output: [UInt8], status: Int32) {
        var (input, output) = (bytes, [UInt8]())
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        var status = Z_OK
        var consumed = 0
        while status == Z_OK, output.count <= limit {
            let given = min(input.count - consumed, Int(UInt32.max))
            // SAFETY: zlib gets pointers that are valid for the call alone, with the sizes of the arrays behind them.
            let written = input.withUnsafeMutableBufferPointer { input in
                chunk.withUnsafeMutableBufferPointer { chunk in
                    stream.next_in = input.baseAddress.map { $0 + consumed }
                    stream.avail_in = UInt32(given)
                    stream.next_out = chunk.baseAddress
                    stream.avail_out = UInt32(chunk.count)
                    status = step(&stream, consumed + given == input.count)
                    return chunk.count - Int(stream.avail_out)
                }
            }
            consumed += given - Int(stream.avail_in)
            output += chunk[..<written]
        }
        return (output, status)
    }
}

/// Decompresses xz with the system's liblzma, which is loaded when the first such file is read.
enum XZ {
    /// The bytes that every file begins with (the .xz file format, 2.1.1.1).
    static let signature: [UInt8] = [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]
    /// Bytes of working memory: a little more than `xz -9` needs, 65 MB (xz(1)).
    private static let memory: UInt64 = 128 << 20
    /// LZMA_CONCATENATED, LZMA_FINISH and LZMA_STREAM_END of lzma/base.h and lzma/container.h.
    private static let (concatenated, finish, end): (UInt32, Int32, Int32) = (8, 3, 1)
    /// The size of `lzma_stream` on 64 bits, and where its input and output stand (lzma/base.h).
    private static let (size, nextIn, availableIn, nextOut, availableOut) = (136, 0, 8, 24, 32)

    private struct Library {
        typealias Stream = UnsafeMutableRawPointer
        let start: @convention(c) (Stream, UInt64, UInt32) -> Int32
        let code: @convention(c) (Stream, Int32) -> Int32
        let end: @convention(c) (Stream) -> Void
    }

    private static let library: Library? = {
        // SAFETY: the library is never unloaded, and the functions have these types in every liblzma of version 5.
        guard let library = dlopen("liblzma.so.5", RTLD_NOW | RTLD_LOCAL),
            let start = dlsym(library, "lzma_stream_decoder"), let code = dlsym(library, "lzma_code"),
            let end = dlsym(library, "lzma_end")
        else { return nil }
        return Library(
            start: unsafeBitCast(start, to: (@convention(c) (Library.Stream, UInt64, UInt32) -> Int32).self),
            code: unsafeBitCast(code, to: (@convention(c) (Library.Stream, Int32) -> Int32).self),
            end: unsafeBitCast(end, to: (@convention(c) (Library.Stream) -> Void).self))
    }()

    /// What was unpacked, up to about `limit` bytes, and whether that is everything; `isDamaged` is false for input that only ends
    /// early. Nil if the library cannot be used.
    static func unpack(_ bytes: [UInt8], limit: Int) -> (output: [UInt8], isWhole: Bool, isDamaged: Bool)? {
        // SAFETY: the stream is zeroed, as LZMA_STREAM_INIT has it, and freed at the end.
        let stream = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
        defer { stream.deallocate() }
        stream.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        guard let library, library.start(stream, memory, concatenated) == 0 else { return nil }
        defer { library.end(stream) }
        var (output, chunk, status) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16), Int32(0))
        // SAFETY: liblzma gets pointers that are valid until the end of these closures, with the sizes of the arrays.
        bytes.withUnsafeBufferPointer { input in
            stream.storeBytes(of: input.baseAddress, toByteOffset: nextIn, as: UnsafePointer<UInt8>?.self)
            stream.storeBytes(of: input.count, toByteOffset: availableIn, as: Int.self)
            while status == 0, output.count <= limit {
                chunk.withUnsafeMutableBufferPointer { chunk in
                    stream.storeBytes(
                        of: chunk.baseAddress, toByteOffset: nextOut, as: UnsafeMutablePointer<UInt8>?.self)
                    stream.storeBytes(of: chunk.count, toByteOffset: availableOut, as: Int.self)
                    status = library.code(stream, finish)
                }
                output += chunk[..<(chunk.count - stream.load(fromByteOffset: availableOut, as: Int.self))]
            }
        }
        // LZMA_BUF_ERROR, 10: the input ends early.
        return (output, status == end, ![0, end, 10].contains(status))
    }
}
