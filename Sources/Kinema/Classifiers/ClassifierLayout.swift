import KinemaFormats
import KinemaMotion
import KinemaLearning
import KinemaPose
import Foundation
import KinemaCore

/// The positions of frames, joints and their numbers in the input of a neural network.
struct ClassifierLayout: Sendable, Hashable {
    enum Axis: Sendable {
        case batch, frames, joints, people
        /// x and y, or x, y and confidence.
        case numbers
        /// Joint after joint with its numbers.
        case row
    }

    /// The axes by rank: Create ML's, those of ST-GCN (Yan et al. 2018) and MMAction2, and those of plain sequences.
    static let known: [[Axis]] = [
        [.batch, .frames, .numbers, .joints], [.batch, .numbers, .frames, .joints],
        [.batch, .frames, .joints, .numbers],
        [.batch, .numbers, .frames, .joints, .people], [.batch, .people, .frames, .joints, .numbers],
        [.batch, .frames, .row],
    ]

    /// The accepted shapes, for messages.
    static let accepted =
        "1 x frames x 3 x joints, 1 x 3 x frames x joints (x people), 1 x frames x joints x 3 or 1 x frames x (joints * 3), "
        + "with 2 for 3 without confidences"

    /// The default window of a network that takes any length, in frames: two seconds at Kinema's rate.
    static let usualFrames = 60
    /// The accepted window lengths in frames, and the maximum number of people.
    static let (frameRange, mostPeople) = (4...10_000, 16)

    private(set) var axes: [Axis]
    private(set) var shape: [Int]
    private(set) var frames = 1, joints = 1, numbers = 2, people = 1

    /// Finds the layout of a shape, with -1 for an open size; nil if none or more than one fits. `joints` and `window`
    /// are the model's own.
    init?(_ shape: [Int], joints: Int?, window: Int?) {
        let fitting = Self.known.compactMap { ClassifierLayout($0, shape, joints: joints, window: window) }
        // Between people and numbers, an axis of three is numbers and an axis of one is people.
        let best = [fitting.filter { $0.numbers == 3 }, fitting.filter { $0.people == 1 }, fitting]
            .first { $0.count == 1 }
        guard let found = best?.first else { return nil }
        self = found
    }

    private init?(_ axes: [Axis], _ shape: [Int], joints known: Int?, window: Int?) {
        guard axes.count == shape.count else { return nil }
        (self.axes, self.shape) = (axes, shape)
        for (index, axis) in axes.enumerated() {
            guard let size = size(of: axis, shape[index], known, window) else { return nil }
            self.shape[index] = size
        }
        guard self.shape.reduce(1, *) <= ONNXModel.largestInput else { return nil }
    }

    private mutating func size(of axis: Axis, _ given: Int, _ known: Int?, _ window: Int?) -> Int? {
        switch axis {
        case .batch: return given == 1 || given == -1 ? 1 : nil
        case .frames:
            frames = given == -1 ? window ?? Self.usualFrames : given
            return Self.frameRange.contains(frames) ? frames : nil
        case .numbers:
            numbers = given
            return (2...3).contains(given) ? given : nil
        case .people:
            people = given == -1 ? 1 : given
            return (1...Self.mostPeople).contains(people) ? people : nil
        case .joints:
            joints = given == -1 ? known ?? 0 : given
            let fits = known.map { $0 == joints } ?? JointOrder.counts.contains(joints)
            return joints > 0 && fits ? joints : nil
        case .row:
            let pairs = (known.map { [$0] } ?? JointOrder.counts).flatMap { joints in [(joints, 2), (joints, 3)] }
            guard let pair = pairs.first(where: { $0.0 * $0.1 == given }) else { return nil }
            (joints, numbers) = pair
            return given
        }
    }

    var isCreateML: Bool { axes == Self.known[0] }

    /// The input for a window: the movement of one person, 0 for unseen joints and other people.
    func input(_ window: PoseSequence, _ coordinates: PoseCoordinates) -> [Float] {
        func step(_ axis: Axis) -> Int? { axes.firstIndex(of: axis).map { shape[($0 + 1)...].reduce(1, *) } }
        let perFrame = step(.frames) ?? 0
        let (perJoint, perNumber) = (step(.joints) ?? numbers, step(.numbers) ?? 1)
        var values = [Float](repeating: 0, count: shape.reduce(1, *))
        for frame in 0..<frames {
            for joint in 0..<joints {
                let start = (frame * joints + joint) * 3
                let confidence = window.points[start + 2]
                guard confidence > 0 else { continue }
                let (x, y) = coordinates.position(window.points[start], window.points[start + 1], in: window.picture)
                let place = frame * perFrame + joint * perJoint
                values[place] = x
                values[place + perNumber] = y
                if numbers == 3 { values[place + 2 * perNumber] = confidence }
            }
        }
        return values
    }
}

