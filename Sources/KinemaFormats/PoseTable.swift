import KinemaMotion
import Foundation
import KinemaCore

/// People over time with their numbers, positions and perhaps times; takes a twentieth of the memory of `Pose` values.
struct PoseTable: Sendable {
    /// The unit of a file's positions.
    enum Places: Sendable {
        /// Shares of the picture from its lower left corner.
        case shares
        /// Pixels from the upper left corner, or shares of the picture if none exceeds `PoseSurvey.largestShare`.
        case pixels
        /// A length, x to the right and y up.
        case space
    }

    struct Person: Sendable {
        var id: Int?
        var confidence: Float = 1
        var start: Int
    }

    struct Frame: Sendable {
        /// The number, which orders the frames.
        var number: Int
        /// Seconds, if the file states them.
        var time: Double?
        /// The picture's size in pixels; 0 if the file does not state it.
        var width = 0, height = 0
        var people: [Person] = []
    }

    /// The joints of each person, in the order of the points; nil for points that Kinema has no joint for.
    let joints: [JointKey?]
    /// The order that the number of joints suggests; nil if they have names.
    let order: JointOrder?
    /// Whether third numbers may be depths rather than confidences.
    let hasRawThird: Bool
    var places: Places
    var frames: [Frame] = []
    /// x, y and confidence of each joint; 0 or NaN if it was not seen.
    var points: [SIMD3<Float>] = []
    /// The position of each point in space, in metres; empty if the file has only positions in the picture.
    private var positions: [SIMD3<Float>] = []
    let limits: PoseFileLimits
    private let file: String

    init(
        _ joints: [JointKey?], _ places: Places, order: JointOrder? = nil, hasRawThird: Bool = false,
        limits: PoseFileLimits, file: String
    ) {
        (self.joints, self.places, self.limits, self.file) = (joints, places, limits, file)
        (self.order, self.hasRawThird) = (order, hasRawThird)
    }

    /// The interpretation of the numbers; nil if the file names everything.
    var note: String?

    /// Whether the file says which number is x and which is y.
    var namesAxes = false

    /// The column of the frames' times, whose unit is decided when the table is finished; nil if they are seconds.
    var times: TimeColumn?

    /// Whether the file states the time of each frame; known when it is finished.
    var statesTimes = false

    func broken(_ reason: String) -> KinemaError { KinemaError(.unreadableInput, reason, file: file) }

    mutating func append(_ frame: Frame) throws(KinemaError) {
        guard frames.count < limits.frames else { throw broken("has more than \(limits.frames) frames; split it") }
        if let time = frame.time, !time.isFinite { throw broken("frame \(frame.number) has the time \(time)") }
        guard (0...limits.side).contains(frame.width), (0...limits.side).contains(frame.height) else {
            throw broken("frame \(frame.number) has a size of \(frame.width) x \(frame.height) pixels")
        }
        frames.append(frame)
    }

    /// Adds a person to the frame at an index; `points` has x, y and confidence of each joint.
    mutating func append(
        _ points: [SIMD3<Float>], in space: [SIMD3<Float>] = [], id: Int?, confidence: Float = 1, to frame: Int
    ) throws(KinemaError) {
        guard points.count == joints.count, frames[frame].people.count < Self.maximumPeople else {
            throw broken("frame \(frames[frame].number) has more than \(Self.maximumPeople) people")
        }
        for point in points
        where abs(point.x) > PoseSequence.maximumCoordinate || abs(point.y) > PoseSequence.maximumCoordinate {
            throw broken("frame \(frames[frame].number) has the position \(point.x), \(point.y), which is invalid")
        }
        guard points.contains(where: { hasRawThird ? $0.isPlace : $0.isSeen }) else { return }
        let sure = confidence.isFinite ? min(1, max(0, confidence)) : 1
        frames[frame].people.append(Person(id: id, confidence: sure, start: self.points.count))
        self.points += points
        positions += space
    }

    /// Ten times the maximum of `kinema pose` in a picture.
    static let maximumPeople = 1000

    /// Gives everyone the number 1 if no frame has two people.
    mutating func setOnlyPerson() {
        guard frames.allSatisfy({ $0.people.count <= 1 }) else { return }
        for index in frames.indices where !frames[index].people.isEmpty { frames[index].people[0].id = 1 }
    }

