import KinemaCore

/// The interpretation of a file's numbers by all of its frames: unit and direction of positions, meaning of the third
/// number, and whether the joints fit the suggested order.
struct PoseSurvey: Sendable {
    enum Third: Sendable { case none, confidence, depth }

    enum Unit: Sendable {
        /// Shares of the picture from its upper left corner.
        case shares
        /// Pixels from the upper left corner.
        case pixels
        /// A length from a point in the body or the room.
        case length
    }

    private let keys: [JointKey?]
    private let hasThird: Bool
    private let order: JointOrder?
    private(set) var least = SIMD2<Float>(repeating: .infinity)
    private(set) var greatest = SIMD2<Float>(repeating: -.infinity)
    private var (leastThird, greatestThird) = (Float.infinity, -Float.infinity)
    private var (thirds, thirdsAboveOne, fractions) = (0, 0, 0)
    private struct Tally {
        var places = 0
        var negatives = SIMD2<Int>(repeating: 0)

        mutating func add(_ place: SIMD2<Float>) {
            places += 1
            if place.x < 0 { negatives.x += 1 }
            if place.y < 0 { negatives.y += 1 }
        }
    }
    /// All positions, and those whose third number is not 0, which is the confidence of joints that were not seen.
    private var (all, seen) = (Tally(), Tally())
    /// The number of bodies, and of those that extend to all four edges.
    private var (bodies, stretched) = (0, 0)
    /// The bodies that stand on their head, and the others: by all joints, and without those whose third number is 0.
    private var (allDirections, seenDirections) = (Directions(), Directions())
    private struct Directions {
        var (inverted, others) = (0, 0)
    }
    /// The heads, and how many of them are wider than each limit.
    private var heads = 0
    private var wideHeads: [Int]
    /// The summed lengths of the limbs in this order and in every other one with the same number of joints.
    private var limbs: [Float]
    private let skeletons: [[(Int, Int)]]
    private let rivals: [JointOrder]
    private let head: [Int]
    private let (nose, hips, ankles): (Int?, [Int], [Int])
    private var standing: StandingAxis
    /// The meaning of the third numbers, if it is known from the file before its axes were turned.
    var knownThird: Third?

    /// Positions up to here are shares of the picture: joints may be guessed outside it, but no picture is ten pixels
    /// wide.
    static let largestShare: Float = 10

    /// Surveys joints of these keys; `order` is the order that their number suggests.
    init(_ keys: [JointKey?], order: JointOrder? = nil, hasThird: Bool) {
        (self.keys, self.order, self.hasThird, standing) = (keys, order, hasThird, StandingAxis(keys))
        func index(_ key: JointKey) -> Int? { keys.firstIndex(of: key) }
        nose = index(.nose)
        hips = [JointKey.leftHip, .rightHip].compactMap(index)
        ankles = [JointKey.leftAnkle, .rightAnkle].compactMap(index)
        head = [JointKey.nose, .leftEye, .rightEye, .leftEar, .rightEar].compactMap(index)
        rivals = order?.keys == keys ? order?.rivals ?? [] : []
        skeletons = ([keys] + rivals.map(\.keys)).map(Self.limbs)
        limbs = [Float](repeating: 0, count: skeletons.count)
        wideHeads = Self.headLimits.map { _ in 0 }
    }

    private static func limbs(_ keys: [JointKey?]) -> [(Int, Int)] {
        let pairs: [(JointKey, JointKey)] = [
            (.leftShoulder, .rightShoulder), (.leftHip, .rightHip), (.leftShoulder, .leftHip),
            (.rightShoulder, .rightHip), (.leftShoulder, .leftElbow), (.leftElbow, .leftWrist),
            (.rightShoulder, .rightElbow), (.rightElbow, .rightWrist), (.leftHip, .leftKnee), (.leftKnee, .leftAnkle),
            (.rightHip, .rightKnee), (.rightKnee, .rightAnkle),
        ]
        return pairs.compactMap { pair in
            guard let one = keys.firstIndex(of: pair.0), let other = keys.firstIndex(of: pair.1) else { return nil }
            return (one, other)
        }
    }

    // MARK: - The survey

