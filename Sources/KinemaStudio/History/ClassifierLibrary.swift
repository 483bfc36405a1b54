import KinemaHTTP
import KinemaMotion
import KinemaLearning
import Foundation
import Kinema
import KinemaCore
import NIOHTTP1
import Synchronization

enum ClassifierName {
    /// Keeps ids distinct from those of classifiers on the command line.
    private static let prefix = "studio-"
    private static let length = 48

    static func id(_ name: String, taken: Set<String>) -> String {
        let letters = name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        let words = String(letters).split(separator: "-").joined(separator: "-").prefix(length - 8)
        let stem = prefix + (words.isEmpty ? "classifier" : words)
        var (id, number) = (stem, 1)
        while taken.contains(id) {
            number += 1
            id = "\(stem)-\(number)"
        }
        return id
    }

    /// Whether a text is such an id; others could be paths.
    static func isID(_ text: String) -> Bool {
        text.hasPrefix(prefix) && (prefix.utf8.count + 1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }

    static func file(_ id: String) -> String { "\(id.dropFirst(prefix.count)).model" }
}

/// The classifiers trained in the studio: in memory, and in files beside the history.
package final class ClassifierLibrary: Sendable {
    private let store: HistoryStore
    private let entries = Mutex<[LiveConfiguration.Classifier]>([])

    package init(_ store: HistoryStore) { self.store = store }

    package func load() async throws {
        let found = try await store.classifierEntries().compactMap { entry in
            (try? HumanActionClassifier(contentsOf: store.classifierFile(entry.id))).map {
                LiveConfiguration.Classifier(id: entry.id, name: entry.name, model: $0, isMade: true)
            }
        }
        entries.withLock { $0 = found }
    }

    /// Oldest first.
    package var all: [LiveConfiguration.Classifier] { entries.withLock { $0 } }

    /// Adds a classifier under an unused id.
    func add(
        _ model: HumanActionClassifier, name: String, taken: Set<String>
    ) async throws(KinemaError) -> LiveConfiguration.Classifier {
        let id = try await store.addClassifier(model, name: name, taken: taken)
        let classifier = LiveConfiguration.Classifier(id: id, name: name, model: model, isMade: true)
        entries.withLock { $0.append(classifier) }
        return classifier
    }

    func delete(_ id: String) async throws(KinemaError) -> Bool {
        let isDeleted = try await store.deleteClassifier(id)
        entries.withLock { $0.removeAll { $0.id == id } }
        return isDeleted
    }
}

/// Trains a classifier on the marked parts of sessions, with the trainer of `kinema train`.
struct AnnotationTraining {
    let store: HistoryStore
    let limits: StudioLimits

    private struct Clip {
        var mark: SessionMark
        var body = PoseSequence(.body)
        var hand = PoseSequence(.hand)
    }

    /// Trains in the order of the sessions; throws `.invalidArgument` for insufficient marks.
    func train(_ ids: [UUID]) async throws -> HumanActionClassifier {
        var sessions: [StoredSession] = []
        for id in ids {
            guard let session = try await store.outline(id) else { throw Self.missing(id) }
            guard session.hasPoses else {
                throw KinemaError.invalid("session \(id) has no saved poses; training needs sessions with poses")
            }
            sessions.append(session)
        }
        try check(sessions.flatMap(\.marks))
        var people = LabelExport.people(sessions.flatMap { one in one.marks.map { (one.id, $0) } })[...]
        var examples: [ActionTrainer.Example] = []
        for session in sessions where !session.marks.isEmpty {
            for (mark, sequence) in zip(session.marks, try await sequences(session)) {
                examples.append(
                    .init(sequence, label: mark.label, person: people.popFirst() ?? nil, source: session.id.uuidString))
            }
        }
        do {
            return try ActionTrainer().train(examples)
        } catch {
            // Another choice of sessions may do.
            throw error.code == .analysisFailed ? KinemaError.invalid(error.message) : error
        }
    }

    private func check(_ marks: [SessionMark]) throws {
        let counts = marks.reduce(into: [String: Int]()) { $0[$1.label, default: 0] += 1 }
        guard counts.count >= 2 else {
            let found = counts.keys.first.map { "only \($0) is marked" } ?? "nothing is marked"
            throw KinemaError.invalid("\(found) in these sessions; at least 2 classes are needed")
        }
        let minimum = ActionTrainer().minimumClips
        for (label, count) in counts.sorted(by: { $0.key < $1.key }) where count < minimum {
            throw KinemaError.invalid("class \(label) has \(count) clip; at least \(minimum) are needed")
        }
        guard counts.count <= limits.trainingClasses else {
            throw KinemaError.invalid(
                "there are \(counts.count) classes; at most \(limits.trainingClasses) can be learnt")
        }
        let seconds = marks.reduce(0) { $0 + $1.end - $1.start }
        guard seconds <= limits.trainingSeconds else {
            throw KinemaError.invalid(
                "the marks are \(Int(seconds)) s long in total; at most \(Int(limits.trainingSeconds)) s can be used"
            )
        }
    }

    /// The movement in each mark of a session: of its person, else of the most prominent one.
    private func sequences(_ session: StoredSession) async throws -> [PoseSequence] {
        guard let packed = try await store.packedPoses(session.id) else { throw Self.missing(session.id) }
        let limits = PoseFileLimits()
        let lines = try Gzip.unpack(Array(packed), limit: limits.bytes, file: session.id.uuidString)
        var reader = PoseLinesReader(lines, limits, file: session.id.uuidString)
        var clips = session.marks.map { Clip(mark: $0) }
        var (bodies, hands) = (ProminentPersonSelector(), ProminentPersonSelector())
        var hasBody = false
        while let frame = try reader.next() {
            try Task.checkCancellation()
            hasBody = hasBody || !frame.poses.isEmpty
            let handPoses = frame.hands.map(\.pose)
            let prominent = (
                body: bodies.select(frame.poses, at: frame.time), hand: hands.select(handPoses, at: frame.time)
            )
            let ratio = (AspectRatio(width: frame.width, height: frame.height) ?? .usual).value
            for index in clips.indices where (clips[index].mark.start..<clips[index].mark.end).contains(frame.time) {
                func chosen(_ poses: [Pose], _ prominent: Pose?) -> Pose? {
                    clips[index].mark.id.map { id in poses.first { $0.id == id } } ?? prominent
                }
                clips[index].body.append(chosen(frame.poses, prominent.body), at: frame.time, aspectRatio: ratio)
                clips[index].hand.append(chosen(handPoses, prominent.hand), at: frame.time, aspectRatio: ratio)
            }
        }
        return clips.map { hasBody ? $0.body : $0.hand }
    }

    private static func missing(_ id: UUID) -> HTTPError {
        HTTPError(.notFound, "not-found", "There is no session \(id).")
    }
}
