@testable import KinemaCounting
import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

/// Exercises written as JSON and read back.
struct ExerciseFileTests {
    private func read(_ json: String) throws -> [Exercise] {
        try ExerciseLibrary.read(Data(json.utf8), file: "my.json")
    }

    private func message(_ json: String) -> String {
        do {
            return "read \(try read(json).map(\.name))"
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: ExerciseLibrary.all)
    func `every exercise of the library comes back as it was written`(exercise: Exercise) throws {
        let json = String(decoding: try JSONEncoder().encode(exercise), as: UTF8.self)
        #expect(try read(json) == [exercise])
    }

    @Test func `the whole library is a file within the limits`() throws {
        let json = try JSONEncoder().encode(["exercises": ExerciseLibrary.all])
        #expect(json.count < ExerciseLimits.bytes / 10)
        #expect(try ExerciseLibrary.read(json, file: "all.json") == ExerciseLibrary.all)
    }

    @Test func `what is left out has its usual value`() throws {
        let json = """
            {"name": "nod", "motion": {"measure": "trunk", "rest": 10, "full": 50},
             "faults": [{"code": "shallow", "measure": "trunk", "statistic": "high", "atLeast": 45, "phase": "far"},
                        {"code": "too_fast", "measure": "duration", "atLeast": 1}]}
            """
        let nod = try #require(try read(json).first)
        let motion = ExerciseMotion(measure: .trunk, rest: 10, full: 50, minimumSwing: 12, phases: .downFirst)
        #expect(nod.title == "nod" && nod.kind == .repetitions(motion) && nod.views == Set(BodyView.allCases))
        #expect(nod.traits == [BodyTrait(.trunk, .range, 12...80, tolerance: 3)])
        #expect(
            nod.faults == [
                FaultRule(
                    code: .shallow, joints: .trunk, phase: .far, quantity: .measure(.trunk, .high), expected: 45,
                    tolerance: 10, bound: .atLeast, views: Set(BodyView.allCases)),
                FaultRule(
                    code: .tooFast, joints: [], phase: .whole, quantity: .duration, expected: 1, tolerance: 0.2,
                    bound: .atLeast, views: Set(BodyView.allCases)),
            ])
        let hold = #"{"name": "wall sit", "hold": {}, "traits": [{"measure": "knee", "range": [80, 110]}]}"#
        #expect(try read(hold).first?.kind == .hold(minimum: 2))
    }