    /// Turns the positions in space, and those in the picture with them.
    mutating func turn(_ turn: StandingAxis.Turn) {
        guard turn != .none, turn != .transposed else { return }
        for index in positions.indices {
            positions[index] = turn.applied(to: positions[index])
            (points[index].x, points[index].y) = (positions[index].x, positions[index].y)
        }
        add(turn.note)
    }

    /// Turns positions in the picture of which the third coordinate, one a point, is the height in a room.
    mutating func turn(depths: [Float]) {
        guard !depths.isEmpty, depths.count == points.count else { return }
        var standing = StandingAxis(joints)
        let whole = points.indices.map { SIMD3(points[$0].x, points[$0].y, points[$0].isSeen ? depths[$0] : .nan) }
        for start in frames.lazy.flatMap(\.people).map(\.start) {
            standing.add(Array(whole[start..<start + joints.count]), hasDepth: true)
        }
        let turn = standing.turn(hasDepth: true)
        guard turn == .depthUp || turn == .depthDown, !standing.hasRelativeDepth else { return }
        for index in points.indices {
            let point = turn.applied(to: whole[index])
            (points[index].x, points[index].y) = (point.x, point.y)
        }
        add(turn.note)
    }

    mutating func numberFrames() { for index in frames.indices { frames[index].number = index } }

    /// A person's pose, with neck and root between shoulders and hips if the file lacks them.
    func pose(of person: Person) -> Pose {
        var keypoints: [JointKey: JointPoint] = Dictionary(minimumCapacity: joints.count + 2)
        var keypoints3D: [JointKey: JointPoint3D] = [:]
        for (index, key) in joints.enumerated() {
            let point = points[person.start + index]
            guard let key, point.isSeen, keypoints[key] == nil else { continue }
            keypoints[key] = JointPoint(
                key, location: CGPoint(x: Double(point.x), y: Double(point.y)), confidence: min(1, point.z))
            guard !positions.isEmpty else { continue }
            keypoints3D[key] = JointPoint3D(key, position: positions[person.start + index], confidence: min(1, point.z))
        }
        for (key, left, right) in [
            (JointKey.neck, JointKey.leftShoulder, JointKey.rightShoulder), (.root, .leftHip, .rightHip),
        ] where keypoints[key] == nil {
            guard let left = keypoints[left], let right = keypoints[right] else { continue }
            let location = CGPoint(
                x: (left.location.x + right.location.x) / 2, y: (left.location.y + right.location.y) / 2)
            keypoints[key] = JointPoint(key, location: location, confidence: min(left.confidence, right.confidence))
        }
        return Pose(from: keypoints, keypoints3D: keypoints3D, id: person.id, confidence: person.confidence)
    }
}

extension SIMD3<Float> {
    /// Whether the joint has a confidence and a position.
    var isSeen: Bool { z > 0 && x.isFinite && y.isFinite }
    /// Whether the joint has a position other than 0, 0.
    var isPlace: Bool { x.isFinite && y.isFinite && (x != 0 || y != 0) }
}

extension PoseTable {
    /// Orders the frames, completes times and person numbers, and converts positions to shares of the picture.
    ///
    /// `fillsGaps` adds frames for skipped numbers. Throws `unreadableInput` when times do not increase.
    consuming func finished(_ reader: PoseSequenceReader, fillsGaps: Bool = true) throws(KinemaError) -> PoseTable {
        var table = self
        table.frames.sort { $0.number < $1.number }
        if fillsGaps { try table.fillGaps() }
        try table.place(reader.aspect)
        try table.setTimes(reader.rate)
        if table.frames.contains(where: { $0.people.contains { $0.id == nil } }) { table.numberPeople() }
        return table
    }

