import KinemaMotion
import KinemaPose
import Foundation
import KinemaCore
import KinemaMedia

/// Joins the parts of a file into one sequence: numbers of people and hands, shots and the camera's motion continue.
///
/// Two parts overlap; their frames there must have the same times, and identify the people. If they do not, or if a
/// part fails, the rest of the file is analysed in one piece. A part that misses people there is analysed again from
/// further back.
struct PartJoiner: Sendable {
    private enum Source { case part, again, rest }
    private enum Seam { case joined, missesPeople, disagrees }

    private let workers: PartWorkers
    private let lease: Lease
    private let smooths: Bool
    private var smoother = FrameSmoother()
    private var part = 0, source = Source.part, isJoined = true
    /// The last joined frames, unsmoothed, for the length of the overlap.
    private var tail: [PartFrame] = []
    /// This part's frames before its start.
    private var warmUp: [PartFrame] = []
    private var newcomers = PersonMemory()
    /// The people of earlier parts who have not been recognised yet.
    private var memory = PersonMemory()
    /// The numbers in the whole file of this part's people and hands.
    private var (people, hands) = ([Int: Int](), [Int: Int]())
    private var (lastPerson, lastHand) = (0, 0)
    /// The shot number of this part's last frame, and the offset to that of the whole file.
    private var (shot, shotOffset) = (0, 0)
    /// From the file's first picture to this part's.
    private var motionBase = SimilarityTransform.identity

    /// The longest distance between two readings of one person, as a share of the box; the same for hands.
    private static let sameness = 0.35
    /// A part is analysed again if it misses this share of the people; in a crowd there is always somebody who is missed.
    private static let missedShare = 1.0 / 3

    init(_ workers: PartWorkers, smooths: Bool) {
        (self.workers, self.smooths, lease) = (workers, smooths, Lease(workers))
    }

    /// The next frame; nil after the last. Throws the error of the last part, and CancellationError.
    mutating func next() async throws -> PosedFrame? {
        while true {
            switch try await element() {
            case .frame(let frame):
                if let last = tail.last, frame.start < last.end {
                    add(newcomersOf: frame)
                    if source != .again || frame.start >= tail[0].start { warmUp.append(frame) }
                } else if isContinued(before: frame) {
                    return emit(frame)
                }
            case .end(let memory):
                if isContinued(before: nil) { self.memory.add(memory) { people[$0] } }
            case nil:
                guard source != .rest, part + 1 < workers.plan.starts.count else { return nil }
                workers.release()
                part += 1
                begin(.part)
            }
        }
    }

    /// Whether the frames that come continue those of the last part; if not, other ones will come in their place.
    private mutating func isContinued(before frame: PartFrame?) -> Bool {
        if isJoined { return true }
        switch join(before: frame) {
        case .joined: return true
        case .missesPeople:
            workers.readAgain(part)
            begin(.again)
        case .disagrees: beginRest()
        }
        return false
    }

    private mutating func element() async throws -> PartWorkers.Element? {
        guard source != .rest else { return try await workers.elementOfReplacement() }
        do {
            return try await source == .part ? workers.element(of: part) : workers.elementOfReplacement()
        } catch let error as CancellationError {
            throw error
        } catch let error as KinemaError where error.code == .unwritableOutput {
            throw error
        } catch {
            beginRest()
            return try await workers.elementOfReplacement()
        }
    }

    private mutating func beginRest() {
        workers.readRest(from: part)
        // People of a part that failed are recognised by their positions.
        begin(.rest)
    }

    private mutating func begin(_ source: Source) {
        (self.source, isJoined) = (source, tail.isEmpty)
        (warmUp, newcomers, people, hands) = ([], PersonMemory(), [:], [:])
    }

    private mutating func add(newcomersOf frame: PartFrame) { newcomers.add(frame.newcomers) { $0 } }

    /// Ends the analysis when the last copy of the joiner is gone.
    private final class Lease: Sendable {
        private let workers: PartWorkers

        init(_ workers: PartWorkers) { self.workers = workers }

        deinit { workers.cancel() }
    }

    // MARK: Seams

