import Foundation
import KinemaCore

/// How far a file with one rate goes where the times it is made of do not keep to one.
struct PersonTrackLimits: Hashable, Sendable {
    /// Gaps up to so many frames are interpolated (Sports2D's `interp_gap_smaller_than`).
    var longestGap = 100
    /// Seconds; who is away for longer, and for more frames than are interpolated, is told in another file. A minute of
    /// one posture held still says nothing, hours of it fill the disk.
    var longestPause: TimeInterval = 60
    /// Frames a second at most: four times what the slow motion of telephones reaches. Frames nearer to each other share
    /// a row.
    var highestRate = 1000.0
    /// Frames a second at least: one in a quarter of an hour.
    var lowestRate = 0.001
    /// Rows in all files together: nine hours of one person at 30 frames a second, which take a gigabyte to make.
    var rows = 1_000_000
}

/// Everyone's numbers as they come, frame by frame, for exports that have a file a person.
struct PersonSamples {
    /// What is known of a person in a frame.
    typealias Sample = (time: TimeInterval, values: [Double?])

    var limits = PersonTrackLimits()
    private var times: [TimeInterval] = []
    private var people: [Int: [Sample]] = [:]

    /// Takes a frame; `values` are a pose's columns, nil where one is not known.
    ///
    /// Throws `.invalidArgument` for a time that is not after the last frame's, or makes no sense.
    mutating func add(_ frame: ExportedFrame, values: (Pose) -> [Double?]) throws(KinemaError) {
        guard EvenGrid.holds(frame.time), times.last.map({ frame.time > $0 }) ?? true else {
            throw KinemaError(
                .invalidArgument,
                "the time \(frame.time) s of frame \(frame.index) is not after the one before; such frames cannot be "
                    + "exported at one rate, csv takes any")
        }
        times.append(frame.time)
        for pose in frame.poses { people[pose.id ?? 0, default: []].append((frame.time, values(pose))) }
    }

    /// The clock of the whole input, the same for everyone in it.
    var clock: EvenClock { EvenClock(times, limits) }

    /// The same with everyone's samples made into others.
    func mapped(_ change: (_ id: Int, _ samples: [Sample]) -> [Sample]) -> PersonSamples {
        var all = self
        for (id, samples) in people { all.people[id] = change(id, samples) }
        return all
    }

    /// The same with angles in degrees that do not jump by a turn, each column around its nearest value to 0.
    var unwrapped: PersonSamples {
        mapped { _, samples in
            var samples = samples
            for column in (samples.first?.values ?? []).indices { Self.unwrap(column, of: &samples) }
            return samples
        }
    }

    private static func unwrap(_ column: Int, of samples: inout [Sample]) {
        var last: Double?
        var sum = (angles: 0.0, count: 0.0)
        for row in samples.indices {
            guard let value = samples[row].values[column] else { continue }
            let near = value + 360 * (((last ?? value) - value) / 360).rounded()
            samples[row].values[column] = near
            last = near
            sum = (sum.angles + near, sum.count + 1)
        }
        let shift = sum.count > 0 ? 360 * (sum.angles / sum.count / 360).rounded() : 0
        guard shift != 0 else { return }
        for row in samples.indices { samples[row].values[column] = samples[row].values[column].map { $0 - shift } }
    }

    /// Everyone on that clock, by number, each in as many tracks as long pauses make; none where nothing was seen.
    ///
    /// Throws `.invalidArgument` when they have more rows than the limit.
    func tracks(columns: Int) throws(KinemaError) -> [(id: Int, tracks: [PersonTrack])] {
        let clock = clock
        var rows = 0
        // All are measured before the first is made.
        var parts: [(id: Int, stretches: [(samples: ArraySlice<Sample>, grid: EvenGrid)])] = []
        for (id, samples) in people.sorted(by: { $0.key < $1.key }) {
            var measured: [(ArraySlice<Sample>, EvenGrid)] = []
            for stretch in stretches(samples, clock) {
                guard let grid = clock.grid(stretch, limit: limits.rows - rows) else {
                    throw KinemaError(
                        .invalidArgument,
                        "more than \(limits.rows) rows at \(clock.text) a second; export a part of it, or csv, which has "
                            + "only the frames there are")
                }
                rows += grid.count
                measured.append((stretch, grid))
            }
            parts.append((id, measured))
        }
        return parts.map { id, stretches in
            let tracks = stretches.map { stretch in
                PersonTrack(stretch.samples, count: columns, grid: stretch.grid, longestGap: limits.longestGap)
            }
            return (id, tracks.filter { $0.columns.contains { $0 != nil } })
        }
    }

    /// Somebody's samples, divided where there is none for longer than a pause.
    private func stretches(_ samples: [Sample], _ clock: EvenClock) -> [ArraySlice<Sample>] {
        // As in the track's own gaps, the hundredth frame after the last one is no more than a hundred missing.
        let longest = max(limits.longestPause, (Double(limits.longestGap) + 1.5) * clock.step)
        var (parts, start) = ([ArraySlice<Sample>](), 0)
        for index in samples.indices.dropFirst() where samples[index].time - samples[index - 1].time > longest {
            parts.append(samples[start..<index])
            start = index
        }
        return parts + [samples[start...]]
    }
}

/// Files with one person each: one has the name asked for; several have their number in it, and that of the part.
struct PersonFiles {
    let url: URL
    var diagnostics: DiagnosticCollector?

    /// Writes a file a track; `text` makes it from the person's number, the track and the file's name.
    func write(
        _ people: [(id: Int, tracks: [PersonTrack])], text: (Int, PersonTrack, String) -> String
    ) throws {
        let stem = url.deletingPathExtension().lastPathComponent
        for (id, tracks) in people {
            let person = people.count == 1 ? stem : "\(stem)_person\(id)"
            for (part, track) in tracks.enumerated() {
                let name = tracks.count == 1 ? person : "\(person)_part\(part + 1)"
                let file =
                    name == stem ? url : url.deletingLastPathComponent().appending(path: "\(name).\(url.pathExtension)")
                try WholeFile.write(Array(text(id, track, file.lastPathComponent).utf8), to: file)
            }
            if tracks.count > 1 {
                let away =
                    zip(tracks, tracks.dropFirst()).map { ($1.times.first ?? 0) - ($0.times.last ?? 0) }.max() ?? 0
                diagnostics?.report(
                    Diagnostic(
                        "export.parts",
                        "person \(id) was away for up to \(String(format: "%.0f", away)) s, so the track is in "
                            + "\(tracks.count) files, \(person)_part1.\(url.pathExtension) and on", file: url.path))
            }
        }
    }
}
