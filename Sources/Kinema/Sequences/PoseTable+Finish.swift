import Foundation
import KinemaCore
import KinemaMotion

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
        guard statesTimes else {
            for index in frames.indices { frames[index].time = Double(index) / rate }
            return
        }
        var last = -Double.infinity
        for frame in frames {
            guard let time = frame.time, time > last else {
                throw broken(
                    "frame \(frame.number) is not after the previous one: only one recording per file can be read")
            }
            last = time
        }
        try readTimes(rate)
        // Some programs count from 1970 or from the start of the machine.
        let start = frames.first?.time ?? 0
        for index in frames.indices where start < 0 || start > Self.latestStart { frames[index].time? -= start }
        guard let end = frames.last?.time, TimeGrid.isValid(end) else {
            throw broken("has the time \(last), which is not a time in seconds")
        }
    }

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
            add("\(note): \(rate.text(rate == rate.rounded() ? 0 : 3)) frames a second (--fps)")
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
