import KinemaCounting
import KinemaHTTP
import KinemaPose
import Foundation
import KinemaCore
import KinemaMedia

/// A frame on the wire: 24 bytes, little-endian, then the picture.
struct FrameMessage: Sendable, Equatable {
    enum Picture: Sendable, Equatable {
        case jpeg(Data)
        case planar(PlanarPicture)
    }

    var sequence: UInt32
    /// Capture time, seconds on the sender's clock.
    var time: Double
    var width: UInt32
    var height: UInt32
    var picture: Picture

    private static let jpegMark = Data("KFR1".utf8)
    private static let planarMark = Data("KFI1".utf8)
    private static let headerCount = 24
    /// Matrix, range and two unused bytes before the planes.
    private static let colorCount = 4

    init(sequence: UInt32, time: Double, width: Int, height: Int, picture: Picture) {
        (self.sequence, self.time, self.picture) = (sequence, time, picture)
        (self.width, self.height) = (UInt32(clamping: width), UInt32(clamping: height))
    }

    /// Parses a frame; does not decode a JPEG.
    init(_ bytes: Data) throws(LiveProblem) {
        let mark = bytes.prefix(4)
        guard bytes.count > Self.headerCount, mark == Self.jpegMark || mark == Self.planarMark else {
            throw LiveProblem(
                .badFrame, "a frame must be 24 bytes that begin with KFR1, then a JPEG, or with KFI1, then I420 planes")
        }
        func number<Number: FixedWidthInteger>(_ place: Int) -> Number {
            (0..<Number.bitWidth / 8).reversed().reduce(0) { $0 << 8 | Number(bytes[bytes.startIndex + place + $1]) }
        }
        let sequence: UInt32 = number(4)
        let time = Double(bitPattern: number(8))
        guard time.isFinite else {
            throw LiveProblem(.badFrame, "a frame's time of capture must be a number of seconds", sequence: sequence)
        }
        (self.sequence, self.time) = (sequence, time)
        (width, height) = (number(16), number(20))
        let rest = bytes.dropFirst(Self.headerCount)
        if mark == Self.jpegMark {
            picture = .jpeg(rest)
            return
        }
        guard let planar = Self.planar(rest, width: Int(width), height: Int(height)) else {
            throw LiveProblem(
                .badFrame, "the planes of this frame do not have \(width)x\(height) pixels", sequence: sequence)
        }
        picture = .planar(planar)
    }

    private static func planar(_ bytes: Data, width: Int, height: Int) -> PlanarPicture? {
        let colors = Array(bytes.prefix(colorCount))
        guard colors.count == colorCount, colors[0] <= 1, colors[1] <= 1 else { return nil }
        return PlanarPicture(
            width: width, height: height, isBT709: colors[0] == 1, isFullRange: colors[1] == 1,
            samples: bytes.dropFirst(colorCount))
    }

    var bytes: Data {
        switch picture {
        case .jpeg(let jpeg): bytes(Self.jpegMark, [], jpeg)
        case .planar(let planes):
            bytes(Self.planarMark, [planes.isBT709 ? 1 : 0, planes.isFullRange ? 1 : 0, 0, 0], planes.samples)
        }
    }

    private func bytes(_ mark: Data, _ colors: [UInt8], _ content: Data) -> Data {
        var bytes = mark
        bytes.reserveCapacity(Self.headerCount + colors.count + content.count)
        func append(_ value: some FixedWidthInteger) {
            for shift in stride(from: 0, to: value.bitWidth, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: value >> shift))
            }
        }
        append(sequence)
        append(time.bitPattern)
        append(width)
        append(height)
        bytes.append(contentsOf: colors)
        bytes.append(content)
        return bytes
    }
}

extension JSONText {
    mutating func points(_ name: String, _ points: [CGPoint]) {
        array(name) { list in points.forEach { list.numbers([$0.x, $0.y], decimals: 4) } }
    }

    mutating func box(_ name: String, _ box: CGRect?) {
        key(name)
        if let box {
            numbers([box.minX, box.minY, box.width, box.height], decimals: 4)
        } else {
            null()
        }
    }