    /// Matches people where the parts overlap.
    private mutating func join(before frame: PartFrame?) -> Seam {
        let common = warmUp.compactMap { new in
            tail.last { $0.start == new.start && $0.end == new.end }.map { (known: $0, new: new) }
        }
        let overlap = tail.count { known in warmUp.first.map { known.start >= $0.start } ?? false }
        let agrees = frame == nil && warmUp.isEmpty || !common.isEmpty && common.count == max(warmUp.count, overlap)
        guard source == .rest || agrees else { return .disagrees }
        people = Self.pairs(common.map { ($0.known.posed.poses, $0.new.posed.poses) })
        hands = Self.pairs(common.map { ($0.known.posed.hands.map(\.pose), $0.new.posed.hands.map(\.pose)) })
        if source == .part, frame != nil, missesPeople { return .missesPeople }
        isJoined = true
        for number in people.values { memory.remove(number) }
        let bases = common.compactMap { known, new in
            known.cameraMotion.flatMap { motion in new.cameraMotion.map { motion.followed(by: $0.inverse) } }
        }
        motionBase = bases.last ?? tail.last?.cameraMotion ?? motionBase
        shotOffset += shot
        shot = warmUp.last?.shot ?? 0
        shotOffset -= shot
        return .joined
    }

    /// Whether a part sees too few of those who are in the last frame, or were in half of the last ones: they may be
    /// lost for a moment.
    private var missesPeople: Bool {
        let seen = Dictionary(grouping: tail.flatMap { $0.posed.poses.compactMap(\.id) }, by: \.self)
        let known = Set(tail.last?.posed.poses.compactMap(\.id) ?? [])
            .union(seen.filter { 2 * $0.value.count >= tail.count }.keys)
        let missed = known.subtracting(people.values)
        return !missed.isEmpty && Double(missed.count) >= Self.missedShare * Double(known.count)
    }

    /// Pairs the people of two parts by the distance between their joints in common frames.
    private static func pairs(_ frames: [(known: [Pose], new: [Pose])]) -> [Int: Int] {
        let known = Set(frames.flatMap(\.known).compactMap(\.id)).sorted()
        let new = Set(frames.flatMap(\.new).compactMap(\.id)).sorted()
        guard !known.isEmpty, !new.isEmpty else { return [:] }
        let costs = new.map { new in
            known.map { known in
                let distances = frames.suffix(10).compactMap { frame in
                    frame.new.first { $0.id == new }.flatMap { pose in
                        frame.known.first { $0.id == known }.flatMap { pose.distance(to: $0) }
                    }
                }
                return distances.quantile(0.5) ?? 10 * sameness
            }
        }
        var pairs: [Int: Int] = [:]
        for (index, column) in Assignment.minimumCost(costs, alone: sameness).enumerated() {
            if let column, costs[index][column] < sameness { pairs[new[index]] = known[column] }
        }
        return pairs
    }

    // MARK: Frames

    private mutating func emit(_ frame: PartFrame) -> PosedFrame {
        add(newcomersOf: frame)
        var joined = frame
        if frame.shot > shot { memory.markCut() }
        shot = frame.shot
        let motion = frame.cameraMotion.map(motionBase.followed)
        joined.cameraMotion = motion
        let time = frame.posed.frame.time
        let poses = frame.posed.poses.map { pose in
            var pose = pose
            pose.id = pose.id.map { number(of: $0, at: time) }
            pose.shot = pose.shot.map { $0 + shotOffset }
            pose.cameraMotion = motion
            return pose
        }
        let hands = frame.posed.hands.map { hand in
            var hand = hand
            hand.pose.id = hand.pose.id.map { number(ofHand: $0) }
            return hand
        }
        joined.posed = PosedFrame(
            frame: frame.posed.frame, poses: poses.sorted { ($0.id ?? 0) < ($1.id ?? 0) },
            hands: hands.sorted { ($0.pose.id ?? 0) < ($1.pose.id ?? 0) })
        tail.removeAll { time - $0.posed.frame.time > PartPlan.warmUp + 1e-9 }
        tail.append(joined)
        return smooths ? smoother.smooth(joined.posed) : joined.posed
    }

    private mutating func number(of person: Int, at time: TimeInterval) -> Int {
        if let number = people[person] { return number }
        if part == 0, source == .part {
            (people[person], lastPerson) = (person, max(lastPerson, person))
            return person
        }
        let known = memory.number(of: person, in: newcomers, at: time)
        if let known { memory.remove(known) } else { lastPerson += 1 }
        people[person] = known ?? lastPerson
        return known ?? lastPerson
    }

    private mutating func number(ofHand hand: Int) -> Int {
        if let number = hands[hand] { return number }
        lastHand += 1
        hands[hand] = lastHand
        return lastHand
    }
}

extension Pose {
    /// The mean distance of the joints of two poses, in shares of the larger side of their box; nil without a joint.
    func distance(to other: Pose) -> Double? {
        guard let box = boundingBox(confidenceThreshold: 0) else { return nil }
        let size = max(box.width, box.height, 1e-6)
        let distances = keypoints.compactMap { key, joint in
            other.keypoints[key].map {
                hypot(joint.location.x - $0.location.x, joint.location.y - $0.location.y) / size
            }
        }
        return distances.isEmpty ? nil : distances.reduce(0, +) / Double(distances.count)
    }
}
