/// The built-in exercises, and the reader of your own.
public enum ExerciseLibrary {
    /// Every exercise, in the order they are listed.
    public static let all: [Exercise] = [
        .squat, .lunge, .deadlift, .pushUp, .benchPress, .shoulderPress, .pullUp, .sitUp, .bicepCurl, .frontRaise,
        .lateralRaise, .jumpingJack, .burpee, .plank,
    ]

    /// The exercise with a name, in any spelling: "push_up", "push-up", "Push up", "pushup"; nil if there is none.
    public static func exercise(named name: String) -> Exercise? { exercise(named: name, in: all) }

    package static func exercise(named name: String, in exercises: [Exercise]) -> Exercise? {
        let wanted = plain(name)
        return exercises.first { ([$0.name] + $0.aliases).map(plain).contains(wanted) }
    }

    private static func plain(_ name: String) -> String {
        let letters = name.lowercased().filter(\.isLetter)
        // One or many make no difference: squats, curls.
        return letters.hasSuffix("s") && !letters.hasSuffix("ss") ? String(letters.dropLast()) : letters
    }
}

extension Exercise {
    /// Down until the thighs lie about level, and up.
    package static let squat = Exercise(
        name: "squat", title: "Squat", aliases: ["back squat", "front squat", "air squat", "goblet squat"],
        kind: .repetitions(
            ExerciseMotion(
                measure: .knee, rest: 170, full: 80, minimumSwing: 27, duration: 0.3...12, phases: .downFirst)),
        traits: [
            BodyTrait(.knee, .range, 35...130, tolerance: 10),
            BodyTrait(.trunk, .middle, 0...45, tolerance: 12),
            BodyTrait(.trunk, .range, 0...40, tolerance: 15),
            BodyTrait(.hipRise, .range, 0.3...2, tolerance: 0.12),
            BodyTrait(.chestUp, .middle, -0.7...0.25, tolerance: 0.2),
            BodyTrait(.hipSplit, .high, 0...38, tolerance: 20),
            BodyTrait(.stride, .middle, 0...0.45, tolerance: 0.15),
            BodyTrait(.shoulderRise, .range, 0.3...2.2, tolerance: 0.2),
        ],
        faults: [
            .atMost(
                80, tolerance: 15, .measure(.knee, .low), in: .far, else: .shallow, joints: .knees, views: [.side],
                plane: .sagittal),
            // With level thighs, the hips are 0.75 to 0.95 trunk lengths above the ankles; the knee angle shows it
            // less.
            .atMost(
                0.95, tolerance: 0.15, .measure(.hipHeight, .low), in: .far, else: .shallow, joints: .knees,
                views: [.front, .diagonal]),
            .atLeast(
                0.97, tolerance: 0.14, .measure(.kneeGap, .middle), in: .far, else: .kneesIn, joints: .knees,
                views: [.front, .diagonal]),
            .atMost(
                40, tolerance: 20, .measure(.trunk, .high), in: .far, else: .leaning,
                joints: .trunk, views: [.side]),
            .atMost(
                0, tolerance: 20, .sideDifference(.knee), in: .far, else: .uneven, joints: .knees,
                views: [.front, .diagonal]),
            .atLeast(
                165, tolerance: 20, .measure(.knee, .high), in: .rest, else: .notLockedOut, joints: .knees,
                plane: .sagittal),
            // Eight even squats of a studio recording take 0.96 to 1.08 s each.
            .atLeast(1, tolerance: 0.2, .duration, in: .whole, else: .tooFast),
        ])

