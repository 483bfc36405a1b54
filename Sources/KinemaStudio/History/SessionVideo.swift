package struct SessionVideo: Sendable, Equatable, Codable {
    /// A container that browsers play.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case webm = "video/webm"
        case mp4 = "video/mp4"

        package var fileEnding: String { self == .webm ? "webm" : "mp4" }
    }

    package var type: Kind
    package var bytes: Int
}
