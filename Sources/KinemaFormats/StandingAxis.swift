import KinemaMotion
import KinemaCore

/// The axis along which the bodies of a file stand, by all of its frames: files may have y first, or z upwards.
struct StandingAxis: Sendable {
    /// How to turn a file's axes to x to the right and y along the picture's height.
    enum Turn: Sendable {
        case none
        /// y comes first.
        case transposed
        /// The third number points up, or down.
        case depthUp, depthDown
        /// In files with y upwards: y points down, or the first number up or down.
        case inverted, firstUp, firstDown

        /// The point with x to the right and y along the picture's height.
        func applied(to point: SIMD3<Float>) -> SIMD3<Float> {
            switch self {
            case .none: point
            case .transposed: SIMD3(point.y, point.x, point.z)
            case .depthUp: SIMD3(point.x, point.z, -point.y)
            case .depthDown: SIMD3(point.x, -point.z, point.y)
            case .inverted: SIMD3(point.x, -point.y, -point.z)
            case .firstUp: SIMD3(-point.y, point.x, point.z)
            case .firstDown: SIMD3(point.y, -point.x, point.z)
            }
        }

        /// What was assumed; nil if nothing.
        var note: String? {
            switch self {
            case .none: nil
            case .transposed: "y before x"
            case .depthUp: "z upwards, since everyone would lie otherwise"
            case .depthDown: "z downwards, since everyone would lie otherwise"
            case .inverted: "y downwards, since everyone would stand on their heads otherwise"
            case .firstUp: "x upwards, since nobody lying moves so"
            case .firstDown: "x downwards, since nobody lying moves so"
            }
        }
    }

    private let (nose, shoulders, hips, ankles, wrists): (Int?, [Int], [Int], [Int], [Int])
    private var bodies = 0
    /// The sum of the directions from the feet to the head.
    private var sum = SIMD3<Float>.zero
    /// Frames in which the trunk is within 45 degrees of the x axis, with the head at smaller x.
    private var lying = 0
    /// The places of ankles, hips, shoulders and wrists over time, and the longest body.
    private var (ankleCourse, hipCourse, neckCourse, wristCourse): (Course, Course, Course, Course) = ([], [], [], [])
    private var longest: Float = 0
    private typealias Course = [SIMD3<Float>]

    /// The share of a body's length along an axis, averaged over a file, from which it stands along that axis.
    private static let clear: Float = 0.7
    /// The share of frames that must agree.
    private static let agreement = 0.9
    /// The shares of a body's length by which hips and shoulders move towards resting ankles: a squat has 0.25
    /// and more; and by which ankles still rest.
    private static let (leastDip, rest): (Float, Float) = (0.15, 0.06)
    /// How many times farther shoulders move along the body than across it: in a push-up it is the other way round.
    private static let leastRatio: Float = 1.5

    init(_ keys: [JointKey?]) {
        func places(_ wanted: JointKey...) -> [Int] { wanted.compactMap { keys.firstIndex(of: $0) } }
        nose = keys.firstIndex(of: .nose) ?? keys.firstIndex(of: .neck)
        shoulders = places(.leftShoulder, .rightShoulder)
        (hips, ankles) = (places(.leftHip, .rightHip), places(.leftAnkle, .rightAnkle))
        wrists = places(.leftWrist, .rightWrist)
    }

    /// Adds a body; missing joints are NaN or 0, 0.
    mutating func add(_ points: [SIMD3<Float>], hasDepth: Bool) {
        func middle(_ indices: [Int]) -> SIMD3<Float>? {
            let seen = indices.map { points[$0] }.filter(\.isPlace)
            guard !seen.isEmpty else { return nil }
            let sum = seen.reduce(SIMD3<Float>.zero, +) / Float(seen.count)
            return hasDepth && sum.z.isFinite ? sum : SIMD3(sum.x, sum.y, 0)
        }
        guard let head = middle(nose.map { [$0] } ?? shoulders), let feet = middle(ankles) else { return }
        let length = ((head - feet) * (head - feet)).sum().squareRoot()
        guard length > 0 else { return }
        bodies += 1
        sum += (head - feet) / length
        guard let neck = middle(shoulders), let root = middle(hips) else { return }
        let trunk = neck - root
        if trunk.x < 0, abs(trunk.x) > abs(trunk.y), head.x < feet.x { lying += 1 }
        ankleCourse.append(feet)
        hipCourse.append(root)
        neckCourse.append(neck)
        if let hands = middle(wrists) { wristCourse.append(hands) }
        longest = max(longest, length)
    }

