import KinemaMotion
import Foundation
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

/// Data augmentation: varies a window as another body, camera or tempo would.
struct Augmentation: Sendable {
    /// The standard deviation of rotation in the picture, in degrees: a tilted camera or a leaning body.
    private let rotation: Float
    /// The standard deviation of the logarithm of width and height scales: limb lengths, camera height.
    private let scale: Float
    /// The largest change of tempo, as a logarithm.
    private let tempo: Float
    private let dropped: Float, droppedFrames: Float
    /// The standard deviation of a joint's position in a frame, in torso lengths.
    private let jitter: Float

    init(_ options: AugmentationOptions) {
        rotation = options.contains(.rotate) ? 8 : 0
        scale = options.contains(.scale) ? 0.1 : 0
        tempo = options.contains(.interpolateFrames) ? 0.15 : 0
        dropped = options.contains(.dropJoints) ? 0.03 : 0
        droppedFrames = options.contains(.dropFrames) ? 0.1 : 0
        jitter = options.contains(.jitter) ? 0.02 : 0
    }

    func augmented(_ window: MotionWindow, mirrored: Bool, _ random: inout RandomSource) -> MotionWindow {
        var result = window
        let angle = random.normal(deviation: rotation) * .pi / 180
        let (sine, cosine) = (sin(angle), cos(angle))
        let width = exp(random.normal(deviation: scale)) * (mirrored ? -1 : 1)
        let height = exp(random.normal(deviation: scale))
        let (start, step) = tempoChange(window.length, &random)
        let partners = window.subject.mirrored
        for joint in 0..<partners.count {
            let isDropped = random.chance(dropped) && joint != window.subject.centre
            for frame in 0..<window.length {
                let time = start + Float(frame) * step
                let before = min(Int(time), max(window.length - 2, 0))
                let share = min(1, time - Float(before))
                let source = mirrored ? partners[joint] : joint
                let (low, high) = (window[before, source], window[min(before + 1, window.length - 1), source])
                let position = (low + (high - low) * share) * SIMD2(width, height)
                result[frame, joint] =
                    isDropped
                    ? SIMD2(.nan, .nan)
                    : SIMD2(position.x * cosine - position.y * sine, position.x * sine + position.y * cosine)
            }
        }
        if droppedFrames > 0 { dropFrames(of: &result, &random) }
        if jitter > 0 { shake(&result, &random) }
        return result
    }

    /// Drops frames, but neither the first nor the last, and fills in between the frames before and after.
    private func dropFrames(of window: inout MotionWindow, _ random: inout RandomSource) {
        let kept = (0..<window.length).filter { frame in
            frame == 0 || frame == window.length - 1 || !random.chance(droppedFrames)
        }
        let original = window
        for (before, after) in zip(kept, kept.dropFirst()) {
            for frame in before + 1..<after {
                let share = Float(frame - before) / Float(after - before)
                for joint in 0..<window.subject.joints.count {
                    let (low, high) = (original[before, joint], original[after, joint])
                    window[frame, joint] = low + (high - low) * share
                }
            }
        }
    }

    private func shake(_ window: inout MotionWindow, _ random: inout RandomSource) {
        for frame in 0..<window.length {
            for joint in 0..<window.subject.joints.count {
                let shift = SIMD2(random.normal(deviation: jitter), random.normal(deviation: jitter))
                window[frame, joint] += shift
            }
        }
    }

    /// The start in the window and the step per frame; half of the tempo changes stretch only a part of the window.
    private func tempoChange(_ length: Int, _ random: inout RandomSource) -> (start: Float, step: Float) {
        let step = min(1, exp(random.between(-tempo, tempo)))
        let slack = Float(length - 1) * (1 - step)
        return (random.between(0, slack), step)
    }
}

/// The variations of each window's augmented copy, named like Create ML's options where it has them.
public struct AugmentationOptions: OptionSet, Hashable, Sendable {
    /// The options as bits.
    public let rawValue: Int

    /// Creates options from bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Swaps left and right in every second copy.
    public static let horizontalFlip = AugmentationOptions(rawValue: 1 << 0)
    /// Rotates in the image plane, with a standard deviation of 8 degrees: a tilted camera or a leaning body.
    public static let rotate = AugmentationOptions(rawValue: 1 << 1)
    /// Scales width and height, each with a standard deviation of 10 %: limb lengths, camera height.
    public static let scale = AugmentationOptions(rawValue: 1 << 2)
    /// Stretches part of the window in time, by up to 15 %.
    public static let interpolateFrames = AugmentationOptions(rawValue: 1 << 3)
    /// Drops one frame in ten and interpolates it: a camera that stutters.
    public static let dropFrames = AugmentationOptions(rawValue: 1 << 4)
    /// Moves every joint in every frame, with a standard deviation of 2 % of the torso: unsteady joints.
    public static let jitter = AugmentationOptions(rawValue: 1 << 5)
    /// Drops three joints in a hundred: body parts out of the frame.
    public static let dropJoints = AugmentationOptions(rawValue: 1 << 6)

    /// The default: mirroring, rotation, scale, time stretch and dropped joints.
    public static let standard: AugmentationOptions = [
        .horizontalFlip, .rotate, .scale, .interpolateFrames, .dropJoints,
    ]
}

extension RandomSource {
    /// A generator for one of many items, so that results do not depend on the order of the work.
    init(_ seed: Int, item: Int) {
        var first = RandomSource(seed: UInt64(bitPattern: Int64(seed)))
        self.init(seed: first.next() ^ (UInt64(bitPattern: Int64(item)) &* 0xD134_2543_DE82_EF95))
    }

    mutating func unit() -> Float { Float(next() >> 40) * 0x1p-24 }

    mutating func between(_ low: Float, _ high: Float) -> Float { low + (high - low) * unit() }

    mutating func index(below count: Int) -> Int { Int((next() >> 33) % UInt64(max(count, 1))) }

    mutating func chance(_ probability: Float) -> Bool { unit() < probability }

    /// An approximately normal number: the sum of twelve uniform ones.
    mutating func normal(deviation: Float) -> Float {
        var sum: Float = -6
        for _ in 0..<12 { sum += unit() }
        return sum * deviation
    }

    /// Chooses some of the integers below a count, each at most once.
    mutating func choice(_ wanted: Int, of count: Int) -> [Int] {
        var all = Array(0..<count)
        for position in 0..<min(wanted, count) { all.swapAt(position, position + index(below: count - position)) }
        return Array(all.prefix(wanted))
    }
}
