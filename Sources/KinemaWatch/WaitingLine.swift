/// A line of results that waits to be sent, and the number of its camera.
package struct WaitingLine: Sendable {
    package var camera: Int
    package var text: [UInt8]
}
