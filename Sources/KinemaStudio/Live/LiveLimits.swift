/// What a client may send, as `hello` states it (Documentation/studio.md).
package struct LiveLimits: Sendable, Equatable, Codable {
    /// The largest frame, bytes: the samples of the largest picture, 5.3 MiB, with what stands before them; six times what
    /// a camera's 1080p JPEG has at high quality.
    package var frameBytes = 6 << 20
    /// The most frames a second: twice a usual camera's, so that a fast one loses none on the way here.
    package var framesPerSecond = 60
    /// The most columns of a picture, either way round.
    package var width = 1920
    /// The most rows of a picture, either way round.
    package var height = 1920
    /// The largest upload, bytes.
    package var uploadBytes = 1 << 30

    /// The usual limits.
    package init() {}
}
