public import Foundation
public import KinemaCore

extension ExerciseLibrary {
    /// The exercises of ExerciseLibrary.json5, which has comments; a test reads it.
    static var builtIn: [Exercise] {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let file = try? decoder.decode(ExerciseFile.self, from: CountingData.exerciseLibrary)
        return file?.exercises ?? []
    }

    /// Reads exercises from a JSON file that holds one, or a list of them as `{"exercises": [...]}`.
    ///
    /// Throws `unreadableInput` with the path of the invalid key, such as `exercises[1].motion.rest`.
    public static func read(contentsOf url: URL) throws(KinemaError) -> [Exercise] {
        let bytes = try BoundedFile.read(
            url, limit: ExerciseLimits.bytes, remedy: "give a file of exercises", excess: "split it")
        return try read(Data(bytes), file: url.path)
    }

    /// Reads the exercises of several files, which together count as one; `file` names them in messages.
    package static func read(contentsOf files: [URL], named file: String) throws(KinemaError) -> [Exercise] {
        let most = ExerciseLimits.exercises
        func refusal(_ count: String) -> KinemaError {
            KinemaError(
                .unreadableInput, "holds \(count) exercises in .json files, 1 to \(most) are needed", file: file)
        }
        // Each file holds at least one.
        guard files.count <= most else { throw refusal("\(files.count) or more") }
        var exercises: [Exercise] = []
        for one in files {
            exercises += try read(contentsOf: one)
            guard exercises.count <= most else { throw refusal("more than \(most)") }
        }
        guard !exercises.isEmpty else { throw refusal("0") }
        if let twice = name(usedTwiceIn: exercises) {
            throw KinemaError(.unreadableInput, "two exercises are called \"\(twice)\"", file: file)
        }
        return exercises
    }

    /// The first exercise name that an earlier exercise already has.
    fileprivate static func name(usedTwiceIn exercises: [Exercise]) -> String? {
        exercises.indices.first { exercise(named: exercises[$0].name, in: Array(exercises[..<$0])) != nil }
            .map { exercises[$0].name }
    }

    /// The reason why an exercise cannot have a name; nil if it can.
    package static func problem(ofName name: String) -> String? {
        if let problem = problem(ofText: name) { return problem }
        let isName = name.contains(where: \.isLetter) && name.lowercased() != "auto"
        return isName ? nil : "an exercise cannot be called \"\(name)\""
    }

    /// The reason why a text cannot be shown as a name; nil if it can.
    package static func problem(ofText text: String) -> String? {
        if text.isEmpty { return "is empty" }
        // Four bytes a character suffice for every script, but not for a thousand combining marks.
        if text.count > ExerciseLimits.textLength || text.utf8.count > 4 * ExerciseLimits.textLength {
            return "is longer than \(ExerciseLimits.textLength) characters"
        }
        let isHidden = text.unicodeScalars.contains(where: PlainText.isHidden)
        return isHidden ? "contains a character that cannot be shown" : nil
    }

    /// The reason why JSON is not an exercise, with the path of the key.
    package static func message(_ error: DecodingError) -> String { ExerciseFile.message(error) }

    /// Reads exercises from JSON; `file` names it in messages.
    package static func read(_ data: Data, file: String) throws(KinemaError) -> [Exercise] {
        do {
            // This one reports where the JSON is invalid; the decoder does not.
            _ = try JSONSerialization.jsonObject(with: data)
        } catch {
            let place = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String
            throw KinemaError(
                .unreadableInput, "is not JSON" + (place.map { ": " + PlainText.prefix($0, bytes: 200) } ?? ""),
                file: file)
        }
        do {
            return try JSONDecoder().decode(ExerciseFile.self, from: data).exercises
        } catch {
            throw KinemaError(.unreadableInput, ExerciseFile.message(error), file: file)
        }
    }
}

/// A single exercise, or several under `exercises`.
private struct ExerciseFile: Decodable {
    enum CodingKeys: String, CodingKey, CaseIterable { case exercises }

    let exercises: [Exercise]

    init(from decoder: any Decoder) throws {
        guard try decoder.container(keyedBy: CodingKeys.self).contains(.exercises) else {
            exercises = [try Exercise(from: decoder)]
            return
        }
        let values = try decoder.object(CodingKeys.self)
        exercises = try values.list(.exercises, of: Exercise.self, atMost: ExerciseLimits.exercises) ?? []
        guard !exercises.isEmpty else { throw values.refusal(.exercises, "contains no exercise") }
        if let twice = ExerciseLibrary.name(usedTwiceIn: exercises) {
            throw values.refusal(.exercises, "two exercises are called \"\(twice)\"")
        }
    }