    private mutating func fillGaps() throws(KinemaError) {
        guard let first = frames.first?.number, let last = frames.last?.number else { return }
        let (span, overflows) = last.subtractingReportingOverflow(first)
        let most = min(limits.frames, max(Self.mostSparse, Self.mostFilled * frames.count))
        guard !overflows, span < most else {
            throw broken("has frames \(first) to \(last), but only \(frames.count) of them; split it")
        }
        var filled: [Frame] = []
        for frame in frames {
            if let previous = filled.last, frame.number - previous.number > 1 {
                let span = frame.number - previous.number
                for step in 1..<span {
                    var empty = Frame(number: previous.number + step)
                    if let start = previous.time, let end = frame.time {
                        empty.time = start + (end - start) * Double(step) / Double(span)
                    }
                    filled.append(empty)
                }
            }
            filled.append(frame)
        }
        frames = filled
    }

    /// The number of frames that any recording may span, an hour at 30 a second, and the number for each frame present.
    private static let (mostSparse, mostFilled) = (108_000, 1000)

    private mutating func setTimes(_ rate: Double) throws(KinemaError) {
        statesTimes = !frames.isEmpty && frames.allSatisfy { $0.time != nil }
        if statesTimes, let times {
            if times.isClock { passMidnight() }
            spreadRepeats(times)
            // A column that is only named like times has some only if they increase.
            if times.isLoose, let note = misgiving(times) {
                statesTimes = false
                add(note)
            }
        }
        guard statesTimes else {
            // A loose column with times was noted above.
            if let times, frames.allSatisfy({ $0.time == nil }) {
                add("the column \(times.name) has no times that can be read and is ignored")
            }
            for index in frames.indices { frames[index].time = Double(index) / rate }
            return
        }
        var last = -Double.infinity
        for frame in frames {
            guard let time = frame.time, time > last else {
                throw broken(
                    "frame \(frame.number) is not after the previous one; put each recording into its own file, or "
                        + "remove the column of times and give --fps if the frames are evenly spaced")
            }
            last = time
        }
        try readTimes(rate)
        // Some programs count from 1970, from midnight or from the start of the machine.
        let start = frames.first?.time ?? 0
        for index in frames.indices where start < 0 || start > Self.latestStart || times?.isClock == true {
            frames[index].time? -= start
        }
        guard let end = frames.last?.time, TimeGrid.isValid(end) else {
            throw broken("has the time \(last), which is not a time in seconds")
        }
    }

    /// Why the numbers of a column that is named like times are none; nil if they are some.
    private func misgiving(_ column: TimeColumn) -> String? {
        let times = frames.compactMap(\.time)
        guard zip(times, times.dropFirst()).allSatisfy({ $0 < $1 }) else {
            return "the column \(column.name) does not increase and is ignored"
        }
        guard case .impossible = column.reading(times) else { return nil }
        return "the column \(column.name) has no times of frames and is ignored"
    }

    /// Times of day go on after midnight.
    private mutating func passMidnight() {
        var (shift, last) = (0.0, -Double.infinity)
        for index in frames.indices {
            guard let time = frames[index].time else { continue }
            if time + shift < last - Self.latestStart / 2 { shift += Self.latestStart }
            last = time + shift
            frames[index].time = last
        }
    }

    /// Spreads frames with the same time evenly to the next one: some programs round to tenths or whole seconds.
    private mutating func spreadRepeats(_ column: TimeColumn) {
        let times = frames.compactMap(\.time)
        let starts = times.indices.filter { $0 == 0 || times[$0] > times[$0 - 1] }
        guard starts.count >= 3, starts.count * 2 <= times.count,
            zip(times, times.dropFirst()).allSatisfy({ $0 <= $1 }), isOfOnePerson
        else { return }
        let changes = starts.map { times[$0] }
        let steps = zip(changes, changes.dropFirst()).map { $1 - $0 }
        let counts = zip(starts, starts.dropFirst()).map { Double($1 - $0) }
        let (step, count) = (steps.median, counts.median)
        switch column.reading(changes) {
        // More often than ten times a second, equal times are a fault of another kind.
        case .times(let unit, _): guard step / unit.rawValue > Self.leastRounding else { return }
        case .frames: guard count >= Self.leastInSecond else { return }
        case .impossible: return
        }
        let spacing = step / count
        for (place, start) in starts.enumerated() {
            let end = place + 1 < starts.count ? starts[place + 1] : times.count
            for index in start..<end {
                // The recording may begin and end amidst a time.
                frames[index].time =
                    switch place {
                    case 0: times[end] - Double(end - index) * spacing
                    case starts.count - 1: times[start] + Double(index - start) * spacing
                    default: times[start] + (times[end] - times[start]) * Double(index - start) / Double(end - start)
                    }
            }
        }
        add("frames with the same \(column.name) are spread evenly")
    }

