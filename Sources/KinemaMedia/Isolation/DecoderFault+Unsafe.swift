internal import Foundation

/// A fault that a test requests at the end of a file; it needs the environment variable `KINEMA_DECODER_FAULTS`.
struct DecoderFault: Equatable {
    enum Kind: String, CaseIterable {
        case crash, loop, stop, memory, program, file, network
    }

    static let variable = "KINEMA_DECODER_FAULTS"

    var kind: Kind
    /// The number of the picture before which it happens.
    var picture: Int

    /// The last line of a file that asks for it, such as `kinema-fault crash 10`; nil for anything else.
    init?(_ line: some StringProtocol) {
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.count == 3, words[0] == "kinema-fault", let kind = Kind(rawValue: String(words[1])),
            let picture = Int(words[2])
        else { return nil }
        (self.kind, self.picture) = (kind, picture)
    }
}

extension DecoderFault {
    /// The fault that the last line of an open file requests; nil if there is none or faults are not enabled.
    static func found(in descriptor: Int32) -> DecoderFault? {
        guard ProcessInfo.processInfo.environment[variable] != nil else { return nil }
        let end = lseek(descriptor, 0, SEEK_END)
        defer { lseek(descriptor, 0, SEEK_SET) }
        guard end > 64 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 64)
        // SAFETY: at most as many bytes are written as the block has.
        let count = pread(descriptor, &bytes, bytes.count, end - 64)
        let lines = String(decoding: bytes[..<max(count, 0)], as: UTF8.self).split(separator: "\n")
        return lines.last.flatMap { DecoderFault(String($0)) }
    }

    func happen() {
        switch kind {
        case .crash:
            // SAFETY: none; that is the point.
            UnsafeMutablePointer<UInt8>(bitPattern: 1)?.pointee = 1
        case .loop: while true {}
        case .stop: DispatchSemaphore(value: 0).wait()
        case .memory:
            // Kept, so that the compiler does not remove it.
            var blocks: [UnsafeMutableRawPointer] = []
            while let block = malloc(1 << 24) { blocks.append(memset(block, Int32(blocks.count), 1 << 24)) }
            abort()
        case .program:
            var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
            execv("/bin/true", &arguments)
            free(arguments[0])
        case .file: if open("/etc/passwd", O_RDONLY) < 0 { abort() }
        case .network: if socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) < 0 { abort() }
        }
    }
}
