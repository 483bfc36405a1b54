import Foundation
import Kinema
import KinemaCore

/// Each track of a recording and, if the truth is known, their agreement with it.
struct TrackReport {
    private struct Track {
        var first, last: TimeInterval
        var lastFrame, firstFrame: Int
        var frames = 1, gaps = 0
        var longestGap: TimeInterval = 0
    }

    /// The similarity of a found and a true person.
    enum Similarity: String, CaseIterable {
        /// COCO's object key point similarity of the joints.
        case oks = "OKS"
        /// The intersection of the boxes as a share of their union.
        case box = "IoU"
    }

    private let truth: TrackTruth?
    private var tracks: [Int: Track] = [:]
    private var frames = 0
    private(set) var scores: [Similarity: TrackingScore] = [:]

    init(truth: TrackTruth?) {
        self.truth = truth
        guard let truth else { return }
        for similarity in Similarity.allCases where similarity == .box || truth.hasJoints {
            scores[similarity] = TrackingScore()
        }
    }

    mutating func add(_ frame: ExportedFrame) {
        frames = frame.index + 1
        let people = frame.poses.filter { $0.id != nil }
        for id in people.compactMap(\.id) { note(id, frame) }
        guard let truth else { return }
        let entries = truth.entries(frame.index, width: frame.width, height: frame.height)
        for similarity in scores.keys {
            scores[similarity]?.add(Self.judged(entries, people, similarity, frame.width, frame.height))
        }
    }

    private mutating func note(_ id: Int, _ frame: ExportedFrame) {
        guard var track = tracks[id] else {
            tracks[id] = Track(first: frame.time, last: frame.time, lastFrame: frame.index, firstFrame: frame.index)
            return
        }
        if frame.index > track.lastFrame + 1 {
            track.gaps += 1
            track.longestGap = max(track.longestGap, frame.time - track.last)
        }
        (track.last, track.lastFrame, track.frames) = (frame.time, frame.index, track.frames + 1)
        tracks[id] = track
    }

    /// The scored part of a frame: without ignored true people, and detections on them.
    static func judged(
        _ entries: [TrackTruth.Entry], _ people: [Pose], _ similarity: Similarity, _ width: Int, _ height: Int
    ) -> TrackingScore.Frame {
        let size = CGSize(width: width, height: height)
        let values = entries.map { entry in
            people.map { similarity == .oks ? entry.keypointSimilarity(to: $0, size) : entry.overlap(with: $0) }
        }
        let pairs = Assignment.maximumValue(
            values.map { $0.map { $0 < TrackingScore.threshold - .ulpOfOne ? 0 : $0 } })
        let absorbed = Set(zip(entries, pairs).compactMap { $0.absorbs ? $1 : nil })
        let kept = people.indices.filter { !absorbed.contains($0) }
        let counted = entries.indices.filter { !entries[$0].isIgnored }
        return TrackingScore.Frame(
            truth: counted.map { entries[$0].id }, found: kept.compactMap { people[$0].id },
            similarity: counted.map { row in kept.map { values[row][$0] } })
    }
}

extension TrackReport {
    func write(to url: URL, source: String) throws {
        let tracks = tracks.sorted { $0.key < $1.key }.map { id, track in
            JSONValue.object([
                "id": .whole(id), "first": .number(track.first), "last": .number(track.last),
                "frames": .whole(track.frames), "gaps": .whole(track.gaps), "longestGap": .number(track.longestGap),
                "coverage": .number(Double(track.frames) / Double(track.lastFrame - track.firstFrame + 1)),
            ])
        }
        var report = ["source": JSONValue.text(source), "frames": .whole(frames), "tracks": .list(tracks)]
        if truth != nil { report["truth"] = .list(measures) }
        let encoder = JSONEncoder.ordered
        encoder.outputFormatting.insert(.prettyPrinted)
        try AtomicFile.write(encoder.encode(report), to: url)
    }

