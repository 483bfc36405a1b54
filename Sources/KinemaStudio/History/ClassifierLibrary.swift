import KinemaCore
import KinemaMotion
import Synchronization

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