    /// The turn that the file needs; `hasDepth` says whether third numbers are positions, `isUpwards` whether y points up
    /// in files of this kind.
    func turn(hasDepth: Bool, isUpwards: Bool = false) -> Turn {
        guard bodies > 0 else { return .none }
        let mean = sum / Float(bodies)
        if hasDepth, abs(mean.z) > Self.clear, !isPropped { return mean.z > 0 ? .depthUp : .depthDown }
        guard isUpwards else {
            return Double(lying) > Self.agreement * Double(bodies) && squatsAlongX ? .transposed : .none
        }
        if mean.y < -Self.clear { return .inverted }
        guard abs(mean.x) > Self.clear, squatsAlongX else { return .none }
        return mean.x > 0 ? .firstUp : .firstDown
    }

    /// What may be wrong with axes that are left as they are; nil if nothing: who really lies is as likely as a file with y first.
    var doubt: String? {
        guard bodies > 0, Double(lying) > Self.agreement * Double(bodies) else { return nil }
        return "everyone lies with the head to the left; if they stand, y comes first: exchange x and y"
    }

    /// Whether third numbers are counted from the hips though the others are not, as MediaPipe's: they are no heights.
    var hasRelativeDepth: Bool {
        func mean(_ axis: Int) -> Float { hipCourse.map { $0[axis] }.reduce(0, +) / Float(max(1, hipCourse.count)) }
        func isSmall(_ value: Float) -> Bool { abs(value) < Self.nearHips * longest }
        return !hipCourse.isEmpty && isSmall(mean(2)) && !(isSmall(mean(0)) && isSmall(mean(1)))
    }

    /// Whether bodies have no length along the picture's height though their depth is a place in a room: with depth
    /// cameras, whose depth has another unit than the picture, they have some.
    var standsAcrossHeight: Bool {
        bodies > 0 && !hasRelativeDepth && abs(sum.y / Float(bodies)) < Self.flat
    }

    /// The share of a body's length, averaged over a file, that is none.
    private static let flat: Float = 0.2

    private func extent(_ course: Course, _ axis: Int) -> Float {
        let places = course.map { $0[axis] }.filter(\.isFinite)
        return (places.quantile(0.95) ?? 0) - (places.quantile(0.05) ?? 0)
    }

    /// Whether bodies that lie along x in the file squat, jump or lunge along it: with resting feet, the hips move towards
    /// them. Who really lies moves across.
    private var squatsAlongX: Bool {
        let dip = min(extent(hipCourse, 0), extent(neckCourse, 0))
        return dip > Self.leastDip * longest && extent(ankleCourse, 0) < Self.rest * longest
            && extent(neckCourse, 0) > Self.leastRatio * extent(neckCourse, 1)
    }

    /// Whether feet and hands rest while the shoulders move across the third axis: push-ups of a body that lies along it.
    private var isPropped: Bool {
        func rests(_ course: Course) -> Bool {
            !course.isEmpty && (0..<3).allSatisfy { extent(course, $0) < Self.rest * longest }
        }
        let across = extent(neckCourse, 1)
        return rests(ankleCourse) && rests(wristCourse) && across > Self.rest * longest
            && across > Self.leastRatio * extent(neckCourse, 2)
    }

    /// The share of a body's length from the hips up to which numbers are counted from them.
    private static let nearHips: Float = 0.1
}

/// The aspect ratio of a frame: its width and height, in any unit that is the same for both.
public struct AspectRatio: Hashable, Sendable {
    /// The width.
    package let width: Int
    /// The height.
    package let height: Int

    /// The ratio of most videos, 16/9.
    package static let usual = AspectRatio(16, 9)
    /// The ratio of a square, 1/1.
    package static let square = AspectRatio(1, 1)

    /// Creates a ratio; nil unless both are from 1 to 65536.
    public init?(width: Int, height: Int) {
        let sides = 1...PoseFileLimits().side
        guard sides.contains(width), sides.contains(height) else { return nil }
        self.init(width, height)
    }

    private init(_ width: Int, _ height: Int) { (self.width, self.height) = (width, height) }

    /// The width divided by the height.
    package var value: Double { Double(width) / Double(height) }
}