struct ClassifierMetadata: Sendable {
    /// The classes in the order of the output; nil if absent.
    var labels: [String]?
    var subject: ActionSubject?
    /// The joints in the order of the input; nil for one that Kinema does not know.
    var joints: [JointKey?]?
    var window: Int?
    var rate: Double?
    var coordinates: PoseCoordinates?
    var rejectionThreshold, strangenessLimit: Double?
    /// The sharpening of the mean over a clip's windows, relative to one window.
    var clipSharpness: Double?

    /// The accepted numbers of classes; the largest data sets have some hundred.
    static let classRange = 2...4096
    static let longestLabel = 256
    /// The maximum number of joints, and the minimum that Kinema must know.
    static let (mostJoints, leastKnown) = (300, 4)
    static let maximumLabels = 1 << 20

    /// Reads the metadata; throws `.unreadableInput` for an invalid entry.
    init(_ entries: [String: String], file: String) throws(KinemaError) {
        func refuse(_ key: String, _ need: String) -> KinemaError {
            KinemaError(.unreadableInput, "its metadata \(key) must be \(need); rewrite it", file: file)
        }
        func number(_ key: String, _ range: ClosedRange<Double>) throws(KinemaError) -> Double? {
            guard let text = entries[key] else { return nil }
            guard let value = Double(text), range.contains(value) else {
                throw refuse(key, "a number from \(range.lowerBound) to \(range.upperBound)")
            }
            return value
        }
        if let text = entries["labels"] { labels = try Self.labels(Self.list(text), file: file) }
        if let text = entries["subject"] {
            subject = ActionSubject(rawValue: text)
            guard subject != nil else { throw refuse("subject", "body or hand") }
        }
        if let text = entries["coordinates"] {
            coordinates = PoseCoordinates(rawValue: text)
            let all = PoseCoordinates.allCases.map(\.rawValue).joined(separator: ", ")
            guard coordinates != nil else { throw refuse("coordinates", "one of \(all)") }
        }
        let frames = ClassifierLayout.frameRange
        window = try number("window", Double(frames.lowerBound)...Double(frames.upperBound)).map { Int($0) }
        rate = try number("rate", 1...1000)
        rejectionThreshold = try number("rejectionThreshold", 0...1)
        strangenessLimit = try number("strangenessLimit", 0...1e9)
        clipSharpness = try number("clipSharpness", 0...1e6)
        guard let text = entries["joints"] else { return }
        let names = Self.list(text)
        guard (1...Self.mostJoints).contains(names.count) else {
            throw refuse("joints", "1 to \(Self.mostJoints) names, one per line")
        }
        let body = ModelJoints(names: names).keys
        let hand = names.map { name in HandSkeleton.joints.first { $0.rawValue == name } }
        let isHand = subject.map { $0 == .hand } ?? (Self.known(hand) > Self.known(body))
        subject = isHand ? .hand : .body
        joints = isHand ? hand : body
        guard Self.known(joints ?? []) >= Self.leastKnown else {
            throw refuse("joints", "names that Kinema knows, such as leftShoulder or left_shoulder")
        }
    }

    private static func known(_ joints: [JointKey?]) -> Int { joints.count { $0 != nil } }

    /// The items of a list: a line each, or in JSON.
    private static func list(_ text: String) -> [String] {
        if text.first == "[", let items = try? JSONDecoder().decode([String].self, from: Data(text.utf8)) {
            return items
        }
        return lines(text)
    }

    private static func lines(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    private static func labels(_ labels: [String], file: String) throws(KinemaError) -> [String] {
        func refuse(_ reason: String) -> KinemaError { KinemaError(.unreadableInput, reason, file: file) }
        guard classRange.contains(labels.count) else {
            throw refuse(
                "lists \(PlainText.counted(labels.count, "class", "classes")); a classifier has "
                    + "\(classRange.lowerBound) to \(classRange.upperBound), one per line")
        }
        let isBad = { (label: String) in
            label.utf8.count > longestLabel || label.unicodeScalars.contains(where: PlainText.isHidden)
        }
        guard !labels.contains(where: isBad) else {
            throw refuse("a name of a class is longer than \(longestLabel) bytes or has hidden characters; shorten it")
        }
        var seen = Set<String>()
        if let twice = labels.first(where: { !seen.insert($0).inserted }) {
            throw refuse("lists the class \(twice) twice; each needs its own name")
        }
        return labels
    }

    static func labels(contentsOf url: URL) throws(KinemaError) -> [String] {
        var bytes = try BoundedFile.read(
            url, limit: maximumLabels, remedy: "give a text file with the classes, one per line")
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw KinemaError(.unreadableInput, "is not text in UTF-8; write the classes one per line", file: url.path)
        }
        return try labels(lines(text), file: url.path)
    }
}