    /// The error message, with the path of the key.
    static func message(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        func told(_ context: DecodingError.Context, _ text: String) -> String {
            let path = context.codingPath.reduce("") { path, key in
                if let index = key.intValue { return path + "[\(index)]" }
                return path + (path.isEmpty ? "" : ".") + PlainText.prefix(key.stringValue, bytes: 40)
            }
            return path.isEmpty ? text : "\(path): \(text)"
        }
        switch error {
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            return told(context, "must be \(noun(type))")
        case .keyNotFound(let key, let context): return told(context, "has no \(key.stringValue)")
        case .dataCorrupted(let context):
            return told(context, context.debugDescription)
        @unknown default: return "\(error)"
        }
    }

    private static func noun(_ type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a text in quotes"
        case is Bool.Type: "true or false"
        case is Double.Type: "a number"
        case is any RangeReplaceableCollection.Type: "a list in brackets"
        default: "an object in braces"
        }
    }
}

extension KeyedDecodingContainer {
    func refusal(_ key: Key, _ word: String, known: [String]) -> DecodingError {
        refusal(key, "\"\(PlainText.prefix(word, bytes: 40))\" is unknown; use one of \(known.joined(separator: ", "))")
    }

    /// A number between two bounds; a default if absent.
    func number(_ key: Key, in bounds: ClosedRange<Double>, orElse usual: Double? = nil) throws -> Double {
        if let usual, !contains(key) { return usual }
        let value = try decode(Double.self, forKey: key)
        guard bounds.contains(value) else { throw refusal(key, "\(value) is not between \(Self.text(bounds))") }
        return value
    }

    /// A range written as [low, high]; nil if absent.
    func range(_ key: Key, within bounds: ClosedRange<Double>) throws -> ClosedRange<Double>? {
        guard contains(key) else { return nil }
        let ends = try decode([Double].self, forKey: key)
        guard ends.count == 2, ends[0] <= ends[1] else { throw refusal(key, "must be [low, high]") }
        guard bounds.contains(ends[0]), bounds.contains(ends[1]) else {
            throw refusal(key, "\(Self.text(ends[0]...ends[1])) is not between \(Self.text(bounds))")
        }
        return ends[0]...ends[1]
    }

    private static func text(_ range: ClosedRange<Double>) -> String {
        "\(range.lowerBound.formatted()) and \(range.upperBound.formatted())"
    }

    /// The values at rest and at the far end, which must differ.
    func way(_ rest: Key, _ full: Key) throws -> (rest: Double, full: Double) {
        let way = (rest: try number(rest, in: ExerciseLimits.values), full: try number(full, in: ExerciseLimits.values))
        // Degrees or torso lengths: smaller movements are invisible.
        guard abs(way.full - way.rest) >= 0.01 else { throw refusal(full, "is the same as \(rest.stringValue)") }
        return way
    }

    /// A tolerance; by default the usual error of joints.
    func tolerance(_ key: Key, in unit: Fault.Unit) throws -> Double {
        let usual = unit == .degrees ? 10 : unit == .seconds ? 0.2 : 0.15
        let value = try number(key, in: 0...ExerciseLimits.values.upperBound, orElse: usual)
        guard value > 0 else { throw refusal(key, "must be more than 0") }
        return value
    }

    func text(_ key: Key) throws -> String {
        let text = try decode(String.self, forKey: key)
        try check(text, key)
        return text
    }

    func check(_ text: String, _ key: Key) throws {
        if let problem = ExerciseLibrary.problem(ofText: text) { throw refusal(key, problem) }
    }

    /// A list of at most this many items; nil if the key is absent.
    func list<Value: Decodable>(_ key: Key, of type: Value.Type, atMost most: Int = ExerciseLimits.listLength) throws
        -> [Value]?
    {
        guard contains(key) else { return nil }
        var items = try nestedUnkeyedContainer(forKey: key)
        guard items.count ?? 0 <= most else { throw refusal(key, "has more than \(most) entries") }
        var list: [Value] = []
        while !items.isAtEnd { list.append(try items.decode(type)) }
        return list
    }

    /// A value by its name; a default if absent.
    func word<Value>(
        _ key: Key, among known: [Value], named name: KeyPath<Value, String>, orElse usual: Value? = nil
    ) throws -> Value {
        if let usual, !contains(key) { return usual }
        let word = try decode(String.self, forKey: key)
        guard let value = known.first(where: { $0[keyPath: name] == word }) else {
            throw refusal(key, word, known: known.map { $0[keyPath: name] })
        }
        return value
    }

    /// The statistic; the middle value by default.
    func statistic(_ key: Key) throws -> BodyTrait.Statistic {
        try word(key, among: BodyTrait.Statistic.allCases, named: \.rawValue, orElse: .middle)
    }

    /// The views from which something is visible; all by default.
    func views(_ key: Key) throws -> Set<BodyView> {
        guard let views = try list(key, of: String.self) else { return Set(BodyView.allCases) }
        return try Set(
            views.map { word in
                guard let view = BodyView(rawValue: word) else {
                    throw refusal(key, word, known: BodyView.allCases.map(\.rawValue))
                }
                return view
            })
    }
}
