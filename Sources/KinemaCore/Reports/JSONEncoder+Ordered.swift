package import Foundation

extension JSONEncoder {
    /// The encoder of everything that is written or sent: sorted keys, so the same values give the same bytes in every run.
    package static var ordered: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
