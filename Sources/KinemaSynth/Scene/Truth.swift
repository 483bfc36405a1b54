/// The ground truth of a rendered scene, as far as a camera could see it.
package struct Truth: Codable, Sendable, Equatable {
    /// One repetition, from the start posture back to it.
    package struct Repetition: Codable, Sendable, Equatable {
        /// The share of the full range from which a repetition counts.
        package static let countedDepth = 0.6

        /// The times of leaving the start posture and reaching it again, in seconds.
        package var start, end: Double
        package var exercise: String
        /// The share of the full range, 0...1.
        package var depth: Double
        /// Whether it counts: true for full and partial repetitions, false for failed ones.
        package var isCounted: Bool
        package var faults: [String] = []
    }

    package struct Interval: Codable, Sendable, Equatable {
        package var start, end: Double
    }

    /// The visibility of a joint, with the values of COCO's key points.
    package enum Visibility: Int, Codable, Sendable {
        case outOfPicture = 0
        /// In the picture, but behind something clearly in front of it.
        case occluded = 1
        case visible = 2
    }

    package struct Joint: Codable, Sendable, Equatable {
        /// Normalised, origin at the lower left; beyond 0...1 outside the picture.
        package var x, y: Double
        package var visibility: Visibility

        package init(x: Double, y: Double, visibility: Visibility) {
            (self.x, self.y, self.visibility) = (x, y, visibility)
        }

        package init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            x = try values.decode(Double.self)
            y = try values.decode(Double.self)
            visibility = try values.decode(Visibility.self)
        }

        package func encode(to encoder: any Encoder) throws {
            var values = encoder.unkeyedContainer()
            try values.encode(x)
            try values.encode(y)
            try values.encode(visibility)
        }
    }

    package struct Frame: Codable, Sendable, Equatable {
        /// The joints in the picture by name; empty for people behind the camera and under a title card.
        package var keypoints: [String: Joint]
        /// The joints in metres from the middle of the hips: x to the picture's right, y up, z towards the camera.
        package var keypoints3D: [String: [Double]]
        /// The outline's box as x, y, width, height: normalised, origin at the lower left, with hidden parts; nil far
        /// outside.
        package var box: [Double]?
        /// The visible share of the outline, 0...1: reduced by people, objects and the picture's edge.
        package var visibleShare: Double?
        /// Whether too little can be seen to find the person.
        package var isHidden: Bool?
        /// The smallest visible share of a person who is not hidden.
        package static let hiddenShare = 0.25
    }

    package struct Person: Codable, Sendable, Equatable {
        package var id: Int
        /// The person's exercises, in order of first appearance.
        package var exercises: [String]
        /// All repetitions in order, including failed ones.
        package var repetitions: [Repetition]
        /// The times at which something else hides the person inside the picture.
        package var occlusions: [Interval]
        /// One entry per frame of the scene.
        package var frames: [Frame]

        package var count: Int { repetitions.count(where: \.isCounted) }
    }

    package var width, height: Int
    package var frameCount: Int
    package var frameRate: FrameRate
    /// The times of cuts from a title card or to another camera, in seconds.
    package var cuts: [Double]
    package var people: [Person]
    package var toss: Toss?
    package var flights: [FlightTruth]?
    package var measurement: Measurement?

    package var count: Int { people.reduce(0) { $0 + $1.count } }
}
