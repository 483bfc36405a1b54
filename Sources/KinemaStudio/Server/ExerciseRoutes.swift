import KinemaHistory
import KinemaHTTP
import KinemaPhones
import KinemaMotion
import KinemaCounting
import Foundation
import Kinema
import KinemaCore
import NIOHTTP1

/// `/api/exercises`: lists exercises, teaches new ones from sessions, renames, copies, deletes, exports and imports them.
extension StudioRoutes {
    private struct Listed: Encodable {
        var name: String, title: String, origin: String
        /// The number of repetitions that a shown exercise is based on.
        var repetitions: Int?
        /// The session it was taught from; absent if imported.
        var session: UUID?
        /// What a shown exercise prescribes.
        var dose: ShownExercise.Dose?
    }

    private struct Wish: Decodable {
        var session: UUID
        /// The first and the last repetition to learn from, by number; all if absent.
        var repetitions: [Int]?
        var name: String
    }

    private struct Title: Decodable { var title: String }

    private struct Loop: Encodable {
        var duration: Double
        var frames: [[String: [Double]]]
    }

    func exercises(
        _ request: StudioRequest, _ segments: ArraySlice<Substring>, _ body: inout RequestBody, from caller: Caller
    ) async throws -> StudioResponse {
        guard let first = segments.first else {
            try request.allow(.GET, .HEAD, .POST)
            return request.method == .POST ? try await teach(&body) : try list(for: caller)
        }
        guard let name = first.removingPercentEncoding else { throw HTTPError.notFound }
        switch segments.dropFirst() {
        // An exercise may also be named "file".
        case [] where name == "file" && request.method == .POST:
            return try await importFile(&body)
        case []:
            try request.allow(.PUT, .DELETE)
            let exercise = try taught(name)
            guard request.method == .PUT else {
                shelf.delete(exercise.name)
                return StudioResponse(.noContent)
            }
            return try await rename(exercise, &body)
        case ["copy"]:
            try request.allow(.POST)
            return try copy(try taught(name))
        case ["file"]:
            try request.allow(.GET, .HEAD)
            guard let exercise = shelf.exercise(name) else { throw HTTPError.notFound }
            return StudioResponse(
                saved: "\(exercise.name).exercise.json", type: "application/json",
                body: .bytes(ExerciseFiles.bytes(exercise)))
        case ["figure"]:
            try request.allow(.GET, .HEAD)
            guard let figure = shelf.figure(name) else { throw HTTPError.notFound }
            let frames = figure.frames.map { frame in
                Dictionary(
                    uniqueKeysWithValues: frame.map { key, place in
                        (key.rawValue, [place.x, place.y, place.z].map { ($0 * 1000).rounded() / 1000 })
                    })
            }
            return .json(try JSONEncoder.ordered.encode(Loop(duration: figure.seconds, frames: frames)))
        default: throw HTTPError.notFound
        }
    }

    /// Of what they were taught from, phones hear that may see the history.
    private func list(for caller: Caller) throws -> StudioResponse {
        var rows = shelf.all.map(listed)
        if caller.phone?.mayReadHistory == false {
            for place in rows.indices { (rows[place].session, rows[place].dose) = (nil, nil) }
        }
        return .json(try JSONEncoder.ordered.encode(["exercises": rows]))
    }

    private func listed(_ exercise: Exercise) -> Listed {
        let given = ExerciseLibrary.all.contains(exercise) ? "built-in" : "given"
        let origin = shelf.isTaught(exercise.name) ? "taught" : given
        return Listed(
            name: exercise.name, title: exercise.title, origin: origin, repetitions: exercise.shown?.repetitions,
            session: shelf.origin(exercise.name)?.session, dose: exercise.shown?.dose)
    }

    private func taught(_ name: String) throws -> Exercise {
        guard let exercise = shelf.exercise(name), exercise.name == name else { throw HTTPError.notFound }
        guard shelf.isTaught(name) else {
            throw HTTPError.notPossible("This exercise was not taught here and cannot be changed.")
        }
        return exercise
    }

