import Synchronization

/// Admits one browser, once: other users of the machine can see the address, as they see any command's options.
package final class AccessTicket: Sendable {
    private let token: Mutex<AccessToken?>
    package let text: String

    package init() {
        let token = AccessToken.random()
        text = token.text
        self.token = Mutex(token)
    }

    /// Whether a word is the unused ticket; uses it up.
    func redeem(_ word: some StringProtocol) -> Bool {
        token.withLock { token in
            guard token?.matches(word) == true else { return false }
            token = nil
            return true
        }
    }
}
