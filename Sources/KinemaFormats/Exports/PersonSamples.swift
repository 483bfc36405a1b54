import KinemaMeasuring
import Foundation
package import KinemaCore

/// Limits of files with a constant frame rate, for times that are not evenly spaced.
struct PersonTrackLimits: Hashable, Sendable {
    /// Gaps of up to this many frames are interpolated (Sports2D's `interp_gap_smaller_than`).
    var longestGap = 100
    /// Seconds; an absence longer than this, and than an interpolated gap, starts a new file.
    var longestPause: TimeInterval = 60
    /// The highest frame rate: four times the slow motion of phones. Frames closer together share a row.
    var highestRate = 1000.0
    /// The lowest frame rate: one frame in a quarter of an hour.
    var lowestRate = 0.001
    /// Rows in all files together: nine hours of one person at 30 frames a second, which need a gigabyte of memory.
    var rows = 1_000_000
}

/// Everyone's numbers, collected frame by frame, for exports with one file per person.
struct PersonSamples {
    typealias Sample = (time: TimeInterval, values: [Double?])

    var limits = PersonTrackLimits()
    private var times: [TimeInterval] = []
    private var people: [Int: [Sample]] = [:]

    /// Adds a frame; `values` returns a pose's columns, nil for unknown ones.
    ///
    /// Throws `.invalidArgument` for an invalid time, or one that does not increase.
    mutating func add(_ frame: ExportedFrame, values: (Pose) -> [Double?]) throws(KinemaError) {
        guard TimeGrid.isValid(frame.time), times.last.map({ frame.time > $0 }) ?? true else {
            throw KinemaError(
                .invalidArgument,
                "the time \(frame.time) s of frame \(frame.index) is not after the previous one; only csv allows such "
                    + "frames, the other formats need one frame rate")
        }
        times.append(frame.time)
        for pose in frame.poses { people[pose.id ?? 0, default: []].append((frame.time, values(pose))) }
    }

    var clock: ExportClock { ExportClock(times, limits) }

    func mapped(_ change: (_ id: Int, _ samples: [Sample]) -> [Sample]) -> PersonSamples {
        var all = self
        for (id, samples) in people { all.people[id] = change(id, samples) }
        return all
    }

    /// A copy with angles unwrapped, in degrees, each column as near to 0 as possible.
    var unwrapped: PersonSamples {
        mapped { _, samples in
            var samples = samples
            for column in (samples.first?.values ?? []).indices {
                let angles = JointAngles.unwrapped(samples.map { $0.values[column] })
                for row in samples.indices { samples[row].values[column] = angles[row] }
            }
            return samples
        }
    }

    /// Everyone's tracks on the common clock, by number: several for a person with long absences, none without data.
    ///
    /// Throws `.invalidArgument` for too many rows.
    func tracks(columns: Int) throws(KinemaError) -> [(id: Int, tracks: [ResampledTrack])] {
        let clock = clock
        var rows = 0
        // Measure everything before building the first track.
        var people: [(id: Int, segments: [(samples: ArraySlice<Sample>, grid: TimeGrid)])] = []
        for (id, samples) in self.people.sorted(by: { $0.key < $1.key }) {
            var segments: [(ArraySlice<Sample>, TimeGrid)] = []
            for segment in self.segments(samples, clock) {
                guard let grid = clock.grid(segment, limit: limits.rows - rows) else {
                    throw KinemaError(
                        .invalidArgument,
                        "more than \(limits.rows) rows at \(clock.text) a second; export a part, or csv, which has only "
                            + "the recorded frames")
                }
                rows += grid.count
                segments.append((segment, grid))
            }
            people.append((id, segments))
        }
        return people.map { id, segments in
            let tracks = segments.map { segment in
                ResampledTrack(segment.samples, count: columns, grid: segment.grid, longestGap: limits.longestGap)
            }
            return (id, tracks.filter { $0.columns.contains { $0 != nil } })
        }
    }

    private func segments(_ samples: [Sample], _ clock: ExportClock) -> [ArraySlice<Sample>] {
        // As in the track's own gaps, the last interpolated gap is a hundred missing frames.
        let longest = max(limits.longestPause, (Double(limits.longestGap) + 1.5) * clock.step)
        var (parts, start) = ([ArraySlice<Sample>](), 0)
        for index in samples.indices.dropFirst() where samples[index].time - samples[index - 1].time > longest {
            parts.append(samples[start..<index])
            start = index
        }
        return parts + [samples[start...]]
    }
}

