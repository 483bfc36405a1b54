internal import Foundation
internal import KinemaCore

/// The kinds of message between a process and its decoder: a byte after the payload's length (four bytes, little-endian).
enum DecoderMessageKind: UInt8 {
    /// To the decoder: `DecoderRequest` in JSON.
    case open = 1
    /// To the decoder: eight bytes for the number of pictures wanted, then eight for each block that is free again.
    case take
    /// To the decoder: a JPEG picture, which is answered with `picture` or `failed`.
    case jpeg
    /// To the decoder: `ConnectAnswer` in JSON.
    case connected
    /// To the process: `DecodedStream` in JSON.
    case opened = 16
    /// To the process: `PictureMessage`.
    case picture
    /// To the process: a `Diagnostic` in JSON.
    case diagnostic
    /// To the process: a `StateMessage` in JSON.
    case state
    /// To the process: `StreamRequest` in JSON, where a stream leads; answered with `connected`.
    case connect
    /// To the process: `FailureMessage` in JSON. The last message but for pictures that were sent.
    case failed
    /// To the process, without payload: the input has ended. The last message.
    case ended
    /// To the process, without payload: the decoder is there.
    case heartbeat

    /// The longest payload a decoder may send; its longest messages quote a path of 4096 bytes.
    static let maximumAnswer = 1 << 16
    /// The longest payload a decoder takes: the largest JPEG picture that a client may send, and more.
    static let maximumRequest = 1 << 24
    /// Bytes before the payload.
    static let headLength = 5

    /// The whole message.
    func message(_ payload: [UInt8] = []) -> [UInt8] {
        let count = UInt32(payload.count)
        return (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) } + [rawValue] + payload
    }

    /// The message with its payload in JSON; nil if it cannot be written.
    func message(_ payload: some Encodable) -> [UInt8]? {
        (try? JSONEncoder().encode(payload)).map { message(Array($0)) }
    }
}

/// What a decoder process is asked to read: the file at its descriptor, a stream, or pictures that are sent to it.
struct DecoderRequest: Codable {
    /// A picture's largest size.
    struct Size: Codable {
        var width: Int
        var height: Int
    }

    /// The input's name in messages and identifiers.
    var source: String
    var isStandardInput = false
    var stream: StreamRequest?
    var pictures: Size?
    var decodingThreads = 1
    var decoding = DecodingChoice.software
    var limits: ReadingLimits
    var live = LiveOptions()
    /// Bytes of memory for pictures.
    var sharedMemory = 0
    var ownMemory = 0

    init(source: String, limits: ReadingLimits) {
        (self.source, self.limits) = (source, limits)
    }
}

/// A stream that a decoder process may reach, or asks to be connected to.
struct StreamRequest: Codable {
    /// With the user and password, if there are any.
    var address: String
    var trustsAnyone = false
    /// The file of the trusted authorities, the only one that the process may open.
    var authorities: String?
    /// The port on the loopback interface that leads to the stream.
    var port = 0
}

/// What became of a wish to be connected.
struct ConnectAnswer: Codable {
    /// What to open instead of the address.
    var address: String?
    var failure: FailureMessage?
}

/// The state of a connection.
struct StateMessage: Codable {
    var isLive: Bool
    /// Why the connection was lost, when it is being made again.
    var reason: String?

    init(_ state: ConnectionState) {
        isLive = state == .live
        if case .reconnecting(let reason) = state { self.reason = reason }
    }

    var state: ConnectionState { reason.map { .reconnecting(reason: $0) } ?? (isLive ? .live : .connecting) }
}

/// What is known about a stream before its frames are read, as a decoder process tells it.
struct DecodedStream: Codable {
    var width: Int
    var height: Int
    var frameRate: Double
    var timescale: Int
    var duration: Double
    var expectedFrameCount: Int?
    var isLive: Bool

    init(_ description: StreamDescription) {
        (width, height) = (description.width, description.height)
        (frameRate, timescale) = (description.frameRate, description.timescale)
        (duration, expectedFrameCount) = (description.duration, description.expectedFrameCount)
        isLive = description.isLive
    }

    /// The description of an input; nil when a number is none that a decoder gives.
    func description(of input: MediaInput, _ limits: ReadingLimits) -> StreamDescription? {
        guard width > 0, height > 0, limits.accepts(width: width, height: height), (0...1000).contains(frameRate),
            (1...Int(Int32.max)).contains(timescale), (0..<1e12).contains(duration),
            (0...1_000_000_000).contains(expectedFrameCount ?? 0)
        else { return nil }
        return StreamDescription(
            input: input, width: width, height: height, frameRate: frameRate, timescale: timescale, duration: duration,
            expectedFrameCount: expectedFrameCount, isLive: isLive)
    }
}

