@testable import KinemaHistory
import Foundation
import KinemaMedia
import KinemaTestSupport
import Testing

@testable import KinemaStudio

/// The files that commands of the documentation name, small: each is made when a page needs it, and kept as long as what
/// makes it stays the same.
enum DocumentedFiles {
    private static let size = "--size 320x240 --frame-rate 8"
    /// Steps need more frames, and someone who crosses the picture is small in it.
    private static let walkSize = "--size 480x270 --frame-rate 15"

    /// What makes a file, in a shell; `$1` is the package.
    private static let makers: [(name: String, script: String)] = [
        ("squats.mp4", "\"$kinema\" synth --scene squat --repetitions 1 \(size) -o squats.mp4"),
        ("clip.mp4", "\"$kinema\" synth --scene squat --repetitions 1 \(size) -o clip.mp4"),
        ("good.mp4", "\"$kinema\" synth --scene squat --repetitions 3 \(size) -o good.mp4"),
        ("patient.mp4", "\"$kinema\" synth --scene squat --repetitions 2 --seed 2 \(size) -o patient.mp4"),
        ("good", "mkdir good && \"$kinema\" synth --scene squat --repetitions 3 \(size) -o good/a.mp4"),
        (
            "wrong",
            """
            mkdir -p wrong/too-shallow \
            && "$kinema" synth --scene squat --fault shallow --repetitions 4 \(size) -o wrong/too-shallow/a.mp4
            """
        ),
        ("walk.mp4", "\"$kinema\" synth --scene walk \(walkSize) -o walk.mp4"),
        (
            "markers.trc",
            """
            "$kinema" synth --scene walk \(walkSize) -o whole.mp4 \
            && "$kinema" pose whole.mp4 --export trc --output markers.trc
            """
        ),
        ("cam01.mp4", "\"$kinema\" synth --scene squat --repetitions 1 \(size) -o cam01.mp4"),
        ("class.mp4", "\"$kinema\" synth --scene crowd --people 3 --seconds 1 --frame-rate 8 -o class.mp4"),
        ("film.mp4", "\"$kinema\" synth --scene squat --repetitions 1 \(size) -o film.mp4"),
        ("lunges.mp4", "\"$kinema\" synth --scene lunge --repetitions 2 \(size) -o lunges.mp4"),
        ("curls.mp4", "\"$kinema\" synth --scene bicepsCurl --repetitions 2 \(size) -o curls.mp4"),
        (
            "clips",
            """
            mkdir clips && "$kinema" synth --scene squat --repetitions 1 \(size) -o clips/a.mp4 \
            && "$kinema" synth --scene lunge --repetitions 1 \(size) -o clips/b.mp4
            """
        ),
        (
            "throws.mp4",
            """
            "$kinema" synth --scene throws -o whole.mp4 \
            && ffmpeg -nostdin -v error -y -i whole.mp4 -t 2.5 -vf scale=480:-2 throws.mp4
            """
        ),
        ("model.tflite", "cp \"${KINEMA_HOME:-$1/.kinema}/models/pose_detection.tflite\" model.tflite"),
    ]

    /// Puts what the commands read, and do not write before, into a folder.
    static func lay(for commands: [String], into place: URL) async throws {
        let words = commands.map { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
        func isRead(_ name: String) -> Bool {
            for line in words {
                guard let index = line.firstIndex(of: name) else { continue }
                return index == 0 || !["-o", "--output", ">"].contains(line[index - 1])
            }
            return false
        }
        for (name, script) in makers where isRead(name) {
            let recipe = ContentDigest.sha256(of: Array(script.utf8)).prefix(16)
            let file = try RenderedVideo.place(of: "\(recipe)-\(name)")
            if !FileManager.default.fileExists(atPath: file.path) {
                // Beside its place, since nothing is moved from one file system to another.
                let unfinished = try RenderedVideo.place(of: UUID().uuidString)
                try FileManager.default.createDirectory(at: unfinished, withIntermediateDirectories: true)
                defer { try? FileManager.default.removeItem(at: unfinished) }
                let outcome = try await Program.shell(
                    "cd \"$2\" && { \(script); }", SharedData.package.path, unfinished.path)
                guard outcome.status == 0 else { throw MissingPart(reason: "\(name): \(outcome.complaint)") }
                try RenderedVideo.keep(unfinished.appending(path: name), at: file)
            }
            try FileManager.default.copyItem(at: file, to: place.appending(path: name))
        }
        for name in ["squats.npy", "poses.npy"] where isRead(name) {
            try poses(name, raising: false, frames: 30, into: place)
        }
        if isRead("marks.csv") {
            var table = "file,label\n"
            for (label, frames) in [("bend", 30), ("bend", 36), ("raise", 30), ("raise", 36)] {
                try poses("\(label)\(frames).npy", raising: label == "raise", frames: frames, into: place)
                table += "\(label)\(frames).npy,\(label)\n"
            }
            try Data(table.utf8).write(to: place.appending(path: "marks.csv"))
        }
    }

    /// A session in the history, corrected and with four marks; gives its ID.
    static func keepSession(in history: URL, posesOf clip: URL) async throws -> String {
        let store = try HistoryStore(history)
        var session = StoredSession(
            date: Date(timeIntervalSince1970: 1_000_000), mode: .count, source: "camera", duration: 6)
        session.poses = try await Program.run("pose", clip.path, "--format", "jsonl").output
        try await store.add(session)
        _ = try await store.annotate(session.id, .corrections([CorrectedRepetition(id: 1, start: 1, end: 3)]))
        let marks = [(0.0, 1.0, "stand"), (3, 4, "stand"), (1, 2, "squat"), (2, 3, "squat")]
        _ = try await store.annotate(
            session.id, .marks(marks.map { SessionMark(start: $0.0, end: $0.1, label: $0.2, id: 1) }))
        return session.id.uuidString
    }

    /// COCO's 17 joints of somebody upright: x and y from the top left.
    private static let upright: [(x: Double, y: Double)] = [
        (0.5, 0.15), (0.52, 0.13), (0.48, 0.13), (0.54, 0.14), (0.46, 0.14), (0.58, 0.25), (0.42, 0.25), (0.6, 0.4),
        (0.4, 0.4), (0.6, 0.52), (0.4, 0.52), (0.55, 0.55), (0.45, 0.55), (0.55, 0.72), (0.45, 0.72), (0.55, 0.9),
        (0.45, 0.9),
    ]

    /// Three repetitions of a figure that raises the arms or bends the knees, one every so many frames.
    private static func poses(_ name: String, raising: Bool, frames: Int, into place: URL) throws {
        var values: [Double] = []
        for frame in 0..<90 {
            let share = (1 - cos(2 * Double.pi * Double(frame) / Double(frames))) / 2
            for (index, joint) in upright.enumerated() {
                var (x, y) = joint
                switch (raising, index) {
                case (true, 7...8): (x, y) = (x + (x > 0.5 ? 0.06 : -0.06) * share, y - 0.15 * share)
                case (true, 9...10): (x, y) = (x + (x > 0.5 ? 0.18 : -0.18) * share, y - 0.27 * share)
                case (false, ...12): y += 0.2 * share
                case (false, ...14): y += 0.1 * share
                default: break
                }
                values += [x, y, 1]
            }
        }
        try NumpyFile.bytes(values, shape: [90, upright.count, 3]).write(to: place.appending(path: name))
    }
}
