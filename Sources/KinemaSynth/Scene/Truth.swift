/// What really happens in a rendered scene, as far as a camera could find it out.
package struct Truth: Codable, Sendable, Equatable {
    /// One run through an exercise, from the start posture back to it.
    package struct Repetition: Codable, Sendable, Equatable {
        /// From this share of the full range on a repetition counts.
        package static let countedDepth = 0.6
        /// Below this share it is a failed one; nothing is rendered in between, where people would disagree.
        package static let failedDepth = 0.4

        /// When the start posture is left, seconds.
        package var start: Double
        /// When the start posture is reached again, seconds.
        package var end: Double
        /// The exercise's name.
        package var exercise: String
        /// The share of the full range, 0...1.
        package var depth: Double
        /// Whether it counts: true for full and partial repetitions, false for failed ones.
        package var isCounted: Bool
        /// What is done wrong, by the coach's codes.
        package var faults: [String] = []
    }

    /// A stretch of time in seconds.
    package struct Interval: Codable, Sendable, Equatable {
        /// When it begins.
        package var start: Double
        /// When it ends.
        package var end: Double
    }

    /// How well a joint can be seen; the numbers are those of COCO's key points.
    package enum Visibility: Int, Codable, Sendable {
        /// Outside the picture.
        case outOfPicture = 0
        /// In the picture but behind something that lies clearly in front of it.
        case occluded = 1
        /// In view.
        case visible = 2
    }

    /// A joint in the picture.
    package struct Joint: Codable, Sendable, Equatable {
        /// Normalised, origin at the lower left; outside 0...1 beside the picture.
        package var x: Double
        /// Normalised, origin at the lower left; outside 0...1 beside the picture.
        package var y: Double
        /// Whether the joint can be seen.
        package var visibility: Visibility

        /// Makes a joint from its normalised place (origin at the lower left).
        package init(x: Double, y: Double, visibility: Visibility) {
            self.x = x
            self.y = y
            self.visibility = visibility
        }

        /// Reads `[x, y, visibility]`.
        package init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            x = try values.decode(Double.self)
            y = try values.decode(Double.self)
            visibility = try values.decode(Visibility.self)
        }

        /// Writes `[x, y, visibility]`.
        package func encode(to encoder: any Encoder) throws {
            var values = encoder.unkeyedContainer()
            try values.encode(x)
            try values.encode(y)
            try values.encode(visibility)
        }
    }

    /// One person in one frame.
    package struct Frame: Codable, Sendable, Equatable {
        /// The joints in the picture by name; empty behind the camera and under a title card.
        package var keypoints: [String: Joint]
        /// Metres from the middle of the hips: x to the picture's right, y up, z towards the camera.
        package var keypoints3D: [String: [Double]]
    }

    /// One person over the whole scene.
    package struct Person: Codable, Sendable, Equatable {
        /// The person's number.
        package var id: Int
        /// The exercises done, in order of first appearance.
        package var exercises: [String]
        /// Every repetition, failed ones included, in order.
        package var repetitions: [Repetition]
        /// When the person is hidden behind something or someone else although inside the picture.
        package var occlusions: [Interval]
        /// One entry a frame of the scene.
        package var frames: [Frame]

        /// How many repetitions count.
        package var count: Int { repetitions.count { $0.isCounted } }
    }

    /// The picture's columns.
    package var width: Int
    /// The picture's rows.
    package var height: Int
    /// How many frames there are.
    package var frameCount: Int
    /// How long each lasts.
    package var frameRate: FrameRate
    /// When the view changes, from a title card or to another camera, seconds.
    package var cuts: [Double]
    /// Everyone who appears.
    package var people: [Person]
    /// The game of bean-bag toss in it, if any.
    package var toss: Toss?
    /// What flies through the picture, if anything does.
    package var flights: [FlightTruth]?

    /// Everyone's repetitions that count, together.
    package var count: Int { people.reduce(0) { $0 + $1.count } }
}
