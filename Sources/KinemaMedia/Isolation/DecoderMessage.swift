internal import Foundation
import KinemaCore

/// The kinds of message between a process and its decoder; the byte follows the payload's length (four bytes,
/// little-endian).
enum DecoderMessageKind: UInt8 {
    /// To the decoder: `DecoderRequest` in JSON.
    case open = 1
    /// To the decoder: eight bytes for the number of pictures requested, then eight for each block that is free again.
    case take
    /// To the decoder: a JPEG picture, which is answered with `picture` or `failed`.
    case jpeg
    /// To the decoder: `ConnectAnswer` in JSON.
    case connected
    /// To the process: `StreamDescription` in JSON.
    case opened = 16
    /// To the process: `PictureMessage`.
    case picture
    /// To the process: a `Diagnostic` in JSON.
    case diagnostic
    /// To the process: a `ConnectionState` in JSON.
    case state
    /// To the process: `StreamRequest` in JSON, a connection that the stream needs; answered with `connected`.
    case connect
    /// To the process: a `KinemaError` in JSON. The last message, except after pictures that were sent.
    case failed
    /// To the process, without payload: the input has ended. The last message.
    case ended
    /// To the process, without payload: the decoder is alive.
    case heartbeat

    /// The longest payload a decoder may send; its longest messages quote a path of 4096 bytes.
    static let maximumAnswer = 1 << 16
    /// The longest payload a decoder accepts: more than the largest JPEG picture that a client may send.
    static let maximumRequest = 1 << 24
    /// Bytes before the payload.
    static let headLength = 5

    func message(_ payload: [UInt8] = []) -> [UInt8] {
        let count = UInt32(payload.count)
        return (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) } + [rawValue] + payload
    }

    /// The message with its payload in JSON; nil if it cannot be encoded. The label keeps bytes from travelling as JSON.
    func message(json payload: some Encodable) -> [UInt8]? {
        (try? JSONEncoder.ordered.encode(payload)).map { message(Array($0)) }
    }
}

/// A decoded picture in shared memory: its planes and its time. The parent checks it (`isInside`).
struct PictureMessage: Equatable {
    /// Identifies the picture when it is returned.
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
    /// The offset of each plane's first row in the shared memory, and the distance between its rows, in bytes.
    var offsets = [0, 0, 0]
    var strides = [0, 0, 0]

    init() {}

    init?(_ payload: ArraySlice<UInt8>) {
        let numbers = WireNumbers.read(payload)
        guard payload.count == 8 * Self.length, numbers.count == Self.length else { return nil }
        (number, start, end, timescale) = (numbers[0], numbers[1], numbers[2], numbers[3])
        (width, height, format, color, orientation) = (numbers[4], numbers[5], numbers[6], numbers[7], numbers[8])
        (offsets, strides) = (Array(numbers[9..<12]), Array(numbers[12..<15]))
    }

    private static let length = 15

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

/// The input of a decoder process: the file at its descriptor, a stream, or pictures that are sent to it.
struct DecoderRequest: Codable {
    struct Size: Codable {
        var width: Int
        var height: Int
    }

    var source: String
    var isStandardInput = false
    var stream: StreamRequest?
    var pictures: Size?
    var decodingThreads = 1
    var part: PartStart?
    var selection = FrameSelection.all
    var timing = FrameTiming.tagged
    var limits: ReadingLimits
    var live = LiveOptions()
    /// Bytes of memory for pictures.
    var sharedMemory = 0
    var ownMemory = 0
}

/// A stream that a decoder process may reach, or a connection that it requests.
struct StreamRequest: Codable {
    /// With the user and password, if there are any.
    var address: String
    var trustsAnyone = false
    /// The file of the trusted authorities, the only one that the process may open.
    var authorities: String?
    /// The port on the loopback interface that leads to the stream.
    var port = 0
}

struct ConnectAnswer: Codable {
    var address: String?
    var failure: KinemaError?
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

    /// The whole numbers in the bytes; ignores an incomplete one at the end.
    static func read(_ bytes: ArraySlice<UInt8>) -> [Int] {
        stride(from: bytes.startIndex, through: bytes.endIndex - 8, by: 8).map { start in
            (0..<8).reduce(0) { $0 | Int(bytes[start + $1]) << (8 * $1) }
        }
    }
}
