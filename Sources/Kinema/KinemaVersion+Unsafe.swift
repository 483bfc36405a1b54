internal import CVersion

/// The version of this build.
package enum KinemaVersion {
    /// The newest version in CHANGELOG.md.
    package static let number = "0.9.0"

    /// The version of git's tag or commit if a script built the command; otherwise the number with `-dev`.
    package static let text: String = {
        // SAFETY: a literal of the program, ended by a zero.
        kinema_built_version().map { String(cString: $0) } ?? "\(number)-dev"
    }()
}
