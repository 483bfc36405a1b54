internal import CVersion

/// The version that `kinema --version` prints.
enum KinemaVersion {
    /// The newest version in CHANGELOG.md.
    static let number = "0.9.0"

    /// The version of git's tag or commit if a script of this repository built the command; otherwise the number with
    /// `-dev`, since a plain `swift build` does not ask git.
    static let text: String = {
        // SAFETY: a literal of the program, ended by a zero.
        kinema_built_version().map { String(cString: $0) } ?? "\(number)-dev"
    }()
}