/// The even time base of an export, for formats that require one rate.
struct ExportClock {
    let rate: Double
    private let start: TimeInterval

    var step: TimeInterval { 1 / rate }

    /// Takes the rate from the usual intervals, ignoring pauses.
    init(_ times: [TimeInterval], _ limits: PersonTrackLimits = PersonTrackLimits()) {
        start = times.first ?? 0
        let intervals = zip(times, times.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }
        let median = intervals.sorted().dropFirst(intervals.count / 2).first ?? 1
        let usual = intervals.filter { $0 < 1.5 * median }
        let sum = usual.reduce(0, +)
        let found = sum > 0 ? Double(usual.count) / sum : 1
        // Rounded to the microhertz, as written, so that times and header agree.
        rate = (min(max(found, limits.lowestRate), limits.highestRate) * 1e6).rounded() / 1e6
    }

    /// The rows from the first sample to the last, on the common clock; nil when there are more than `limit`.
    func grid(_ samples: ArraySlice<PersonSamples.Sample>, limit: Int) -> TimeGrid? {
        guard let first = samples.first, let last = samples.last else { return nil }
        let (low, high) = (row(at: first.time), row(at: last.time))
        return TimeGrid(from: start + low / rate, to: start + high / rate, rate: rate, limit: limit)
    }

    private func row(at time: TimeInterval) -> Double { ((time - start) * rate).rounded() }

    var text: String {
        var json = JSONText()
        json.number(rate, decimals: 6)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

extension JSONText {
    /// A frame with its people: a line of `kinema pose`, without the line break.
    package mutating func frame(_ frame: ExportedFrame) {
        object { json in
            json.field("frame", frame.index)
            json.field("time", frame.time, decimals: 6)
            json.array("people") { list in frame.poses.forEach { list.person($0) } }
            json.array("hands") { list in
                guard !frame.hands.isEmpty else { return }
                let aspectRatio = Double(frame.width) / Double(max(1, frame.height))
                let assignment = HandAssignment(frame.hands, to: frame.poses, aspectRatio: aspectRatio)
                for (hand, wrist) in zip(frame.hands, assignment.wrists) {
                    list.hand(hand, person: wrist.flatMap { frame.poses[$0.person].id })
                }
            }
            if let motion = frame.poses.first?.cameraMotion {
                json.key("camera")
                json.numbers([motion.linear.x, motion.linear.y, motion.shift.x, motion.shift.y], decimals: 6)
            }
            json.field("width", frame.width)
            json.field("height", frame.height)
        }
    }

    private mutating func hand(_ hand: HumanHandPoseObservation, person: Int?) {
        object { json in
            json.field("id", hand.pose.id)
            json.field("chirality", hand.chirality?.rawValue)
            json.field("person", person)
            json.pose(hand.pose, joints: HandSkeleton.joints)
        }
    }

    private mutating func person(_ pose: Pose) {
        object { json in
            json.field("id", pose.id)
            if let shot = pose.shot { json.field("shot", shot) }
            if pose.isHeld { json.field("held", true) }
            json.pose(pose, joints: BodySkeleton.joints)
        }
    }

    private mutating func pose(_ pose: Pose, joints order: [JointKey]) {
        field("confidence", Double(pose.confidence), decimals: 4)
        key("box")
        let box = pose.boundingBox() ?? .zero
        numbers([box.minX, box.minY, box.width, box.height])
        object("keypoints") { joints in
            for key in order {
                guard let joint = pose.keypoints[key] else { continue }
                joints.field(key.rawValue, numbers: [joint.location.x, joint.location.y, Double(joint.confidence)])
            }
        }
        object("keypoints3D") { joints in
            for key in order {
                guard let joint = pose.keypoints3D[key] else { continue }
                joints.key(key.rawValue)
                let position = joint.position
                joints.numbers(
                    [Double(position.x), Double(position.y), Double(position.z), Double(joint.confidence)],
                    decimals: 4)
            }
        }
    }
}
