/// The limits of clients, which `hello` reports (Documentation/studio.md).
package struct LiveLimits: Sendable, Equatable, Codable {
    /// The maximum size of a frame in bytes: the largest raw picture of 5.3 MiB with its header.
    package var frameBytes = 6 << 20
    /// Twice a usual camera's rate, for fast cameras.
    package var framesPerSecond = 60
    package var width = 1920
    package var height = 1920
    package var uploadBytes = 1 << 30

    package init() {}
}
