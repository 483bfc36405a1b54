/// Notices a source that sends the same picture over and over.
///
/// A scene can be still: then a reconnection brings the same picture, and each time it is believed twice as long, until
/// something moves.
struct FrozenPicture {
    private let shortest: Duration?
    private var patience: Duration?
    private var last: UInt64?
    /// When the picture changed last, on the machine's clock.
    private var since = Duration.zero

    /// Believes a picture that stays the same for so long; for ever when nil.
    init(patience: Duration?) {
        shortest = patience
        self.patience = patience
    }

    /// Takes the digest of the next picture and when it came; true when the source counts as stuck.
    mutating func isStuck(_ digest: UInt64, at time: Duration) -> Bool {
        guard let patience else { return false }
        if digest != last {
            (last, since, self.patience) = (digest, time, shortest)
            return false
        }
        guard time - since >= patience else { return false }
        since = time
        self.patience = patience * 2
        return true
    }
}
