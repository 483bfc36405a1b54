import CDemoClip
import Foundation

// SAFETY: the bytes are constants of the program, and their number comes with them.

/// The clip of the demonstration: a rendered person does eight jumping jacks.
enum DemoClip {
    /// The ground truth of the scene.
    static let repetitions = 8

    static var bytes: [UInt8] {
        var count = 0
        let start = kinema_demo_clip(&count)
        return Array(UnsafeBufferPointer(start: start, count: count))
    }
}