    /// Whether frames that follow each other show one body: rows with the same time may also be several people.
    private var isOfOnePerson: Bool {
        guard Set(frames.flatMap { $0.people.map(\.id) }).count < 2 else { return false }
        let bodies = frames.compactMap { frame in
            frame.people.first.map { middle(of: $0, Float(frame.width) / Float(max(1, frame.height))) }
        }
        let jumps = zip(bodies, bodies.dropFirst()).map { one, other in
            let way = other.middle - one.middle
            return Double((way * way).sum().squareRoot() / one.size)
        }
        return jumps.isEmpty || jumps.median < Self.farthest / 4
    }

    /// Seconds between rounded times, and frames with the same number from which this is a whole second.
    private static let (leastRounding, leastInSecond) = (0.09, 8.0)

    /// Converts times to seconds, by their column and all of their steps.
    private mutating func readTimes(_ rate: Double) throws(KinemaError) {
        guard let times else { return }
        switch times.reading(frames.compactMap(\.time)) {
        case .times(let unit, let note):
            for index in frames.indices where unit != .seconds && !times.isClock {
                frames[index].time? /= unit.rawValue
            }
            add(note)
        case .frames(let note):
            statesTimes = false
            for index in frames.indices { frames[index].time = Double(index) / rate }
            add(note)
        case .impossible(let reason): throw broken(reason)
        }
    }

    /// Adds to the note on how the file was read.
    mutating func add(_ words: String?) {
        guard let words else { return }
        note = note.map { "\($0); \(words)" } ?? words
    }

    /// Times that begin later than a day are clock times.
    private static let latestStart = 86_400.0

    /// Gives each person the number of the nearest one in the last second; files of other programs often have none.
    private mutating func numberPeople() {
        var known: [(id: Int, last: Double, middle: SIMD2<Float>)] = []
        var next = 1
        for (index, frame) in frames.enumerated() {
            let time = frame.time ?? 0
            known.removeAll { time - $0.last > Self.memory }
            let ratio = Float(frame.width) / Float(max(1, frame.height))
            let bodies = frame.people.map { middle(of: $0, ratio) }
            let costs = bodies.map { body in
                known.map {
                    Double(((body.middle - $0.middle) * (body.middle - $0.middle)).sum().squareRoot() / body.size)
                }
            }
            let pairs = costs.isEmpty ? [] : Assignment.minimumCost(costs, alone: Self.farthest)
            let before = known.count
            for (person, body) in bodies.enumerated() {
                if let match = pairs[person], match < before {
                    known[match].last = time
                    known[match].middle = body.middle
                    frames[index].people[person].id = known[match].id
                } else {
                    known.append((next, time, body.middle))
                    frames[index].people[person].id = next
                    next += 1
                }
            }
        }
    }

    /// Seconds out of view after which a person counts as new.
    private static let memory = 1.0
    /// The farthest a person moves from frame to frame, in body sizes.
    private static let farthest = 0.7

    /// The centre of a body, and the diagonal of its visible part.
    private func middle(of person: Person, _ ratio: Float) -> (middle: SIMD2<Float>, size: Float) {
        let seen = points[person.start..<person.start + joints.count].filter(\.isSeen).map {
            SIMD2($0.x * ratio, $0.y)
        }
        let sum = seen.reduce(SIMD2<Float>.zero, +)
        let least = seen.reduce(SIMD2(repeating: Float.infinity)) { pointwiseMin($0, $1) }
        let greatest = seen.reduce(SIMD2(repeating: -Float.infinity)) { pointwiseMax($0, $1) }
        let diagonal = greatest - least
        return (sum / Float(max(1, seen.count)), max(1e-3, (diagonal * diagonal).sum().squareRoot()))
    }
}