    /// Adds a person: x, y and the third number of each joint, 0, 0 or NaN where it was not seen.
    mutating func add(_ points: some RandomAccessCollection<SIMD3<Float>>) {
        var body = JointExtent()
        for point in points {
            if hasThird { addThird(point) }
            body.add(SIMD2(Double(point.x), Double(point.y)))
            guard point.isPlace else { continue }
            let place = SIMD2(point.x, point.y)
            least = pointwiseMin(least, place)
            greatest = pointwiseMax(greatest, place)
            all.add(place)
            if point.z != 0 { seen.add(place) }
        }
        guard !body.isEmpty else { return }
        bodies += 1
        if body.fillsPicture { stretched += 1 }
        standing.add(Array(points), hasDepth: hasThird)
        addDirection(Array(points), to: \.allDirections)
        let seen = points.map { hasThird && $0.z == 0 ? SIMD3(repeating: .nan) : $0 }
        addDirection(seen, to: \.seenDirections)
        addShape(seen)
    }

    private mutating func addThird(_ point: SIMD3<Float>) {
        guard point.z.isFinite else { return }
        thirds += 1
        leastThird = min(leastThird, point.z)
        greatestThird = max(greatestThird, point.z)
        if point.z > 1 { thirdsAboveOne += 1 }
        if point.z != point.z.rounded() { fractions += 1 }
    }

    private mutating func addShape(_ points: [SIMD3<Float>]) {
        func length(_ one: Int, _ other: Int) -> Float? {
            guard points[one].isPlace, points[other].isPlace else { return nil }
            let way = SIMD2(points[one].x - points[other].x, points[one].y - points[other].y)
            return (way * way).sum().squareRoot()
        }
        let size = Self.diagonal(points, points.indices)
        guard size > 0 else { return }
        for (number, skeleton) in skeletons.enumerated() {
            let lengths = skeleton.compactMap { length($0.0, $0.1) }
            if !lengths.isEmpty { limbs[number] += lengths.reduce(0, +) / Float(lengths.count) / size }
        }
        if head.count(where: { points[$0].isPlace }) >= 3 {
            heads += 1
            let share = Self.diagonal(points, head) / size
            for (index, limit) in Self.headLimits.enumerated() where share > limit { wideHeads[index] += 1 }
        }
    }

    private static func diagonal(_ points: [SIMD3<Float>], _ indices: some Sequence<Int>) -> Float {
        var (low, high) = (SIMD2<Float>(repeating: .infinity), SIMD2<Float>(repeating: -.infinity))
        for index in indices where points[index].isPlace {
            low = pointwiseMin(low, SIMD2(points[index].x, points[index].y))
            high = pointwiseMax(high, SIMD2(points[index].x, points[index].y))
        }
        let way = high - low
        return way.x >= 0 ? (way * way).sum().squareRoot() : 0
    }

    private mutating func addDirection(_ points: [SIMD3<Float>], to directions: WritableKeyPath<Self, Directions>) {
        let size = Self.diagonal(points, points.indices)
        func height(_ indices: [Int]) -> Float? {
            let seen = indices.filter { points[$0].isPlace }.map { points[$0].y }
            return seen.isEmpty ? nil : seen.reduce(0, +) / Float(seen.count)
        }
        guard let nose, let top = height([nose]), let middle = height(hips), let bottom = height(ankles) else { return }
        let isClear = abs(top - bottom) > Self.clearHeight * size
        let isInverted = isClear && top > middle && middle > bottom
        self[keyPath: directions].inverted += isInverted ? 1 : 0
        self[keyPath: directions].others += isInverted ? 0 : 1
    }

    // MARK: - What it shows

    /// The turn that the file's axes need.
    var turn: StandingAxis.Turn {
        standing.turn(hasDepth: third == .depth && (unit == .length || standing.standsAcrossHeight))
    }

    /// What may be wrong with the axes if they are not turned; nil if nothing.
    var doubt: String? { third == .depth ? nil : standing.doubt }

    /// The meaning of the third numbers: MediaPipe's and hands' are a visibility, which never exceeds 1, or a depth.
    /// Scores of other detectors may exceed 1, and flags are 0, 1 and 2.
    var third: Third {
        if let knownThird { return knownThird }
        guard hasThird, thirds > 0 else { return .none }
        if leastThird < 0 { return .depth }
        guard order != .blazePose33, order != .hand21 else {
            return greatestThird > 1 || greatestThird == 0 ? .depth : .confidence
        }
        let isScore = greatestThird <= 2 && (fractions == 0 || thirdsAboveOne * 4 <= thirds)
        return isScore ? .confidence : .depth
    }

    /// The unit of the positions: if much of the body is negative, it is a length; and in space, if y points up.
    var unit: Unit {
        let tally = third == .confidence ? seen : all
        let (places, negatives) = (tally.places, tally.negatives)
        let isInSpace = third == .depth
        let isCentred = negatives.x * 4 > places || (negatives.y * 4 > places && (isUpwards || isInSpace))
        if isCentred || isInSpace && isUpwards { return .length }
        return greatest.x <= Self.largestShare && greatest.y <= Self.largestShare ? .shares : .pixels
    }