    @Test func `an exercise with nothing but a movement is counted`() throws {
        let exercise = try #require(
            try read(#"{"name": "bend", "motion": {"measure": "knee", "rest": 170, "full": 80}}"#).first)
        var workout = Workout()
        workout.figure.yaw = 1.2
        var coach = ExerciseCoach(exercise, aspectRatio: 16.0 / 9)
        for (time, pose) in workout.resting(1).repeating(.squat, [2, 2.2, 1.8]).resting(1).frames {
            coach.append(pose, at: time)
        }
        coach.finish()
        #expect(coach.count == 3)
    }

    private static let good = #""measure": "knee", "rest": 170, "full": 80"#

    @Test(arguments: [
        (#"{"name": "#, "my.json: is not JSON"),
        ("[]", "my.json: must be an object in braces"),
        (#"{"title": "x"}"#, "my.json: has no name"),
        (#"{"name": "auto", "hold": {}}"#, "my.json: name: an exercise cannot be called \"auto\""),
        (#"{"name": "a\u001bb", "hold": {}}"#, "my.json: name: contains a character that cannot be shown"),
        (#"{"name": "a", "hold": {}, "motion": {}}"#, "must have either motion (repetitions) or hold (a position)"),
        (#"{"name": "a", "moton": {}}"#, "has the key \"moton\", which is unknown; use one of name, title"),
        (
            #"{"name": "a", "motion": {"measure": "knie", "rest": 1, "full": 2}}"#,
            "motion.measure: \"knie\" is unknown; use one of knee, leftKnee"
        ),
        (#"{"name": "a", "motion": {"measure": "knee", "rest": "1", "full": 2}}"#, "motion.rest: must be a number"),
        (#"{"name": "a", "motion": {"measure": "knee", "rest": 9, "full": 9}}"#, "motion.full: is the same as rest"),
        (
            #"{"name": "a", "motion": {"measure": "knee", "rest": 9, "full": 2e9}}"#,
            "motion.full: 2000000000.0 is not between -1,000 and 1,000"
        ),
        ("{\"name\": \"a\", \"motion\": {\(good), \"duration\": [3, 1]}}", "motion.duration: must be [low, high]"),
        ("{\"name\": \"a\", \"motion\": {\(good), \"minimumSwing\": 99}}", "motion.minimumSwing: 99.0 is not between"),
        (
            "{\"name\": \"a\", \"motion\": {\(good), \"phases\": \"sideways\"}}",
            "motion.phases: must be downFirst, upFirst"
        ),
        (
            #"{"name": "a", "motion": {"measure": "trunk", "rest": 9, "full": 50, "isOneSided": true}}"#,
            "motion.isOneSided: trunk has no sides; knee, hip"
        ),
        (
            "{\"exercises\": [{\"name\": \"a\", \"motion\": {\(good)}}, {\"name\": \"A\", \"motion\": {\(good)}}]}",
            "exercises: two exercises are called \"A\""
        ),
        (#"{"exercises": []}"#, "exercises: contains no exercise"),
        (
            "{\"exercises\": [{\"name\": \"a\", \"motion\": {\(good)}, \"traits\": [{\"measure\": \"hip\"}]}]}",
            "exercises[0].traits[0]: has no range"
        ),
        (
            "{\"name\": \"a\", \"motion\": {\(good)}, \"faults\": [{\"code\": \"shallow\", \"measure\": \"knee\"}]}",
            "faults[0]: must have one of atLeast, atMost and exactly"
        ),
        (
            "{\"name\": \"a\", \"motion\": {\(good)}, \"faults\": [{\"code\": \"shallow\", \"measure\": \"knee\", "
                + "\"atMost\": 9, \"joints\": [\"knee\"]}]}", "faults[0].joints: \"knee\" is unknown; use one of nose"
        ),
    ])
    func `what is wrong is reported in one line with its place`(json: String, words: String) {
        let message = message(json)
        #expect(message.contains(words) && !message.contains("\n"), "\(message)")
    }

    @Test func `more than the limits is refused`() {
        let long = String(repeating: "x", count: ExerciseLimits.textLength + 1)
        let one = "e" + String(repeating: "\u{301}", count: 120)
        for name in [long, one] {
            #expect(message("{\"name\": \"\(name)\", \"hold\": {}}").contains("name: is longer than 60 characters"))
        }
        let plain = "{\"name\": \"a\", \"motion\": {\(Self.good)}}"
        let many = [String](repeating: plain, count: ExerciseLimits.exercises + 1).joined(separator: ",")
        #expect(message("{\"exercises\": [\(many)]}").contains("exercises: has more than 100"))
        let aliases = [String](repeating: "\"b\"", count: ExerciseLimits.listLength + 1).joined(separator: ",")
        #expect(message("{\"name\": \"a\", \"aliases\": [\(aliases)]}").contains("aliases: has more than 40"))
        let deep = String(repeating: "[", count: 100_000)
        #expect(message(deep).contains("is not JSON"))
        let large = String(repeating: "9", count: 5000)
        let cut = message("{\"name\": \"a\", \"hold\": {\"minimum\": \(large)}}")
        #expect(cut.utf8.count < 400, "\(cut)")
    }

    /// The last file is absent: it is not read.
    @Test func `files of more exercises than the limit are not all read`() throws {
        let folder = try TemporaryFolder()
        let names = (0..<ExerciseLimits.exercises).map { "{\"name\": \"e\($0)\", \"motion\": {\(Self.good)}}" }
        try Data("{\"exercises\": [\(names.joined(separator: ","))]}".utf8).write(to: folder.file("a.json"))
        try Data("{\"name\": \"a\", \"motion\": {\(Self.good)}}".utf8).write(to: folder.file("b.json"))
        let absent = folder.file("c.json")
        for (files, words) in [
            ([folder.file("a.json"), folder.file("b.json"), absent], "holds more than 100 exercises"),
            ([URL](repeating: absent, count: 101), "holds 101 or more exercises"),
        ] {
            let error = #expect(throws: KinemaError.self) {
                _ = try ExerciseLibrary.read(contentsOf: files, named: "all")
            }
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
    }
}
