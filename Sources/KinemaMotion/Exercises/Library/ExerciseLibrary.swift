/// The exercises Kinema knows; each is one file beside this one.
public enum ExerciseLibrary {
    /// Every exercise, in the order they are listed.
    public static let all: [Exercise] = [
        .squat, .lunge, .deadlift, .pushUp, .benchPress, .shoulderPress, .pullUp, .sitUp, .bicepCurl, .frontRaise,
        .lateralRaise, .jumpingJack, .burpee, .plank,
    ]

    /// The exercise of a name, however it is spelled: "push_up", "push-up", "Push up", "pushup"; nil when there is none.
    public static func exercise(named name: String) -> Exercise? {
        let wanted = plain(name)
        return all.first { ([$0.name] + $0.aliases).map(plain).contains(wanted) }
    }

    private static func plain(_ name: String) -> String {
        let letters = name.lowercased().filter(\.isLetter)
        // One or many make no difference: squats, curls.
        return letters.hasSuffix("s") && !letters.hasSuffix("ss") ? String(letters.dropLast()) : letters
    }
}