extension PoseTable {
    mutating func place(_ aspect: AspectRatio?) throws(KinemaError) {
        let (usual, isSaid) = (aspect ?? .usual, aspect != nil)
        guard places == .pixels else {
            if places == .shares { setSizes(usual, overrides: isSaid) } else { placeSpace(points.filter(\.isSeen)) }
            places = .shares
            return
        }
        places = .shares
        let survey = try survey()
        let statesSize = frames.contains { $0.width > 0 }
        if !statesSize, survey.isUpwards || survey.unit == .length { return place(survey, aspect) }
        let seen = points.filter(\.isSeen)
        let right = seen.map(\.x).max() ?? 1, top = seen.map(\.y).max() ?? 1
        if right <= PoseSurvey.largestShare, top <= PoseSurvey.largestShare {
            setSizes(usual, overrides: isSaid)
            for index in points.indices { points[index].y = 1 - points[index].y }
            return
        }
        let ratio = Float(usual.value)
        let height = max(top, right / ratio)
        let whole = SIMD2(height * ratio, height)
        for frame in frames {
            let stated = SIMD2(Float(frame.width), Float(frame.height))
            let size = frame.width > 0 && frame.height > 0 ? stated : whole
            for index in frame.people.flatMap({ $0.start..<$0.start + joints.count }) {
                points[index].x /= size.x
                points[index].y = 1 - points[index].y / size.y
            }
        }
        setSizes(usual, overrides: isSaid)
    }

    /// Surveys everyone's numbers and converts third numbers to confidences; throws `unreadableInput` for an unknown
    /// order.
    private mutating func survey() throws(KinemaError) -> PoseSurvey {
        var survey = PoseSurvey(joints, order: order, hasThird: hasRawThird)
        let nowhere = SIMD3<Float>(repeating: .nan)
        for start in frames.lazy.flatMap(\.people).map(\.start) {
            let person = points[start..<start + joints.count]
            survey.add(hasRawThird ? Array(person) : person.map { $0.isSeen ? $0 : nowhere })
        }
        if !namesAxes, survey.turn == .transposed {
            for index in points.indices { (points[index].x, points[index].y) = (points[index].y, points[index].x) }
            add(StandingAxis.Turn.transposed.note)
            namesAxes = true
            return try self.survey()
        }
        if let misfit = survey.misfit { throw broken(misfit) }
        for index in points.indices where hasRawThird {
            // Ultralytics moves uncertain joints to 0, 0.
            let isPlace = points[index].isPlace
            if !isPlace || survey.third == .depth { points[index].z = isPlace ? 1 : 0 }
        }
        for index in frames.indices where hasRawThird {
            frames[index].people.removeAll { person in
                !points[person.start..<person.start + joints.count].contains(where: \.isSeen)
            }
        }
        if order != nil || survey.isUpwards || survey.unit == .length { add(survey.note) }
        return survey
    }

    /// Converts positions that are lengths, or whose y points up, to picture coordinates.
    private mutating func place(_ survey: PoseSurvey, _ aspect: AspectRatio?) {
        let shape = survey.shape(aspect)
        let size = survey.size(shape)
        for index in points.indices {
            let place = survey.place(points[index])
            points[index] = SIMD3(place.x / size.width, 1 - place.y / size.height, place.z)
        }
        setSizes(shape, overrides: true)
    }

    private mutating func setSizes(_ usual: AspectRatio, overrides: Bool) {
        for index in frames.indices where overrides || frames[index].width == 0 || frames[index].height == 0 {
            (frames[index].width, frames[index].height) = (usual.width, usual.height)
        }
    }

    /// Uses a picture of a thousand points on its longer side that holds every point with a margin of a tenth.
    private mutating func placeSpace(_ seen: [SIMD3<Float>]) {
        let (left, right) = (seen.map(\.x).min() ?? 0, seen.map(\.x).max() ?? 1)
        let (bottom, top) = (seen.map(\.y).min() ?? 0, seen.map(\.y).max() ?? 1)
        let side = max(right - left, top - bottom, 1e-6)
        let margin = side / 10
        let (width, height) = (right - left + 2 * margin, top - bottom + 2 * margin)
        for index in points.indices {
            points[index].x = (points[index].x - left + margin) / width
            points[index].y = (points[index].y - bottom + margin) / height
        }
        for index in frames.indices {
            frames[index].width = max(1, Int(width / side * 1000))
            frames[index].height = max(1, Int(height / side * 1000))
        }
    }
}
