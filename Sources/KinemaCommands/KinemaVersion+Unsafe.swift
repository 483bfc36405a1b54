internal import CVersion

enum KinemaVersion {
    /// The newest version in CHANGELOG.md.
    static let number = "0.9.0"

    /// The version of git's tag or commit if a script built the command; otherwise the number with `-dev`.
    static let text: String = {
        // SAFETY: a literal of the program, ended by a zero.
        kinema_built_version().map { String(cString: $0) } ?? "\(number)-dev"
    }()
}