    private func rename(_ exercise: Exercise, _ body: inout RequestBody) async throws -> StudioResponse {
        let wish = try await body.json(Title.self, atMost: limits.jsonBytes, expected: #"{"title": "My squat"}"#)
        var renamed = exercise
        renamed.title = try checked(wish.title)
        return try keep(renamed, status: .ok)
    }

    /// The copy has the same owner as the exercise.
    private func copy(_ exercise: Exercise) throws -> StudioResponse {
        var copy = exercise
        (copy.name, copy.title) = shelf.free(like: exercise.title)
        return try add(copy, from: shelf.origin(exercise.name))
    }

    private func teach(_ body: inout RequestBody) async throws -> StudioResponse {
        let wish = try await body.json(
            Wish.self, atMost: limits.jsonBytes, expected: #"{"session": "ID", "name": "My squat"}"#)
        guard let store else { throw HTTPError.noHistory }
        let title = try checked(wish.name)
        let kept = try wish.repetitions.map { ends in
            guard ends.count == 2, ends[0] >= 1, ends[0] <= ends[1] else {
                throw HTTPError.invalid("repetitions must be the first and the last, such as [1, 3].")
            }
            return ends[0]...ends[1]
        }
        let exercise = try await trainings.withPermit(for: body.client) {
            try await Self.exercise(title, from: wish.session, store, kept: kept)
        }
        let person = try await store.person(of: wish.session)
        return try add(exercise, from: ExerciseFiles.Origin(session: wish.session, person: person))
    }

    private static func exercise(
        _ title: String, from session: UUID, _ store: HistoryStore, kept: ClosedRange<Int>?
    ) async throws -> Exercise {
        guard let packed = try await store.packedPoses(session) else {
            guard try await store.summary(session) != nil else { throw HTTPError.notFound }
            throw HTTPError.notPossible("The poses of this set were not kept.")
        }
        do {
            let shown = try await withTaskExecutorPreference(WorkQueue("teaching")) {
                try Self.demonstration(packed, file: session.uuidString, kept: kept)
            }
            return try Exercise(learnedFrom: [shown], name: ExerciseShelf.name(title), title: title)
        } catch let error as KinemaError where error.code == .unreadableInput {
            throw HTTPError.notPossible(error.message)
        }
    }

    /// The most prominent person of a kept set, to learn an exercise from; `kept` are the repetitions, by number.
    private static func demonstration(_ packed: Data, file: String, kept: ClosedRange<Int>?) throws -> Demonstration {
        let limits = PoseFileLimits()
        var reader = PoseLinesReader(
            try Gzip.unpack(Array(packed), limit: limits.bytes, file: file), limits, file: file)
        var selector = ProminentPersonSelector()
        var shown: Demonstration?
        while let frame = try reader.next() {
            try Task.checkCancellation()
            let ratio = (AspectRatio(width: frame.width, height: frame.height) ?? .usual).value
            if shown == nil { shown = Demonstration(aspectRatio: ratio, kept: kept) }
            shown?.append(selector.select(frame.poses, at: frame.time), at: frame.time)
        }
        guard var shown else { throw KinemaError(.unreadableInput, "nobody is visible in this set") }
        shown.finish()
        return shown
    }

    private func importFile(_ body: inout RequestBody) async throws -> StudioResponse {
        guard shelf.isOpen else { throw HTTPError.noHistory }
        let data = try await body.collect(atMost: limits.jsonBytes)
        do {
            let found = try ExerciseLibrary.read(data, file: "the file")
            guard found.count == 1 else {
                throw HTTPError.invalid("The file holds \(found.count) exercises; one is needed.")
            }
            var exercise = found[0]
            (exercise.name, exercise.title) = (ExerciseShelf.name(exercise.name), try checked(exercise.title))
            return try add(exercise)
        } catch let error as KinemaError {
            throw HTTPError.invalid("This is not an exercise: \(error.message).")
        }
    }

    private func add(_ exercise: Exercise, from origin: ExerciseFiles.Origin? = nil) throws -> StudioResponse {
        if let other = shelf.exercise(exercise.name) {
            throw HTTPError.notPossible("There is already an exercise called \(other.title).")
        }
        guard shelf.taught.count < limits.exercises else {
            throw HTTPError.notPossible("The studio keeps at most \(limits.exercises) exercises; delete one.")
        }
        return try keep(exercise, from: origin, status: .created)
    }

    private func keep(
        _ exercise: Exercise, from origin: ExerciseFiles.Origin? = nil, status: HTTPResponseStatus
    ) throws -> StudioResponse {
        do {
            try shelf.keep(exercise, from: origin)
        } catch {
            throw HTTPError.refused(error)
        }
        return .json(try JSONEncoder.ordered.encode(listed(exercise)), status: status)
    }

    /// A title without surrounding spaces; throws if it cannot be shown or is too long for a picture.
    private func checked(_ title: String) throws -> String {
        let title = title.trimmingCharacters(in: .whitespaces)
        guard SessionAnnotation.isLabel(title), title.contains(where: \.isLetter), title.lowercased() != "auto" else {
            throw HTTPError.invalid("A name must have 1 to 60 printable characters and a letter.")
        }
        return title
    }
}
