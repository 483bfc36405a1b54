import Foundation
import KinemaCore

/// Finds the floor line from the positions where feet rest.
struct FloorFinder {
    /// A position where a foot rested, picture heights, and for how many frames.
    struct Place: Sendable, Hashable {
        var side: String
        var x, y: Double
        var frames: Int
    }

    /// Leg lengths per second; a foot on the ground is slower than this (a swinging one moves at about four). Short
    /// contacts of runners are buried in landmark noise, so a faster limit applies if no foot is slower.
    private static let restingSpeeds = [0.35, 0.7, 1.4]
    /// Seconds; the shortest rest.
    private static let shortestRest = 0.1
    /// Leg lengths; the slope between positions closer than this is unreliable.
    private static let leastDistance = 0.8

    /// Leg lengths above the other foot; perspective explains no more between feet on the floor.
    private static let highest = 0.12

    let places: [Place]
    /// The length of a leg in picture heights; nil without legs.
    let leg: Double?

    init(_ track: MeasuredTrack) {
        let lengths = (0..<track.count).flatMap { index in
            LimbJoints.both.compactMap { side -> Double? in
                guard let thigh = track.distance(side.hip, side.knee, index),
                    let shank = track.distance(side.knee, side.ankle, index)
                else { return nil }
                return thigh + shank
            }
        }
        // Foreshortening can only shorten.
        leg = lengths.quantile(0.75)
        guard let leg, leg > 0 else {
            places = []
            return
        }
        let soles = LimbJoints.both.map { Self.sole(of: $0, track, height: leg / BodyShare.leg) }
        places =
            Self.restingSpeeds.lazy.map { limit in
                zip(LimbJoints.both, zip(soles, soles.reversed())).flatMap { side, feet in
                    Self.rests(of: feet.0, beside: feet.1, side.name, rate: track.rate, slower: limit * leg, leg)
                }
            }.first { !$0.isEmpty } ?? []
    }

    private static func rests(
        of sole: JointPath, beside other: JointPath, _ side: String, rate: Double, slower limit: Double, _ leg: Double
    ) -> [Place] {
        let speed = zip(SignalFilter.derivative(sole.x, rate: rate), SignalFilter.derivative(sole.y, rate: rate))
            .map { ($0 * $0 + $1 * $1).squareRoot() }
        let least = max(3, Int(clamping: shortestRest * rate))
        return SignalFilter.runs(speed.count) { speed[$0] < limit }.filter { $0.count >= least }
            .compactMap { run in
                let place = Place(
                    side: side, x: Array(sole.x[run]).median, y: Array(sole.y[run]).median, frames: run.count)
                let support = other.y[run].filter(\.isFinite)
                // A foot held still above the other one is not on the floor.
                return !support.isEmpty && place.y - support.median > highest * leg ? nil : place
            }
    }

    /// The sole's position: below the midpoint of heel and toe, or below the ankle.
    static func sole(of side: LimbJoints, _ track: MeasuredTrack, height: Double) -> JointPath {
        if let heel = track.paths[side.heel], let toe = track.paths[side.toe] {
            return JointPath(
                x: zip(heel.x, toe.x).map { ($0 + $1) / 2 },
                y: zip(heel.y, toe.y).map { ($0 + $1) / 2 - BodyShare.sole * height }, confidence: heel.confidence)
        }
        let none = [Double](repeating: .nan, count: track.count)
        guard let ankle = track.paths[side.ankle] else { return JointPath(x: none, y: none, confidence: none) }
        return JointPath(x: ankle.x, y: ankle.y.map { $0 - BodyShare.ankle * height }, confidence: ankle.confidence)
    }

    /// The floor: the median slope between positions of the same foot (Theil and Sen), since the feet are at two
    /// distances from the camera; level if they stay in one place. Nil if no foot rests. `isLevel` says that no slope
    /// was measured; `spread` is the median distance of the positions from the line, in leg lengths.
    func line(aspectRatio: Double) -> (floor: FloorLine, isLevel: Bool, spread: Double)? {
        guard let leg, !places.isEmpty else { return nil }
        var slopes: [Double] = []
        for (index, one) in places.enumerated() {
            for other in places[..<index]
            where one.side == other.side && abs(one.x - other.x) > Self.leastDistance * leg {
                slopes.append((one.y - other.y) / (one.x - other.x))
            }
        }
        let slope = slopes.median
        // Longer rests count more.
        let heights = places.flatMap { place in
            [Double](repeating: place.y - slope * (place.x - aspectRatio / 2), count: min(place.frames, 30))
        }
        let height = heights.median
        return (
            FloorLine(angle: atan(slope) * 180 / .pi, height: height), slopes.isEmpty,
            heights.map { abs($0 - height) }.median / leg
        )
    }
}

/// The floor in the picture.
public struct FloorLine: Codable, Sendable, Hashable {
    /// Degrees from the picture's lower edge; positive if the floor rises to the right.
    public var angle: Double
    /// The floor's height in the middle of the picture, in picture heights from the lower edge.
    public var height: Double

    /// Creates a floor from its angle in degrees and its height in the middle of the picture, 0...1.
    public init(angle: Double, height: Double) { (self.angle, self.height) = (angle, height) }
}
