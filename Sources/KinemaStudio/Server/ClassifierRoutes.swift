import KinemaHistory
import KinemaHTTP
import Foundation
import Kinema
import NIOHTTP1

/// `/api/classifiers`: trains classifiers on marked sessions and deletes them.
extension StudioRoutes {
    private struct Wish: Decodable {
        var name: String
        var sessions: [UUID]
    }

    private struct Trained: Encodable {
        var id: String
        var name: String
        var classes: [String]
        var clips: [String: Int]
        /// Null if nothing could be held out.
        @Nullable var accuracy: Double?
    }

    func classifiers(
        _ request: StudioRequest, _ segments: ArraySlice<Substring>, _ body: inout RequestBody
    ) async throws -> StudioResponse {
        guard let store, let library else { throw HTTPError.noHistory }
        guard let id = segments.first else {
            try request.allow(.POST)
            return try await train(store, library, &body)
        }
        guard segments.count == 1, let id = id.removingPercentEncoding else { throw HTTPError.notFound }
        try request.allow(.DELETE)
        if try await library.delete(id) { return StudioResponse(.noContent) }
        guard !services.live.status().classifiers.contains(where: { $0.id == id }) else {
            throw HTTPError.notPossible("This classifier was given at the start and cannot be deleted.")
        }
        throw HTTPError.notFound
    }

    private func train(
        _ store: HistoryStore, _ library: ClassifierLibrary, _ body: inout RequestBody
    ) async throws -> StudioResponse {
        let wish = try await body.json(
            Wish.self, atMost: limits.jsonBytes, expected: #"{"name": "my squats", "sessions": ["ID", "ID"]}"#)
        guard SessionAnnotation.isLabel(wish.name) else {
            throw HTTPError.invalid("A name must have 1 to \(SessionAnnotation.labelLength) printable characters.")
        }
        var known = Set<UUID>()
        let ids = wish.sessions.filter { known.insert($0).inserted }
        guard (1...limits.trainingSessions).contains(ids.count) else {
            throw HTTPError.invalid("Give 1 to \(limits.trainingSessions) sessions.")
        }
        guard library.all.count < limits.classifiers else {
            throw HTTPError.notPossible("The studio keeps at most \(limits.classifiers) classifiers; delete one.")
        }
        guard let permit = trainings.permit(for: body.client) else {
            throw HTTPError(
                .conflict, "busy", "A classifier is being trained; try again when it is finished.")
        }
        defer { withExtendedLifetime(permit) {} }
        let training = AnnotationTraining(store: store, limits: limits)
        let model = try await withTaskExecutorPreference(WorkQueue("training")) { try await training.train(ids) }
        do {
            let taken = Set(services.live.status().classifiers.map(\.id))
            let classifier = try await library.add(model, name: wish.name, taken: taken)
            let answer = Trained(
                id: classifier.id, name: wish.name, classes: model.classes, clips: model.summary.clips,
                accuracy: model.summary.heldOutClipAccuracy)
            return .json(try StoredSession.json(answer), status: .created)
        } catch let error as KinemaError {
            throw HTTPError.refused(error)
        }
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