    /// One foot ahead, down until both knees are bent square, and back.
    package static let lunge = Exercise(
        name: "lunge", title: "Lunge", aliases: ["split squat", "walking lunge", "reverse lunge"],
        kind: .repetitions(
            ExerciseMotion(
                measure: .knee, isOneSided: true, rest: 165, full: 90, minimumSwing: 35, duration: 0.25...12,
                phases: .downFirst)),
        traits: [
            BodyTrait(.knee, .range, 30...130, tolerance: 12),
            BodyTrait(.trunk, .middle, 0...35, tolerance: 12),
            BodyTrait(.hipRise, .range, 0.2...2, tolerance: 0.12),
            BodyTrait(.chestUp, .middle, -0.6...0.25, tolerance: 0.2),
            BodyTrait(.stride, .high, 0.8...3, tolerance: 0.2),
            BodyTrait(.hipSplit, .high, 35...130, tolerance: 12),
            BodyTrait(.handHeight, .middle, -1.3...0.4, tolerance: 0.3),
        ],
        faults: [
            .atMost(
                90, tolerance: 15, .measure(.knee, .low), in: .far, else: .shallow, joints: .knees, plane: .sagittal),
            .atMost(
                20, tolerance: 15, .measure(.trunk, .high), in: .far, else: .leaning,
                joints: .trunk, views: [.side]),
            .atLeast(1.2, tolerance: 0.2, .duration, in: .whole, else: .tooFast),
        ])

    /// A bar from the floor up to the hips, and down.
    package static let deadlift = Exercise(
        name: "deadlift", title: "Deadlift", aliases: ["romanian deadlift", "good morning", "hip hinge"],
        views: [.side, .diagonal],
        kind: .repetitions(
            ExerciseMotion(
                measure: .hip, startsEitherWay: true, rest: 165, full: 70, minimumSwing: 35, duration: 0.25...15,
                phases: .downFirst)),
        traits: [
            BodyTrait(.trunk, .high, 45...100, tolerance: 10),
            BodyTrait(.trunk, .range, 32...100, tolerance: 10),
            BodyTrait(.handHeight, .high, -1.4 ... -0.65, tolerance: 0.12),
            BodyTrait(.hipRise, .range, 0.05...0.65, tolerance: 0.12),
            BodyTrait(.knee, .range, 5...100, tolerance: 10),
            BodyTrait(.shoulderRise, .range, 0.4...1.4, tolerance: 0.2),
            BodyTrait(.elbow, .middle, 135...180, tolerance: 12),
        ],
        faults: [
            .atLeast(
                165, tolerance: 20, .measure(.hip, .high), in: .rest, else: .notLockedOut, joints: .hips,
                plane: .sagittal),
            .atLeast(
                150, tolerance: 25, .measure(.elbow, .middle), in: .whole, else: .armsBent, joints: .elbows,
                plane: .sagittal),
            .atLeast(1.2, tolerance: 0.2, .duration, in: .whole, else: .tooFast),
        ])

    /// From stretched arms down to the chest near the floor, and up.
    package static let pushUp = Exercise(
        name: "push_up", title: "Push-up", aliases: ["press up", "incline push up", "knee push up"],
        kind: .repetitions(
            ExerciseMotion(
                measure: .elbow, guides: [.init(measure: .handHeight, rest: -0.95, full: -0.3)], rest: 160, full: 80,
                minimumSwing: 22, duration: 0.25...12, phases: .downFirst)),
        traits: [
            BodyTrait(.elbow, .range, 28...150, tolerance: 9),
            BodyTrait(.trunk, .middle, 40...110, tolerance: 12),
            BodyTrait(.chestUp, .middle, -1 ... -0.55, tolerance: 0.15),
            BodyTrait(.shoulderRise, .range, 0.25...1.6, tolerance: 0.1),
            BodyTrait(.handHeight, .middle, -1.3 ... -0.3, tolerance: 0.15),
            BodyTrait(.hip, .range, 0...50, tolerance: 15),
            BodyTrait(.handRise, .range, 0...0.5, tolerance: 0.3),
        ],
        faults: [
            // Tolerances from 70 push-up clips labelled right: in the picture their elbows bend to less than 92 degrees
            // and stretch to more than 130, and their hips hang by less than 8.
            .atMost(
                75, tolerance: 17, .measure(.elbow, .low), in: .far, else: .shallow, joints: .elbows, plane: .sagittal),
            .atLeast(
                165, tolerance: 35, .measure(.elbow, .high), in: .rest, else: .notLockedOut, joints: .elbows,
                plane: .sagittal),
            .atMost(
                180, tolerance: 8, .measure(.bodyLine, .middle), in: .whole, else: .hipsSagging,
                joints: .hips, views: [.side, .diagonal], plane: .sagittal),
            .atLeast(
                170, tolerance: 22, .measure(.bodyLine, .middle), in: .whole, else: .hipsHigh, joints: .hips,
                views: [.side, .diagonal], plane: .sagittal),
            .atMost(
                0, tolerance: 30, .sideDifference(.elbow), in: .far, else: .uneven, joints: .elbows,
                views: [.front]),
            // Sixteen push-ups labelled right take 0.41 to 0.47 s each.
            .atLeast(0.6, tolerance: 0.2, .duration, in: .whole, else: .tooFast),
        ])