/// Why a decoder process could not read on.
struct FailureMessage: Codable {
    var code: KinemaError.Code
    var message: String
    var file: String?
    var time: Double?

    init(_ error: KinemaError) {
        (code, message, file, time) = (error.code, error.message, error.file, error.time)
    }

    var error: KinemaError { KinemaError(code, message, file: file, time: time) }
}

/// A decoded picture in shared memory: where its planes are, how to read them, and when it is shown.
///
/// Whatever a decoder process says is checked before it is believed: see `isInside`.
struct PictureMessage: Equatable {
    /// Names the picture when it is given back.
    var number = 0
    /// Its time range in ticks, and ticks a second.
    var start = 0
    var end = 0
    var timescale = 0
    var width = 0
    var height = 0
    /// FFmpeg's number of the pixel format.
    var format = 0
    /// The standard's number, doubled, plus one for full range.
    var color = 0
    /// One for transposed, two for flipped columns, four for flipped rows.
    var orientation = 0
    /// Where each plane's first row begins in the shared memory, and the distance of its rows in bytes.
    var offsets = [0, 0, 0]
    var strides = [0, 0, 0]

    init() {}

    /// Reads a payload; nil if it has another length.
    init?(_ payload: ArraySlice<UInt8>) {
        let numbers = WireNumbers.read(payload)
        guard payload.count == 8 * Self.length, numbers.count == Self.length else { return nil }
        (number, start, end, timescale) = (numbers[0], numbers[1], numbers[2], numbers[3])
        (width, height, format, color, orientation) = (numbers[4], numbers[5], numbers[6], numbers[7], numbers[8])
        (offsets, strides) = (Array(numbers[9..<12]), Array(numbers[12..<15]))
    }

    private static let length = 15

    /// Numbers of eight bytes.
    var payload: [UInt8] {
        WireNumbers.bytes(
            [number, start, end, timescale, width, height, format, color, orientation] + offsets + strides)
    }

    /// Whether the planes lie inside memory of this many bytes, with room after them for vector code that reads on.
    func isInside(_ memory: Int, _ layout: PixelLayout, limits: ReadingLimits) -> Bool {
        guard width > 0, height > 0, limits.accepts(width: width, height: height), start >= 0, start < end,
            end < 1 << 61, (1...Int(Int32.max)).contains(timescale), (0..<8).contains(orientation)
        else { return false }
        return (0..<layout.planeCount).allSatisfy { plane in
            let (bytes, rows) = layout.extent(ofPlane: plane, width: width, height: height)
            let (offset, stride) = (offsets[plane], strides[plane])
            guard (0..<memory).contains(offset), stride.magnitude >= bytes, stride.magnitude < 1 << 24 else {
                return false
            }
            let last = offset + stride * (rows - 1)
            return min(offset, last) >= 0 && max(offset, last) + bytes + Self.slack <= memory
        }
    }

    /// Bytes that the scaler's vector code may read after a row.
    private static let slack = 64
}

extension PixelLayout {
    /// The bytes of a row and the number of rows of a plane.
    func extent(ofPlane plane: Int, width: Int, height: Int) -> (bytes: Int, rows: Int) {
        let columns = (width + (1 << chromaShiftX) - 1) >> chromaShiftX
        let rows = (height + (1 << chromaShiftY) - 1) >> chromaShiftY
        switch layout {
        case .packed(_, _, _, let bytesPerPixel): return (width * bytesPerPixel, height)
        case .gray: return (width * bytesPerSample, height)
        case .semiPlanar: return plane == 0 ? (width * bytesPerSample, height) : (2 * columns * bytesPerSample, rows)
        case .planar: return plane == 0 ? (width * bytesPerSample, height) : (columns * bytesPerSample, rows)
        }
    }
}

/// Numbers of eight bytes each, little-endian.
enum WireNumbers {
    static func bytes(_ numbers: [Int]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(numbers.count * 8)
        for number in numbers {
            for index in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
        }
        return bytes
    }

    /// The whole numbers in the bytes; what is left over does not count.
    static func read(_ bytes: ArraySlice<UInt8>) -> [Int] {
        stride(from: bytes.startIndex, through: bytes.endIndex - 8, by: 8).map { start in
            (0..<8).reduce(0) { $0 | Int(bytes[start + $1]) << (8 * $1) }
        }
    }
}