    private var measures: [JSONValue] {
        Similarity.allCases.compactMap { similarity in
            guard let (found, people) = scores[similarity]?.evaluate() else { return nil }
            let entries = people.sorted { $0.key < $1.key }.map { id, person in
                JSONValue.object([
                    "person": .whole(id), "frames": .whole(person.frames),
                    "coverage": .number(Double(person.matched) / Double(max(1, person.frames))),
                    "switches": .whole(person.switches), "fragments": .whole(person.fragments),
                    "ids": .list(person.ids.map { .whole($0) }),
                ])
            }
            return .object([
                "similarity": .text(similarity.rawValue), "HOTA": .number(found.hota), "DetA": .number(found.detA),
                "AssA": .number(found.assA), "IDF1": .number(found.idf1), "IDP": .number(found.idPrecision),
                "IDR": .number(found.idRecall), "MOTA": .number(found.mota), "switches": .whole(found.switches),
                "fragments": .whole(found.fragments), "matches": .whole(found.matches),
                "misses": .whole(found.misses), "surplus": .whole(found.surplus),
                "lostByDetection": .number(1 - found.detectionF1),
                "lostByIdentity": .number(found.detectionF1 - found.idf1), "people": .list(entries),
            ])
        }
    }
}

extension TrackTruth.Entry {
    /// A body's area as a share of its box, where no outline is known (the convention of mmpose).
    private static let areaOfBox = 0.53
    /// The margin of the outline around the joints, in shares of their height: means over rendered crowds
    /// (`script/crowds`).
    private static let flesh = (side: 0.07, top: 0.09, bottom: 0.07)

    /// COCO's object key point similarity, 0...1; 0 for joints that were not found.
    func keypointSimilarity(to pose: Pose, _ size: CGSize) -> Double {
        let area = Self.areaOfBox * box.width * size.width * box.height * size.height
        var (sum, count) = (0.0, 0.0)
        for (key, deviation) in COCOJoints.deviations {
            guard let real = joints[key] else { continue }
            count += 1
            guard let found = pose.keypoints[key]?.location else { continue }
            let x = (found.x - real.x) * size.width
            let y = (found.y - real.y) * size.height
            sum += exp(-(x * x + y * y) / (8 * deviation * deviation * max(1, area)))
        }
        return count > 0 ? sum / count : 0
    }

    /// The intersection over union of the boxes, 0...1; the pose's box is that of COCO's joints, widened to its outline.
    func overlap(with pose: Pose) -> Double {
        let keys = Set(COCOJoints.all)
        let known = Pose(from: pose.keypoints.filter { keys.contains($0.key) })
        guard let joints = known.boundingBox() else { return 0 }
        let height = joints.height
        let found = CGRect(
            x: joints.minX - Self.flesh.side * height, y: joints.minY - Self.flesh.bottom * height,
            width: joints.width + 2 * Self.flesh.side * height,
            height: height * (1 + Self.flesh.bottom + Self.flesh.top))
        let shared = box.intersection(found)
        guard !shared.isNull, !shared.isEmpty else { return 0 }
        let common = shared.width * shared.height
        return common / (box.width * box.height + found.width * found.height - common)
    }
}

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

    /// What tracks need of the truth that `kinema synth` writes.
    private struct RenderedTruth: Decodable {
        struct Frame: Decodable {
            /// x, y, and the visibility with COCO's values, 0 outside the picture.
            var keypoints: [String: [Double]]
            var box: [Double]?
            var isHidden: Bool?
        }

        struct Person: Decodable {
            var id: Int
            var frames: [Frame]
        }

        var people: [Person]
    }

    private mutating func readRendered(_ data: Data, _ url: URL) throws {
        guard let truth = try? JSONDecoder().decode(RenderedTruth.self, from: data) else {
            throw KinemaError(.unreadableInput, "is not a ground-truth file from kinema synth", file: url.path)
        }
        for person in truth.people {
            for (frame, seen) in person.frames.prefix(Self.limits.frames).enumerated() {
                guard let box = seen.box, box.count == 4 else { continue }
                let joints = seen.keypoints.filter { $0.value.count == 3 && $0.value[2] > 0 }
                frames[frame, default: []].append(
                    Entry(
                        id: person.id, box: CGRect(x: box[0], y: box[1], width: box[2], height: box[3]),
                        joints: Dictionary(
                            uniqueKeysWithValues: joints.map { (JointKey(rawValue: $0), CGPoint(x: $1[0], y: $1[1])) }),
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
