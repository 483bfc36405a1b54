/// Returns a block when its last user releases it.
// SAFETY: unchecked because the closure captures a pointer, which only names the block.
final class SharedBlock: @unchecked Sendable {
    private let giveBack: () -> Void

    init(_ giveBack: @escaping () -> Void) { self.giveBack = giveBack }

    deinit { giveBack() }
}