    /// Lying on the back, a bar from stretched arms down to the chest, and up.
    package static let benchPress = Exercise(
        name: "bench_press", title: "Bench press", aliases: ["chest press", "dumbbell bench press", "floor press"],
        kind: .repetitions(
            ExerciseMotion(
                measure: .handHeight, rest: 1, full: 0.25, minimumSwing: 0.3, duration: 0.25...12, phases: .downFirst)),
        traits: [
            BodyTrait(.chestUp, .middle, 0.45...1, tolerance: 0.2),
            BodyTrait(.trunk, .middle, 45...120, tolerance: 12),
            BodyTrait(.trunk, .range, 0...25, tolerance: 10),
            BodyTrait(.handHeight, .range, 0.3...1.5, tolerance: 0.12),
            BodyTrait(.shoulderRise, .range, 0...0.35, tolerance: 0.15),
            BodyTrait(.arm, .range, 15...130, tolerance: 10),
        ],
        faults: [
            .atMost(0.3, tolerance: 0.2, .measure(.handHeight, .low), in: .far, else: .shallow, joints: .wrists),
            .atLeast(
                160, tolerance: 25, .measure(.elbow, .high), in: .rest, else: .notLockedOut, joints: .elbows,
                plane: .sagittal),
            .atMost(0, tolerance: 30, .sideDifference(.elbow), in: .rest, else: .uneven, joints: .elbows),
            .atLeast(0.9, tolerance: 0.2, .duration, in: .whole, else: .tooFast),
        ])

    /// Hanging from a bar, up until the chin is at the hands, and down.
    package static let pullUp = Exercise(
        name: "pull_up", title: "Pull-up", aliases: ["chin up"],
        kind: .repetitions(
            ExerciseMotion(
                measure: .elbow, rest: 155, full: 65, minimumSwing: 28, duration: 0.5...12, phases: .upFirst)),
        traits: [
            BodyTrait(.handHeight, .low, 0.0...1, tolerance: 0.15),
            BodyTrait(.handHeight, .range, 0.25...1.2, tolerance: 0.12),
            BodyTrait(.handRise, .range, 0...0.35, tolerance: 0.15),
            BodyTrait(.shoulderRise, .range, 0.35...1.6, tolerance: 0.12),
            BodyTrait(.trunk, .middle, 0...35, tolerance: 12),
            BodyTrait(.elbow, .range, 25...150, tolerance: 8),
        ],
        faults: [
            .atMost(
                70, tolerance: 25, .measure(.elbow, .low), in: .far, else: .shallow, joints: .elbows, plane: .frontal),
            .atLeast(
                155, tolerance: 22, .measure(.elbow, .high), in: .rest, else: .notLockedOut, joints: .elbows,
                plane: .frontal),
            .atMost(15, tolerance: 20, .measure(.trunk, .range), in: .whole, else: .swinging, joints: .hips),
            .atMost(0, tolerance: 30, .sideDifference(.elbow), in: .far, else: .uneven, joints: .elbows),
        ])

