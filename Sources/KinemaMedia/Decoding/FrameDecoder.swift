package import Foundation
import KinemaCore

enum FrameDecoder {
    /// Opens the input and decodes its first frame, so that unreadable input fails here; it delivers the selected frames.
    static func open(
        _ input: MediaInput, _ options: ReadingOptions, cancellation: CancellationFlag
    ) throws -> any FrameDecoding {
        if case .process(let executable) = options.isolation, input.isFromOutside {
            if SharedMemoryHandle.isAllowed(size: options.limits.sharedMemory) {
                return try IsolatedDecoder(input, options, executable: executable, cancellation: cancellation)
            }
            options.diagnostics?.report(
                Diagnostic(
                    "decoder.here", "decoded without a sandbox, since files are limited in size (ulimit -f)",
                    file: input.source))
        }
        let decoder = try openHere(input, options, cancellation: cancellation)
        return SelectingDecoder.selecting(options.selection, of: decoder)
    }

    private static func openHere(
        _ input: MediaInput, _ reading: ReadingOptions, cancellation: CancellationFlag
    ) throws -> any FrameDecoding {
        let container = try ContainerHandle(
            input, cancellation: cancellation, limits: reading.limits, timeout: reading.live.connectionTimeout,
            readTimeout: reading.live.silenceTimeout, given: reading.given, gate: reading.gate)
        guard !input.isAlwaysLive else {
            return try ReconnectingDecoder(input, container, reading: reading, cancellation: cancellation)
        }
        let facts = container.facts()
        if case .stream = input, facts.length == nil, !facts.isPicture {
            return try ReconnectingDecoder(input, container, reading: reading, cancellation: cancellation)
        }
        return try VideoDecoder(input, container, options: reading, cancellation: cancellation)
    }
}

extension MediaInput {
    /// Whether a decoder process can read the untrusted bytes: not a camera's, and not UDP, which cannot be confined.
    fileprivate var isFromOutside: Bool {
        switch self {
        case .file, .standardInput: true
        case .camera: false
        case .stream(let address): !address.isRTSP || address.isEncrypted || address.transport == .tcp
        }
    }

    fileprivate var isAlwaysLive: Bool {
        switch self {
        case .file, .standardInput: false
        case .camera: true
        case .stream(let address): address.isRTSP
        }
    }
}

/// The header of a JPEG, read before decoding, with every offset checked.
package struct JPEGHeader: Sendable, Equatable {
    package var width: Int
    package var height: Int
    /// The number of bytes before the picture data.
    package var count: Int
    package var isComplete: Bool
    /// Whether it has more scans than cameras and programs write, each of which a decoder puts into the whole picture.
    package var hasTooManyScans: Bool

    /// Progressive pictures of libjpeg have 10 scans, its decoders refuse 500.
    private static let mostScans = 64

    /// Reads the segments up to the picture data (ITU-T T.81, B.1.1.4); nil if the bytes are not a JPEG.
    package init?(_ bytes: Data) {
        guard let size = Self.size(in: bytes), size.width > 0, size.height > 0 else { return nil }
        (width, height, count) = size
        // Some cameras append zeros.
        let last = bytes.suffix(64).reversed().drop { $0 == 0 }.prefix(2)
        isComplete = Array(last) == [0xD9, 0xFF]
        hasTooManyScans = Self.scans(in: bytes) > Self.mostScans
    }

    /// How often a scan begins, at most one more than allowed: in picture data a 0xFF is followed by 0 (T.81, B.1.1.5).
    private static func scans(in bytes: Data) -> Int {
        var (count, place) = (0, bytes.startIndex)
        while count <= mostScans, let found = bytes[place...].firstIndex(of: 0xFF), found + 1 < bytes.endIndex {
            if bytes[found + 1] == 0xDA { count += 1 }
            place = found + 1
        }
        return count
    }

    private static func size(in bytes: Data) -> (width: Int, height: Int, count: Int)? {
        func number(_ offset: Int) -> Int? {
            guard offset + 1 < bytes.count else { return nil }
            return Int(bytes[bytes.startIndex + offset]) << 8 | Int(bytes[bytes.startIndex + offset + 1])
        }
        guard number(0) == 0xFFD8 else { return nil }
        var offset = 2
        var size: (width: Int, height: Int)?
        while let marker = number(offset), marker >> 8 == 0xFF {
            if marker == 0xFFFF {
                offset += 1
                continue
            }
            guard let length = number(offset + 2), length >= 2 else { return nil }
            if marker == 0xFFDA { return size.map { ($0.width, $0.height, offset) } }
            // SOF0 to SOF15 without DHT, JPG and DAC, whose markers lie in the same range (T.81, table B.1).
            if (0xC0...0xCF).contains(marker & 0xFF), ![0xC4, 0xC8, 0xCC].contains(marker & 0xFF) {
                // A second size would go unchecked.
                guard size == nil, let height = number(offset + 5), let width = number(offset + 7) else { return nil }
                size = (width, height)
            }
            offset += 2 + length
        }
        return nil
    }
}
