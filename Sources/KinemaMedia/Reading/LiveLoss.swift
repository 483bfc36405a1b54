/// Why a camera or a stream gives no more frames; it may be back soon.
struct LiveLoss: Error, Hashable {
    /// In words, for the user.
    var reason: String

    static let ended = LiveLoss(reason: "the server ended the stream")
    static let undecodable = LiveLoss(reason: "nothing in it could be decoded")

    static func silent(_ patience: Duration) -> LiveLoss {
        LiveLoss(reason: "nothing came for \(seconds(patience)) s")
    }

    static func stuck(_ patience: Duration) -> LiveLoss {
        LiveLoss(reason: "the picture has been the same for \(seconds(patience)) s")
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(Int(duration / .milliseconds(100))) / 10
    }
}
