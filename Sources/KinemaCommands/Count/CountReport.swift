import Foundation
import Kinema

/// What a count found: the contract of `kinema count`.
struct CountReport: Sendable {
    var source: String
    var duration: TimeInterval = 0
    var frames = 0
    var framesWithSomeone = 0
    var count = 0
    var people: [PeopleCounter.Person] = []
    /// How long the analysis took, seconds.
    var seconds: TimeInterval = 0
}
