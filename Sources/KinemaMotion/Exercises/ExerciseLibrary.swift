/// The built-in exercises, and the reader for your own.
public enum ExerciseLibrary {
    /// Every built-in exercise, in the order listed, from a file in the same format as your own.
    public static let all: [Exercise] = builtIn

    /// The exercise with a name, in any spelling: "push_up", "push-up", "Push up", "pushup"; nil if there is none.
    public static func exercise(named name: String) -> Exercise? { exercise(named: name, in: all) }

    package static func exercise(named name: String, in exercises: [Exercise]) -> Exercise? {
        let wanted = plain(name)
        return exercises.first { ([$0.name] + $0.aliases).map(plain).contains(wanted) }
    }

    private static func plain(_ name: String) -> String {
        let letters = name.lowercased().filter { $0.isLetter || $0.isNumber }
        // Singular and plural are equivalent: squats, curls.
        return letters.hasSuffix("s") && !letters.hasSuffix("ss") ? String(letters.dropLast()) : letters
    }
}
