package import KinemaLearning
import Foundation
package import KinemaCore
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
    /// A classifier that a studio offers.
    package struct Classifier: Sendable {
        package var id: String
        package var name: String
        package var model: any ActionClassifier

        /// Whether the studio trained it and can delete it.
        package var isMade: Bool

        package init(id: String, name: String, model: any ActionClassifier, isMade: Bool = false) {
            (self.id, self.name, self.model, self.isMade) = (id, name, model, isMade)
        }
    }

    private let store: HistoryStore
    private let entries = Mutex<[Classifier]>([])

    package init(_ store: HistoryStore) { self.store = store }

    package func load() async throws {
        let found = try await store.classifierEntries().compactMap { entry in
            (try? HumanActionClassifier(contentsOf: store.classifierFile(entry.id))).map {
                Classifier(id: entry.id, name: entry.name, model: $0, isMade: true)
            }
        }
        entries.withLock { $0 = found }
    }

    /// Oldest first.
    package var all: [Classifier] { entries.withLock { $0 } }

    /// Adds a classifier under an unused id.
    package func add(
        _ model: HumanActionClassifier, name: String, taken: Set<String>
    ) async throws(KinemaError) -> Classifier {
        let id = try await store.addClassifier(model, name: name, taken: taken)
        let classifier = Classifier(id: id, name: name, model: model, isMade: true)
        entries.withLock { $0.append(classifier) }
        return classifier
    }

    package func delete(_ id: String) async throws(KinemaError) -> Bool {
        let isDeleted = try await store.deleteClassifier(id)
        entries.withLock { $0.removeAll { $0.id == id } }
        return isDeleted
    }
}