    mutating func field(_ name: String, encoded value: some Encodable) {
        field(name, raw: (try? JSONEncoder.ordered.encode(value)) ?? Data("null".utf8))
    }
}

extension JSONText {
    mutating func people(_ poses: [Pose], faults: [Int: Set<JointKey>]) {
        objects("people", poses) { json, pose in
            json.field("id", pose.id)
            if pose.isHeld { json.field("held", true) }
            json.field("confidence", Double(pose.confidence), decimals: 3)
            json.box("box", pose.boundingBox() ?? .zero)
            json.keypoints(pose, BodySkeleton.joints)
            let names = pose.id.flatMap { faults[$0] } ?? []
            json.field("faults", strings: names.map(\.rawValue).sorted())
        }
    }

    mutating func hands(_ hands: [HumanHandPoseObservation], of people: [Pose], aspectRatio: Double) {
        let wrists = hands.isEmpty ? [] : HandAssignment(hands, to: people, aspectRatio: aspectRatio).wrists
        objects("hands", zip(hands, wrists)) { json, found in
            json.field("id", found.0.pose.id)
            json.field("chirality", found.0.chirality?.rawValue)
            json.field("person", found.1.flatMap { people[$0.person].id })
            json.keypoints(found.0.pose, HandSkeleton.joints)
        }
    }

    /// Data about the movement for the page: the direction in which it starts, what cannot be judged, and the angle that
    /// shows its range.
    mutating func movement(of coach: ExerciseCoach) {
        guard let exercise = coach.exercise, let phases = exercise.phases else { return }
        field("lowersFirst", phases.beginsEccentric)
        let unjudged = coach.unjudged
        if !unjudged.isEmpty { field("unjudged", strings: unjudged) }
        guard let lead = exercise.leadingAngle else { return }
        let now = coach.leadingAngle
        object("angle") { json in
            json.field("measure", (now?.measure ?? lead.measure).name)
            json.field("degrees", now?.degrees, decimals: 1)
            json.field("rest", lead.rest, decimals: 0)
            json.field("full", lead.full, decimals: 0)
        }
    }

    private mutating func keypoints(_ pose: Pose, _ order: [JointKey]) {
        object("keypoints") { joints in
            for key in order {
                guard let joint = pose.keypoints[key] else { continue }
                joints.array(key.rawValue) { list in
                    list.number(joint.location.x, decimals: 4)
                    list.number(joint.location.y, decimals: 4)
                    list.number(Double(joint.confidence), decimals: 2)
                }
            }
        }
    }
}

/// Checks the order, the times and the rate of a client's frames.
struct FrameAdmission: Sendable {
    private var rate: TokenBucket
    private var last: (sequence: UInt32, time: Double)?
    private var first: Double?
    private var step = 1.0 / 30
    private var warned: ContinuousClock.Instant?

    /// The longest session, seconds: eleven days.
    private static let longest = 1e6

    init(framesPerSecond: Int) {
        rate = TokenBucket(perSecond: max(1, framesPerSecond), burst: max(1, framesPerSecond))
    }

    enum Decision: Equatable {
        case admitted(Range<Int>)
        /// Reported to the client at most once a second.
        case tooFast(isReported: Bool)
        case refused(LiveProblem)
    }

    mutating func check(_ frame: FrameMessage, at now: ContinuousClock.Instant) -> Decision {
        if let last {
            guard frame.sequence > last.sequence, frame.time > last.time else {
                return .refused(
                    LiveProblem(
                        .wrongOrder, "sequence numbers and times of capture must increase", sequence: frame.sequence))
            }
            step = min(max(frame.time - last.time, 0.001), 1)
        }
        let time = frame.time - (first ?? frame.time)
        guard time < Self.longest else {
            return .refused(LiveProblem(.wrongOrder, "session too long; start a new one", sequence: frame.sequence))
        }
        first = first ?? frame.time
        last = (frame.sequence, frame.time)
        guard rate.admits(at: now) else {
            let isReported = warned.map { now - $0 >= .seconds(1) } ?? true
            if isReported { warned = now }
            return .tooFast(isReported: isReported)
        }
        let start = Int((time * 1e6).rounded())
        return .admitted(start..<start + max(1, Int((step * 1e6).rounded())))
    }
}
