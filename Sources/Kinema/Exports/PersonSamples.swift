import Foundation
import KinemaCore

/// Everyone's numbers as they come, frame by frame, for exports that have a file a person.
struct PersonSamples {
    /// What is known of a person in a frame.
    typealias Sample = (time: TimeInterval, values: [Double?])

    private var times: [TimeInterval] = []
    private var people: [Int: [Sample]] = [:]

    /// Takes a frame; `values` are a pose's columns, nil where one is not known.
    mutating func add(_ frame: ExportedFrame, values: (Pose) -> [Double?]) {
        times.append(frame.time)
        for pose in frame.poses { people[pose.id ?? 0, default: []].append((frame.time, values(pose))) }
    }

    /// The clock of the whole input, the same for everyone in it.
    var clock: EvenClock { EvenClock(times) }

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

    /// Everyone on that clock, by number.
    func tracks(columns: Int) -> [(id: Int, track: PersonTrack)] {
        let clock = clock
        return people.sorted { $0.key < $1.key }.map {
            ($0.key, PersonTrack($0.value, count: columns, clock: clock))
        }
    }
}

/// Files with one person each: one has the name asked for; several have their number in it.
struct PersonFiles {
    let url: URL

    /// Writes a file a person; `text` makes it from the person's number, the track and the file's name.
    func write(_ tracks: [(id: Int, track: PersonTrack)], text: (Int, PersonTrack, String) -> String) throws {
        for (id, track) in tracks where track.columns.contains(where: { $0 != nil }) {
            let stem = url.deletingPathExtension().lastPathComponent
            let numbered = "\(stem)_person\(id).\(url.pathExtension)"
            let file = tracks.count == 1 ? url : url.deletingLastPathComponent().appending(path: numbered)
            try WholeFile.write(Array(text(id, track, file.lastPathComponent).utf8), to: file)
        }
    }
}
