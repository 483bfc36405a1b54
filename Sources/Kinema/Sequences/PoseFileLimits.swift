/// The limits for pose files; larger ones are refused before they fill the memory.
package struct PoseFileLimits: Hashable, Sendable {
    /// Bytes of a file, also unpacked: an hour of two people as JSON Lines, a day of one as an array.
    package var bytes = 256 << 20
    /// The maximum compression ratio: lines with people reach 4 to 12, those without up to 50.
    package var ratio = 100
    /// Bytes up to which the ratio does not matter: half an hour of an array of zeros.
    package var ratioExemptBytes = 16 << 20
    /// Bytes of one line of JSON Lines: a thousand people with 33 joints in the picture and in space.
    package var lineBytes = 4 << 20
    /// Frames: nine hours at 30 a second.
    package var frames = 1_000_000
    /// Pixels of a picture's side: four times the widest that exist.
    package var side = 65_536

    package init() {}
}
