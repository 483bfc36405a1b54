import KinemaCore
import Synchronization

final class ResultMemory: ResultSink {
    private let bytes = Mutex<[UInt8]>([])

    /// The largest result in bytes: the poses of one person in some hours of video.
    static let largest = 64 << 20

    var result: [UInt8] { bytes.withLock { $0 } }

    func write(_ more: [UInt8]) throws {
        try bytes.withLock { bytes in
            guard bytes.count + more.count <= Self.largest else {
                throw KinemaError(
                    .unsupported, "the result is larger than \(Self.largest >> 20) MiB; kinema batch writes any size")
            }
            bytes += more
        }
    }
}