    /// Weights from the shoulders up to stretched arms overhead, and down.
    package static let shoulderPress = Exercise(
        name: "shoulder_press", title: "Shoulder press",
        aliases: ["overhead press", "military press", "dumbbell press"],
        kind: .repetitions(
            ExerciseMotion(
                measure: .handHeight, rest: 0.05, full: 0.95, minimumSwing: 0.35, duration: 0.25...12, phases: .upFirst)
        ),
        traits: [
            BodyTrait(.handHeight, .high, 0.6...1.4, tolerance: 0.15),
            BodyTrait(.handHeight, .low, -0.4...0.45, tolerance: 0.15),
            BodyTrait(.elbow, .range, 35...150, tolerance: 10),
            BodyTrait(.trunk, .middle, 0...35, tolerance: 12),
            BodyTrait(.knee, .range, 0...30, tolerance: 10),
            BodyTrait(.hipRise, .range, 0...0.25, tolerance: 0.1),
            BodyTrait(.legSpread, .range, 0...16, tolerance: 8),
        ],
        faults: [
            .atLeast(
                155, tolerance: 20, .measure(.elbow, .high), in: .far, else: .notLockedOut, joints: .elbows,
                plane: .frontal),
            .atMost(0.1, tolerance: 0.25, .measure(.handHeight, .low), in: .rest, else: .shallow, joints: .wrists),
            .atMost(0, tolerance: 25, .sideDifference(.arm), in: .far, else: .uneven, joints: .wrists),
            .atMost(10, tolerance: 15, .measure(.trunk, .range), in: .whole, else: .swinging, joints: .shoulders),
            .atLeast(0.9, tolerance: 0.2, .duration, in: .whole, else: .tooFast),
        ])

    /// The forearms up to the shoulders and down; both at once or in turn.
    package static let bicepCurl = Exercise(
        name: "bicep_curl", title: "Biceps curl", aliases: ["biceps curl", "curl", "hammer curl", "dumbbell curl"],
        kind: .repetitions(
            ExerciseMotion(
                measure: .elbow, isOneSided: true, rest: 155, full: 50, minimumSwing: 40, duration: 0.25...12,
                phases: .upFirst)),
        traits: [
            BodyTrait(.elbow, .range, 35...150, tolerance: 10),
            BodyTrait(.arm, .high, 0...50, tolerance: 12),
            BodyTrait(.handHeight, .high, -0.7...0.25, tolerance: 0.15),
            BodyTrait(.handHeight, .low, -1.3 ... -0.65, tolerance: 0.15),
            BodyTrait(.trunk, .middle, 0...30, tolerance: 12),
            BodyTrait(.knee, .range, 0...25, tolerance: 10),
            BodyTrait(.shoulderRise, .range, 0...0.3, tolerance: 0.12),
        ],
        faults: [
            .atMost(
                55, tolerance: 25, .measure(.elbow, .low), in: .far, else: .shallow, joints: .elbows, plane: .sagittal),
            .atLeast(
                155, tolerance: 20, .measure(.elbow, .high), in: .rest, else: .notLockedOut, joints: .elbows,
                plane: .sagittal),
            .atMost(5, tolerance: 10, .measure(.trunk, .range), in: .whole, else: .swinging, joints: .shoulders),
            .atMost(
                25, tolerance: 20, .measure(.arm, .high), in: .whole, else: .elbowsDrifting, joints: .elbows,
                plane: .sagittal),
            .atLeast(1, tolerance: 0.2, .duration, in: .whole, else: .tooFast),
        ])

