internal import Foundation
internal import KinemaCore

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
