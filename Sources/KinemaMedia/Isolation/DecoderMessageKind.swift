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

    /// The message with its payload in JSON; nil if it cannot be encoded.
    func message(_ payload: some Encodable) -> [UInt8]? {
        (try? JSONEncoder.ordered.encode(payload)).map { message(Array($0)) }
    }
}