    /// Whether y points up: people would otherwise stand on their heads in nearly every frame.
    var isUpwards: Bool {
        // A depth of 0 is a place, a confidence of 0 is none.
        let directions = third == .depth ? allDirections : seenDirections
        return directions.inverted > 0 && directions.inverted > directions.others * 9
    }

    /// Whether the body extends to all four edges of the picture in every frame with a person.
    var areStretched: Bool { bodies > 0 && stretched == bodies }

    /// The largest extent of a head as shares of the body: usually 0.05 to 0.25, up to 0.39; in another order 0.5.
    private static let headLimits: [Float] = [0.25, 0.35, 0.4]
    /// The share of the limbs' lengths below which another order fits better: of 473 recordings in the right order 2
    /// were below, of 266 in Human3.6M's all but 6.
    private static let clearlyShorter: Float = 0.8
    /// The share of a body's size between nose and ankles of a standing person.
    private static let clearHeight: Float = 0.7

    /// The reason why the joints do not fit the suggested order; nil if they do.
    var misfit: String? {
        guard let order, order != .blazePose33, order != .hand21, heads > 0 else { return nil }
        func isWide(_ limit: Int) -> Bool { wideHeads[limit] * 2 > heads }
        let shorter = limbs.indices.dropFirst().min { limbs[$0] < limbs[$1] }.flatMap {
            limbs[$0] < Self.clearlyShorter * limbs[0] ? rivals[$0 - 1] : nil
        }
        let isOdd =
            switch third {
            case .confidence: shorter != nil && isWide(0)
            case .none: shorter != nil && isWide(0) || isWide(2)
            case .depth: shorter != nil || isWide(1)
            }
        guard isOdd else { return nil }
        let found = "\(order.count) joints with x, y\(third == .depth ? " and a depth" : "")"
        let likeness =
            shorter.map { "as \($0.owner) and not as \(order.owner)" } ?? "in another order than \(order.owner)"
        return
            "contains \(found) that lie \(likeness); give a table (.csv) whose columns name the joints, such as left_knee_x"
    }

    var note: String {
        let joints = order.map { "\($0.count) joints read as \($0.owner)" } ?? "named joints"
        let unitName =
            switch unit {
            case .shares: "fractions of the frame"
            case .pixels: "pixels"
            case .length: "lengths"
            }
        var parts = [joints, "x and y as \(unitName)\(isUpwards ? ", y upwards" : "")"]
        switch third {
        case .none: break
        case .confidence: parts.append("the third number as the confidence")
        case .depth: parts.append("the third number as a depth, which is ignored")
        }
        return parts.joined(separator: "; ")
    }

    // MARK: - Places in a picture

    /// The size of the picture in the unit of the positions; `aspect` is its shape unless they are lengths.
    func size(_ aspect: AspectRatio) -> (width: Float, height: Float) {
        guard all.places > 0 else { return (1, 1) }
        switch unit {
        case .shares: return (1, 1)
        case .pixels:
            let ratio = Float(aspect.value)
            let height = max(greatest.y, greatest.x / ratio, 1e-6)
            return (height * ratio, height)
        case .length: return (greatest.x - least.x + 2 * margin, greatest.y - least.y + 2 * margin)
        }
    }

    /// The shape of the pictures; for lengths, that of a picture that just holds everything.
    func shape(_ aspect: AspectRatio?) -> AspectRatio {
        if unit == .length, all.places > 0 {
            let size = size(.usual)
            let scale = 1000 / max(size.width, size.height)
            return AspectRatio(width: max(1, Int(size.width * scale)), height: max(1, Int(size.height * scale)))
                ?? .square
        }
        return aspect ?? (areStretched ? .square : .usual)
    }

    /// A position from the upper left corner of the picture, y down.
    func place(_ point: SIMD3<Float>) -> SIMD3<Float> {
        var point = point
        let isLength = unit == .length
        if isUpwards {
            let top: Float = unit == .shares ? 1 : isLength ? greatest.y + margin : greatest.y
            point.y = top - point.y
        } else if isLength {
            point.y += margin - least.y
        }
        if isLength { point.x += margin - least.x }
        return point
    }

    /// A margin of a tenth around everything.
    private var margin: Float { max(greatest.x - least.x, greatest.y - least.y, 1e-6) / 10 }
}
