import KinemaCore
import KinemaMotion
import Synchronization

/// The classifiers that were learnt in the studio, ready for sessions: in memory, and in files beside the history.
package final class ClassifierLibrary: Sendable {
    private let store: HistoryStore
    private let entries = Mutex<[LiveConfiguration.Classifier]>([])

    /// Makes an empty library; ``load()`` fills it.
    package init(_ store: HistoryStore) { self.store = store }

    /// Reads what earlier studios learnt; what cannot be read any more is left out.
    package func load() async throws {
        let found = try await store.classifierEntries().compactMap { entry in
            (try? HumanActionClassifier(contentsOf: store.classifierFile(entry.id))).map {
                LiveConfiguration.Classifier(id: entry.id, name: entry.name, model: $0, isMade: true)
            }
        }
        entries.withLock { $0 = found }
    }

    /// All of them, oldest first.
    package var all: [LiveConfiguration.Classifier] { entries.withLock { $0 } }

    /// Keeps a classifier under a name; its id is none of those taken.
    func add(
        _ model: HumanActionClassifier, name: String, taken: Set<String>
    ) async throws(KinemaError) -> LiveConfiguration.Classifier {
        let id = try await store.addClassifier(model, name: name, taken: taken)
        let classifier = LiveConfiguration.Classifier(id: id, name: name, model: model, isMade: true)
        entries.withLock { $0.append(classifier) }
        return classifier
    }

    /// Takes one away; false when there is none of that id.
    func delete(_ id: String) async throws(KinemaError) -> Bool {
        let isDeleted = try await store.deleteClassifier(id)
        entries.withLock { $0.removeAll { $0.id == id } }
        return isDeleted
    }
}