    /// Stretched arms ahead to shoulder height, and down; both at once or in turn.
    package static let frontRaise = Exercise(
        name: "front_raise", title: "Front raise",
        kind: .repetitions(
            ExerciseMotion(
                measure: .arm, isOneSided: true, rest: 12, full: 90, minimumSwing: 32, duration: 0.25...12,
                phases: .upFirst)),
        traits: [
            BodyTrait(.arm, .high, 60...125, tolerance: 12),
            BodyTrait(.elbow, .middle, 130...180, tolerance: 12),
            BodyTrait(.armForward, .high, 0.75...1, tolerance: 0.12),
            BodyTrait(.armSideways, .high, -1...0.5, tolerance: 0.15),
            BodyTrait(.handHeight, .low, -1.3 ... -0.6, tolerance: 0.15),
            BodyTrait(.handHeight, .high, -0.4...0.5, tolerance: 0.2),
            BodyTrait(.trunk, .middle, 0...30, tolerance: 12),
            BodyTrait(.knee, .range, 0...25, tolerance: 10),
        ],
        faults: raiseFaults(plane: .sagittal))

    /// The faults of raises to the front and to the side.
    static func raiseFaults(plane: FaultRule.Plane) -> [FaultRule] {
        [
            .atLeast(85, tolerance: 15, .measure(.arm, .high), in: .far, else: .shallow, joints: .wrists, plane: plane),
            .atLeast(
                155, tolerance: 25, .measure(.elbow, .middle), in: .far, else: .armsBent, joints: .elbows, plane: plane),
            .atMost(0, tolerance: 22, .sideDifference(.arm), in: .far, else: .uneven, joints: .wrists),
            .atMost(5, tolerance: 10, .measure(.trunk, .range), in: .whole, else: .swinging, joints: .shoulders),
            .atLeast(1, tolerance: 0.2, .duration, in: .whole, else: .tooFast),
        ]
    }

    /// Stretched arms sideways to shoulder height, and down.
    package static let lateralRaise = Exercise(
        name: "lateral_raise", title: "Lateral raise", aliases: ["side raise"], views: [.front, .diagonal],
        kind: .repetitions(
            ExerciseMotion(
                measure: .arm, isOneSided: true, rest: 12, full: 90, minimumSwing: 32, duration: 0.25...12,
                phases: .upFirst)),
        traits: [
            BodyTrait(.arm, .high, 60...125, tolerance: 12),
            BodyTrait(.elbow, .middle, 130...180, tolerance: 12),
            BodyTrait(.armSideways, .high, 0.75...1, tolerance: 0.12),
            BodyTrait(.armForward, .high, -1...0.5, tolerance: 0.15),
            BodyTrait(.handHeight, .low, -1.3 ... -0.6, tolerance: 0.15),
            BodyTrait(.handHeight, .high, -0.4...0.5, tolerance: 0.2),
            BodyTrait(.trunk, .middle, 0...30, tolerance: 12),
            BodyTrait(.knee, .range, 0...25, tolerance: 10),
            BodyTrait(.legSpread, .range, 0...14, tolerance: 6),
        ],
        faults: raiseFaults(plane: .frontal))

    /// Lying on the back, the trunk up to the knees, and down.
    package static let sitUp = Exercise(
        name: "sit_up", title: "Sit-up", aliases: ["crunch"], views: [.side, .diagonal],
        kind: .repetitions(
            ExerciseMotion(measure: .trunk, rest: 90, full: 25, minimumSwing: 20, duration: 0.5...12, phases: .upFirst)),
        traits: [
            BodyTrait(.trunk, .high, 65...120, tolerance: 12),
            BodyTrait(.trunk, .range, 22...120, tolerance: 8),
            BodyTrait(.chestUp, .high, 0.6...1, tolerance: 0.2),
            BodyTrait(.hipRise, .range, 0...0.4, tolerance: 0.15),
            // A person who bends over while standing shows the same angles.
            BodyTrait(.hipHeight, .middle, -0.5...0.6, tolerance: 0.2),
            BodyTrait(.ankleRise, .range, 0...0.4, tolerance: 0.15),
            BodyTrait(.shoulderRise, .range, 0.25...1.5, tolerance: 0.15),
        ],
        faults: [
            .atMost(30, tolerance: 20, .measure(.trunk, .low), in: .far, else: .shallow, joints: .trunk),
            .atLeast(1, tolerance: 0.2, .duration, in: .whole, else: .tooFast),
        ])

