import Foundation

/// A frame on the wire: 24 bytes, little-endian, then the JPEG.
struct FrameMessage: Sendable, Equatable {
    /// Rises from frame to frame.
    var sequence: UInt32
    /// When it was taken, seconds on the sender's clock.
    var time: Double
    var width: UInt32
    var height: UInt32
    var jpeg: Data

    private static let mark = Data("KFR1".utf8)
    private static let headerCount = 24

    init(sequence: UInt32, time: Double, width: Int, height: Int, jpeg: Data) {
        (self.sequence, self.time, self.jpeg) = (sequence, time, jpeg)
        (self.width, self.height) = (UInt32(clamping: width), UInt32(clamping: height))
    }

    /// Reads a frame; throws what is wrong with it. The JPEG is not looked at.
    init(_ bytes: Data) throws(LiveProblem) {
        guard bytes.count > Self.headerCount, bytes.prefix(4) == Self.mark else {
            throw LiveProblem(.badFrame, "a frame is 24 bytes that begin with KFR1, then a JPEG")
        }
        func number<Number: FixedWidthInteger>(_ place: Int) -> Number {
            (0..<Number.bitWidth / 8).reversed().reduce(0) { $0 << 8 | Number(bytes[bytes.startIndex + place + $1]) }
        }
        let sequence: UInt32 = number(4)
        let time = Double(bitPattern: number(8))
        guard time.isFinite else {
            throw LiveProblem(.badFrame, "a frame's time of capture is a number of seconds", sequence: sequence)
        }
        (self.sequence, self.time) = (sequence, time)
        (width, height) = (number(16), number(20))
        jpeg = bytes.dropFirst(Self.headerCount)
    }

    /// The frame as it goes over the socket.
    var bytes: Data {
        var bytes = Self.mark
        bytes.reserveCapacity(Self.headerCount + jpeg.count)
        func append(_ value: some FixedWidthInteger) {
            for shift in stride(from: 0, to: value.bitWidth, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: value >> shift))
            }
        }
        append(sequence)
        append(time.bitPattern)
        append(width)
        append(height)
        bytes.append(jpeg)
        return bytes
    }
}
