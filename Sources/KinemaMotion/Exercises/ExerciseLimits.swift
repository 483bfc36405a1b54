import Foundation

enum ExerciseLimits {
    /// Bytes in a file: the whole library takes some forty thousand.
    static let bytes = 1 << 20
    /// Exercises in a file: during recognition each is tracked in every frame.
    static let exercises = 100
    /// Characters in a name, which has to fit on a picture.
    static let textLength = 60
    /// Aliases, traits, faults, guides or joints of one exercise: three times the library's maximum.
    static let listLength = 40
    /// Degrees, torso lengths, shares or seconds: wider than any body's measures.
    static let values = -1000.0...1000
    /// Seconds in a repetition: at least two frames, and less than the 30 s that a coach remembers.
    static let durations: ClosedRange<TimeInterval> = 0.1...25
}