    /// Arms overhead and legs apart in one hop, and back.
    package static let jumpingJack = Exercise(
        name: "jumping_jack", title: "Jumping jack", aliases: ["star jump", "jack"], views: [.front, .diagonal],
        kind: .repetitions(
            ExerciseMotion(
                measure: .arm, rest: 20, full: 150, minimumSwing: 50, duration: 0.25...5, phases: .upFirst)),
        traits: [
            BodyTrait(.arm, .range, 60...180, tolerance: 15),
            BodyTrait(.handHeight, .high, 0.3...1.4, tolerance: 0.2),
            BodyTrait(.handHeight, .low, -1.4 ... -0.4, tolerance: 0.2),
            BodyTrait(.legSpread, .range, 20...90, tolerance: 6),
            BodyTrait(.trunk, .middle, 0...25, tolerance: 12),
            BodyTrait(.shoulderRise, .range, 0...1, tolerance: 0.3),
        ],
        faults: [
            .atLeast(
                145, tolerance: 20, .measure(.arm, .high), in: .far, else: .shallow, joints: .wrists, plane: .frontal),
            .atLeast(35, tolerance: 12, .measure(.legSpread, .high), in: .far, else: .legsNarrow, joints: .ankles),
            .atMost(0, tolerance: 25, .sideDifference(.arm), in: .far, else: .uneven, joints: .wrists, plane: .frontal),
        ])

    /// From standing down to the floor into a push-up position, and up again, mostly with a jump.
    package static let burpee = Exercise(
        name: "burpee", title: "Burpee",
        kind: .repetitions(
            ExerciseMotion(
                measure: .trunk, rest: 10, full: 75, minimumSwing: 35, duration: 1...15, phases: .downFirst)),
        traits: [
            BodyTrait(.trunk, .range, 45...130, tolerance: 12),
            BodyTrait(.chestUp, .low, -1 ... -0.7, tolerance: 0.15),
            BodyTrait(.shoulderRise, .range, 1.3...4, tolerance: 0.25),
            BodyTrait(.hipRise, .range, 0.8...4, tolerance: 0.2),
            BodyTrait(.handRise, .range, 1...6, tolerance: 0.3),
            BodyTrait(.knee, .range, 40...150, tolerance: 12),
        ],
        faults: [
            .atLeast(75, tolerance: 20, .measure(.trunk, .high), in: .far, else: .shallow, joints: .hips),
            .atMost(10, tolerance: 20, .measure(.trunk, .low), in: .rest, else: .notLockedOut, joints: .hips),
        ])

    /// Face down on the forearms or hands and the toes, straight as a board, for as long as it lasts.
    package static let plank = Exercise(
        name: "plank", title: "Plank", aliases: ["forearm plank"],
        kind: .hold(minimum: 2),
        traits: [
            BodyTrait(.trunk, .middle, 60...110, tolerance: 10),
            BodyTrait(.chestUp, .middle, -1 ... -0.6, tolerance: 0.15),
            BodyTrait(.knee, .middle, 140...180, tolerance: 12),
            BodyTrait(.bodyLine, .middle, 140...215, tolerance: 12),
            BodyTrait(.shoulderRise, .range, 0...0.08, tolerance: 0.05),
            BodyTrait(.elbow, .range, 0...12, tolerance: 8),
        ],
        faults: [
            .atMost(
                180, tolerance: 15, .measure(.bodyLine, .middle), in: .whole, else: .hipsSagging,
                joints: .hips, views: [.side, .diagonal], plane: .sagittal),
            .atLeast(
                170, tolerance: 18, .measure(.bodyLine, .middle), in: .whole, else: .hipsHigh, joints: .hips,
                views: [.side, .diagonal], plane: .sagittal),
        ])
}
