/// The weights of the differences between a body and a known person, and their limits.
struct PersonMatchWeights: Sendable {
    /// The weight of log(1 + x²) of the distance from the expected position, as a share of its uncertainty.
    var distance = 1.5
    /// The weight of the logarithm of that uncertainty: position is weaker evidence for people long unseen.
    var lapse = 0.16
    /// The weight of the pose's difference: 1 minus the object key point similarity of the two, moved onto each other.
    var pose = 0.12
    /// The weight of the logarithm of the ratio of sizes.
    var size = 0.25
    /// The weight of a direction that differs from the person's, 0...1 (OC-SORT's observation-centric momentum).
    var direction = 0.07
    /// The weight of the square of the difference of appearance, 0...1.
    var appearance = 1.8
    /// The square of the difference of appearance where it is unknown.
    var unknownAppearance = 0.17
    /// The weight of the difference of appearance times log(1 + seconds unseen): after seconds only clothes differ. It
    /// differs from `PersonTrack.ReferenceState.absence`, which adds to costs on another scale.
    var absence = 1.8
    /// The difference of appearance assumed where it is unknown.
    var unknownAfterAbsence = 0.5
    /// The uncertainty of the expected position, in body sizes: at once, and more for each second since.
    var slack = (constant: 0.26, perSecond: 0.91)
    /// The time for which a movement continues unseen, in seconds.
    var persistence = 0.72
    /// The maximum cost of position, size and pose after a cut.
    var afterCut = 0.7
    /// A body less similar than this is another person.
    var maximum = 2.9
    /// The same for bodies of low score.
    var weakMaximum = 0.8
    /// Bodies below this score continue only those in view whom no other continues (ByteTrack, Zhang et al., "ByteTrack:
    /// Multi-Object Tracking by Associating Every Detection Box", 2022).
    var strongScore: Float = 0.3
    /// Bodies below this score begin no tracks, and those below `aloneScore` only where a crowd is in view.
    var newcomerScore: Float = 0.3, aloneScore: Float = 0.3
}
