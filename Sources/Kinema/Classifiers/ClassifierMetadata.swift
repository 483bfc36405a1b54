import Foundation
import KinemaCore
import KinemaMotion
import KinemaVision

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
            KinemaError(.unreadableInput, "its metadata \(key) must be \(need); write it again", file: file)
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
