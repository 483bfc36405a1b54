import Foundation
import KinemaCore
import KinemaSynth

/// The true people in each frame of a recording: the truth of a rendered clip, or a MOTChallenge `gt.txt`.
struct TrackTruth: Sendable {
    struct Entry: Sendable {
        var id: Int
        /// The box as x, y, width and height: normalised, origin at the lower left, or in pixels from the upper left.
        var box: CGRect
        /// The joints, normalised, origin at the lower left; may be empty.
        var joints: [JointKey: CGPoint]
        /// Whether the person is hidden or does not count: neither a miss nor an error.
        var isIgnored: Bool
        /// Whether a detection here is ignored, as TrackEval ignores those on MOTChallenge's distractors.
        var absorbs: Bool
    }

    private static let limits = (bytes: 512 << 20, frames: 1_000_000, entries: 4_000_000, people: 1000)
    /// MOTChallenge's class that counts, and those on which detections are no errors: vehicles, reflections.
    private static let pedestrian = 1
    private static let distractors: Set<Int> = [2, 7, 8, 12]

    private(set) var frames: [Int: [Entry]] = [:]
    /// Whether boxes are in pixels from the upper left.
    private(set) var isInPixels = false

    /// Everyone in a frame, counted from 0, with boxes normalised to the picture.
    func entries(_ frame: Int, width: Int, height: Int) -> [Entry] {
        guard isInPixels else { return frames[frame] ?? [] }
        let (width, height) = (Double(max(1, width)), Double(max(1, height)))
        return (frames[frame] ?? []).map { entry in
            var entry = entry
            let box = entry.box
            entry.box = CGRect(
                x: box.minX / width, y: 1 - box.maxY / height, width: box.width / width, height: box.height / height)
            return entry
        }
    }

    var hasJoints: Bool { frames.values.contains { $0.contains { !$0.joints.isEmpty } } }

    /// Reads a file; throws `unreadableInput` for an invalid one.
    init(contentsOf url: URL) throws {
        let bytes = try BoundedFile.read(
            url, limit: Self.limits.bytes, remedy: "give a ground-truth file from kinema synth or a gt.txt",
            excess: "use that of a shorter clip")
        if bytes.first == UInt8(ascii: "{") {
            try readRendered(Data(bytes), url)
        } else {
            try readChallenge(String(decoding: bytes, as: UTF8.self), url)
        }
        let people = Set(frames.values.flatMap { $0.map(\.id) })
        guard !people.isEmpty else {
            throw KinemaError(.unreadableInput, "the ground truth contains no people", file: url.path)
        }
        guard people.count <= Self.limits.people else {
            throw KinemaError(
                .unreadableInput, "the ground truth contains more than \(Self.limits.people) people", file: url.path)
        }
    }

    private mutating func readRendered(_ data: Data, _ url: URL) throws {
        guard let truth = try? JSONDecoder().decode(Truth.self, from: data) else {
            throw KinemaError(.unreadableInput, "is not a ground-truth file from kinema synth", file: url.path)
        }
        for person in truth.people {
            for (frame, seen) in person.frames.prefix(Self.limits.frames).enumerated() {
                guard let box = seen.box, box.count == 4 else { continue }
                let joints = seen.keypoints.filter { $0.value.visibility != .outOfPicture }
                frames[frame, default: []].append(
                    Entry(
                        id: person.id, box: CGRect(x: box[0], y: box[1], width: box[2], height: box[3]),
                        joints: Dictionary(
                            uniqueKeysWithValues: joints.map { (JointKey(rawValue: $0), CGPoint(x: $1.x, y: $1.y)) }),
                        isIgnored: seen.isHidden ?? true, absorbs: seen.isHidden ?? true))
            }
        }
    }

    /// Reads `frame,id,left,top,width,height,counts,class,visibility`, frames and pixels counted from 1.
    private mutating func readChallenge(_ text: String, _ url: URL) throws {
        isInPixels = true
        for (index, line) in text.split(whereSeparator: \.isNewline).enumerated() {
            let values = line.split(separator: ",").map { Double($0.trimmingCharacters(in: .whitespaces)) ?? .nan }
            guard values.count >= 6, values.allSatisfy({ abs($0) < 1e9 }), values[0] >= 1,
                values[0] <= Double(Self.limits.frames), index < Self.limits.entries
            else {
                throw KinemaError(
                    .unreadableInput,
                    "line \(index + 1) is not frame,id,left,top,width,height with up to three more numbers",
                    file: url.path)
            }
            let kind = values.count > 7 ? Int(values[7]) : Self.pedestrian
            let counts = (values.count < 7 || values[6] != 0) && kind == Self.pedestrian
            frames[Int(values[0]) - 1, default: []].append(
                Entry(
                    id: Int(values[1]),
                    box: CGRect(x: values[2] - 1, y: values[3] - 1, width: values[4], height: values[5]),
                    joints: [:], isIgnored: !counts, absorbs: Self.distractors.contains(kind)))
        }
    }
}
