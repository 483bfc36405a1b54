/// A lost connection to a camera or a stream, which may come back.
struct ConnectionLoss: Error, Hashable {
    var reason: String

    static let ended = ConnectionLoss(reason: "the server ended the stream")
    static let undecodable = ConnectionLoss(reason: "nothing it sent could be decoded")

    static func timedOut(_ timeout: Duration) -> ConnectionLoss {
        ConnectionLoss(reason: "no data arrived for \(seconds(timeout)) s")
    }

    static func frozen(_ timeout: Duration) -> ConnectionLoss {
        ConnectionLoss(reason: "the image has not changed for \(seconds(timeout)) s")
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(Int(duration / .milliseconds(100))) / 10
    }
}
