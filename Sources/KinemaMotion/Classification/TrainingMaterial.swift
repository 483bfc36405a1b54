import KinemaCore

/// The training data: the windows of all clips, and the groups that are held out together.
struct TrainingMaterial: Sendable {
    struct Window: Sendable {
        var window: MotionWindow
        var clip: Int
    }

    let windows: [Window]
    let classes: [String]
    let clipLabels: [Int]
    /// The group of each clip: a person, or the clip alone.
    let clipGroups: [Int]
    let groupCount: Int
    /// The positions that replace joints that were not seen.
    let meanPositions: [SIMD2<Float>]
    /// The only group that is held out; nil if every one is, in turn.
    let heldOutGroup: Int?

    init(_ examples: [ActionTrainer.Example], windows: [Window], _ trainer: ActionTrainer) {
        self.windows = windows
        let classes = Set(examples.map(\.label)).sorted()
        self.classes = classes
        clipLabels = examples.map { classes.firstIndex(of: $0.label) ?? 0 }
        let people = examples.enumerated().map { $1.person.map { "person \($0)" } ?? "clip \($0)" }
        let numbers = Dictionary(uniqueKeysWithValues: Set(people).sorted().enumerated().map { ($1, $0) })
        let groups = people.map { numbers[$0] ?? 0 }
        groupCount = numbers.count
        let subject = examples.first?.sequence.subject ?? .body
        meanPositions = MotionWindow.meanPositions(in: windows.map(\.window), of: subject)
        guard case .split(let share) = trainer.validation else {
            (clipGroups, heldOutGroup) = (groups, nil)
            return
        }
        let apart = Self.split(groups, labels: clipLabels, share: share, seed: trainer.randomSeed)
        // The held-out groups become one group, which no fit of the validation sees.
        clipGroups = groups.map { apart.contains($0) ? numbers.count : $0 }
        heldOutGroup = numbers.count
    }

    /// Groups with about a share of the clips of each class; at least one group, and never all of a class.
    private static func split(_ groups: [Int], labels: [Int], share: Double, seed: Int) -> Set<Int> {
        var random = RandomSource(seed, item: -4)
        var apart: Set<Int> = []
        for label in Set(labels).sorted() {
            let clips = labels.indices.filter { labels[$0] == label }
            let own = Set(clips.map { groups[$0] }).sorted()
            let wanted = max(1, Int((share * Double(clips.count)).rounded()))
            func taken() -> Int { clips.count { apart.contains(groups[$0]) } }
            for place in random.choice(own.count, of: own.count) where taken() < wanted {
                // Every class keeps a group to train on.
                let isLast = labels.indices.contains { clip in
                    groups[clip] == own[place]
                        && !labels.indices.contains {
                            labels[$0] == labels[clip] && groups[$0] != own[place] && !apart.contains(groups[$0])
                        }
                }
                if !isLast { apart.insert(own[place]) }
            }
        }
        return apart
    }
}

extension RidgeTraining {
    /// Fits to the features of windows, holding out each group; with `clipsAlike` every clip has equal weight.
    func fit(
        _ features: [[Float]], _ material: TrainingMaterial, _ windows: [TrainingMaterial.Window],
        clipsAlike: Bool = false
    ) -> Outcome? {
        fit(
            features, labels: windows.map { material.clipLabels[$0.clip] },
            groups: windows.map { material.clipGroups[$0.clip] }, classes: material.classes.count,
            heldOutGroup: material.heldOutGroup, clips: clipsAlike ? windows.map(\.clip) : nil)
    }
}
