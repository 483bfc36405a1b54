/// What clients may send; `hello` reports it (Documentation/studio.md).
package struct LiveLimits: Sendable, Equatable, Codable {
    /// Bytes of a frame: the samples of the largest picture, 5.3 MiB, with their header; six times a 1080p JPEG of
    /// high quality.
    package var frameBytes = 6 << 20
    /// Twice a usual camera's rate, for fast cameras.
    package var framesPerSecond = 60
    package var width = 1920
    package var height = 1920
    package var uploadBytes = 1 << 30

    package init() {}
}
