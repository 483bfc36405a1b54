/// A stretch of movement of fixed length, measured from the body itself.
///
/// The centre (neck, wrist) at its median place is 0, 0; one is the length of the torso (of the hand), y up.
struct MotionWindow: Sendable {
    let subject: ActionSubject
    /// How many frames.
    let length: Int
    /// x, y for each frame and each joint; a joint that was not seen at all is nan in every frame.
    var places: [Float]

    private var joints: Int { subject.joints.count }

    /// A stretch of a steadily sampled sequence; shorter sequences go forth and back until the window is full.
    ///
    /// Nil when too little of the subject is seen to know its place and size.
    init?(_ sequence: PoseSequence, from start: Int, length: Int) {
        subject = sequence.subject
        self.length = length
        let joints = subject.joints.count
        guard sequence.count > 0, length > 0 else { return nil }
        places = [Float](repeating: .nan, count: length * joints * 2)
        let frames = (0..<length).map { Self.bounce(start + $0, in: sequence.count) }
        for joint in 0..<joints { fill(joint, from: sequence, frames: frames) }
        guard normalise() else { return nil }
    }

    init(_ subject: ActionSubject, length: Int, places: [Float]) {
        self.subject = subject
        self.length = length
        self.places = places
    }

    /// 0, 1, 2, 1, 0, 1 … for a count of 3.
    static func bounce(_ index: Int, in count: Int) -> Int {
        guard count > 1 else { return 0 }
        let place = index % (2 * (count - 1))
        return place < count ? place : 2 * (count - 1) - place
    }

    /// How many frames must see a joint for it to count: fewer are as likely mistakes.
    private var leastSightings: Int { max(1, length / 20) }

    /// A joint's places, with straight lines across the frames that did not see it and its ends held.
    private mutating func fill(_ joint: Int, from sequence: PoseSequence, frames: [Int]) {
        let size = sequence.frameSize
        func isSeen(_ index: Int) -> Bool { sequence.points[frames[index] * size + joint * 3 + 2] > 0 }
        let seen = (0..<length).filter(isSeen)
        guard seen.count >= leastSightings else { return }
        var next = 0
        for index in 0..<length {
            while next < seen.count, seen[next] < index { next += 1 }
            let after = seen[min(next, seen.count - 1)]
            let before = next < seen.count && seen[next] == index ? index : seen[max(next - 1, 0)]
            let share = after > before ? min(1, max(0, Float(index - before) / Float(after - before))) : 0
            for axis in 0..<2 {
                let (low, high) = (
                    sequence.points[frames[before] * size + joint * 3 + axis],
                    sequence.points[frames[after] * size + joint * 3 + axis]
                )
                places[(index * joints + joint) * 2 + axis] = low + (high - low) * share
            }
        }
    }

    subscript(frame: Int, joint: Int) -> SIMD2<Float> {
        get {
            let place = (frame * joints + joint) * 2
            return SIMD2(places[place], places[place + 1])
        }
        set {
            let place = (frame * joints + joint) * 2
            (places[place], places[place + 1]) = (newValue.x, newValue.y)
        }
    }

    func isSeen(_ joint: Int) -> Bool { !places[joint * 2].isNaN }
}

extension MotionWindow {
    /// Moves the centre to 0, 0 and makes the torso one long; false when neither can be told.
    private mutating func normalise() -> Bool {
        calm()
        let centres = isSeen(subject.centre) ? [subject.centre] : subject.centreSubstitutes.filter(isSeen)
        guard !centres.isEmpty, let scale = size(), scale > 0 else { return false }
        let path = (0..<length).map { mean(of: centres, in: $0) }
        let centre = SIMD2(Self.median(path.map(\.x)), Self.median(path.map(\.y)))
        for frame in 0..<length {
            for joint in 0..<subject.joints.count { self[frame, joint] = (self[frame, joint] - centre) / scale }
        }
        return true
    }

    /// Each joint's median over five frames: a joint that was mistaken for another leaps away and back in less.
    private mutating func calm() {
        let leaping = self
        for joint in 0..<subject.joints.count where isSeen(joint) {
            for frame in 0..<length {
                func near(_ offset: Int) -> SIMD2<Float> { leaping[min(max(frame + offset, 0), length - 1), joint] }
                let (a, b, c, d, e) = (near(-2), near(-1), near(0), near(1), near(2))
                self[frame, joint] = SIMD2(
                    Self.median(a.x, b.x, c.x, d.x, e.x), Self.median(a.y, b.y, c.y, d.y, e.y))
            }
        }
    }

    /// The length of the torso or the hand: the longest of what is seen, each by its median over the window.
    private func size() -> Float? {
        let lengths = subject.measures.compactMap { measure -> Float? in
            let (from, to) = (measure.from.filter(isSeen), measure.to.filter(isSeen))
            guard !from.isEmpty, !to.isEmpty else { return nil }
            return measure.factor
                * Self.median(
                    (0..<length).map { frame in
                        let step = mean(of: from, in: frame) - mean(of: to, in: frame)
                        return (step * step).sum().squareRoot()
                    })
        }
        return lengths.max()
    }

    private func mean(of joints: [Int], in frame: Int) -> SIMD2<Float> {
        joints.reduce(.zero) { $0 + self[frame, $1] } / Float(joints.count)
    }

    /// The median of five: of the two pairs' lower ends the higher, of their higher ends the lower, and the fifth; the
    /// median of these three is that of all five.
    private static func median(_ a: Float, _ b: Float, _ c: Float, _ d: Float, _ e: Float) -> Float {
        let low = max(min(a, b), min(c, d))
        let high = min(max(a, b), max(c, d))
        return max(min(low, high), min(max(low, high), e))
    }

    private static func median(_ values: [Float]) -> Float {
        values.sorted()[values.count / 2]
    }
}
