@testable import KinemaPose
import Foundation
import KinemaCore
import KinemaMedia
import KinemaSynth
import KinemaTestSupport
import Testing

/// Matches found people with true ones as CLEAR-MOT does, and counts identity switches.
///
/// After Bernardin and Stiefelhagen, "Evaluating Multiple Object Tracking Performance" (2008): last frame's matches
/// hold while they are near enough, the rest are matched nearest first; a switch is a true person matched with
/// another number than last.
struct IdentityJudge {
    /// How far apart a match may be, in shares of the picture's height.
    let reach: Double
    private(set) var switches: [String] = []
    private(set) var lastNumber: [Int: Int] = [:]
    private(set) var missed: [Int: Int] = [:]
    private(set) var spurious = 0
    private var matches: [Int: Int] = [:]

    init(reach: Double) { self.reach = reach }

    /// Takes a frame: where each person really is, and where each number was found, both in picture heights.
    mutating func judge(frame: Int, truth: [Int: SIMD2<Double>], found: [Int: SIMD2<Double>]) {
        func gap(_ person: Int, _ number: Int) -> Double? {
            guard let a = truth[person], let b = found[number] else { return nil }
            let way = ((a - b) * (a - b)).sum().squareRoot()
            return way <= reach ? way : nil
        }
        matches = matches.filter { gap($0.key, $0.value) != nil }
        let pairs = truth.keys.flatMap { person in
            found.keys.compactMap { number in gap(person, number).map { (way: $0, person: person, number: number) } }
        }
        for pair in pairs.sorted(by: { $0.way < $1.way })
        where matches[pair.person] == nil && !matches.values.contains(pair.number) {
            matches[pair.person] = pair.number
        }
        for person in truth.keys {
            guard let number = matches[person] else {
                missed[person, default: 0] += 1
                continue
            }
            if let last = lastNumber[person], last != number {
                switches.append("frame \(frame): person \(person) was \(last), is \(number)")
            }
            lastNumber[person] = number
        }
        spurious += found.count - matches.count
    }
}

extension RenderedPeople {
    /// Several people: each keeps the own number.
    struct IdentityTests {
        @Test(arguments: Sweep.of([1, 2, 5] as [UInt64], or: [2]))
        func `two who cross and one hidden for a second keep their numbers`(
            seed: UInt64
        ) throws {
            let scene = SynthScene.crossing(
                seed: seed, settings: .init(width: 720, height: 404, frameRate: FrameRate(timescale: 20)))
            let truth = scene.truth()
            let hidden = truth.people.flatMap(\.occlusions).map { $0.end - $0.start }.max() ?? 0
            #expect(hidden > 1, "the scene hides someone for a second")
            let extractor = HumanBodyPoseExtractor()
            var judge = IdentityJudge(reach: 0.12)
            let aspect = Double(scene.size.width) / Double(scene.size.height)
            var inView: [Int: Int] = [:]
            for frame in 0..<scene.frameCount {
                var real: [Int: SIMD2<Double>] = [:]
                for person in truth.people {
                    // Who is half hidden or half out of the picture need not be found.
                    let joints = person.frames[frame].keypoints
                    let visible = RenderedPeople.limbs.count { joints[$0.rawValue]?.visibility == .visible }
                    guard let root = joints["root"], visible * 2 >= RenderedPeople.limbs.count else { continue }
                    real[person.id] = SIMD2(root.x * aspect, root.y)
                    inView[person.id, default: 0] += 1
                }
                var found: [Int: SIMD2<Double>] = [:]
                for pose in try extractor.poses(in: scene.videoFrame(frame)) {
                    let root = try #require(pose.keypoints[.root]).location
                    found[try #require(pose.id)] = SIMD2(root.x * aspect, root.y)
                }
                judge.judge(frame: frame, truth: real, found: found)
            }
            #expect(judge.switches.isEmpty, "\(judge.switches)")
            #expect(Set(judge.lastNumber.values) == [1, 2] && judge.lastNumber.count == 2)
            for (person, frames) in inView {
                // Half a second to a second to be found again, twice.
                #expect(Double(judge.missed[person] ?? 0) < 0.2 * Double(frames), "person \(person)")
            }
            #expect(judge.spurious < scene.frameCount / 20)
        }

        @Test func `the judge sees a switch`() {
            var judge = IdentityJudge(reach: 0.2)
            let places = [0: SIMD2(0.2, 0.5), 1: SIMD2(0.8, 0.5)]
            judge.judge(frame: 0, truth: places, found: [7: places[0] ?? .zero, 8: places[1] ?? .zero])
            judge.judge(frame: 1, truth: places, found: [7: places[0] ?? .zero])
            judge.judge(frame: 2, truth: places, found: [7: places[1] ?? .zero, 8: places[0] ?? .zero])
            #expect(judge.switches.count == 2 && judge.missed == [1: 1])
        }

        @Test func `no more people than asked for are followed`() throws {
            let scene = SynthScene.twoPeople(
                seed: 3, settings: .init(width: 640, height: 360, frameRate: FrameRate(timescale: 15)))
            for limit in 1...3 {
                let extractor = HumanBodyPoseExtractor(options: BodyPoseOptions(maximumPeople: limit))
                let counts = try RenderedPeople.poses(in: scene, frames: 25, with: extractor).map(\.count)
                #expect(counts.allSatisfy { $0 <= limit } && counts.last == min(limit, 2), "\(counts)")
            }
        }

        /// A frame whose right half is behind a grey wall at first, which then moves out of the picture within a second.
        private func frame(_ index: Int, of scene: SynthScene) throws -> VideoFrame {
            let frame = scene.videoFrame(index)
            var bitmap = try frame.bitmap()
            let edge = bitmap.width * min(24, max(0, index - 12) + 12) / 24
            for y in 0..<bitmap.height {
                let row = y * bitmap.bytesPerRow
                for at in row + 4 * edge..<row + 4 * bitmap.width { bitmap.pixels[at] = 128 }
            }
            return VideoFrame(bitmap: bitmap, id: frame.id)
        }

        @Test(arguments: [true, false]) func `newcomers are found after the answer when that is asked for`(
            catchesUp: Bool
        ) throws {
            let scene = SynthScene.twoPeople(
                seed: 3, settings: .init(width: 640, height: 360, frameRate: FrameRate(timescale: 15)))
            var tracker = try BodyPoseTracker(options: BodyPoseOptions(), mode: .live)
            var counts: [Int] = []
            for index in 0..<48 {
                let frame = try frame(index, of: scene)
                counts.append(try tracker.update(frame).count)
                if catchesUp { try tracker.catchUp() }
            }
            #expect(counts.prefix(12).allSatisfy { $0 == 1 }, "\(counts)")
            #expect(counts.last == (catchesUp ? 2 : 1), "\(counts)")
        }

        @Test(.enabled(if: SharedData.isPresent, "the recordings are absent"))
        func `three aerobics dancers are three people`()
            async throws
        {
            let extractor = HumanBodyPoseExtractor()
            var frames: [Set<Int>] = []
            for try await element in try await VideoReader.read(contentsOf: SharedData.file("crowds/aerobics3.avi")) {
                frames.append(Set(try extractor.poses(in: element.feature).compactMap(\.id)))
                if frames.count == 100 { break }
            }
            #expect(frames.reduce(Set()) { $0.union($1) } == [1, 2, 3])
            #expect(frames.count { $0.count == 3 } >= 95, "\(frames.map(\.count))")
        }

        /// A street of ten and more, in which most people are small, and far from certain.
        @Test(.enabled(if: SharedData.isPresent, "the recordings are absent"), arguments: [true, false])
        func `a crowd in a video is followed as its pictures show it`(isChosen: Bool) async throws {
            let models = SharedData.folder.appending(path: "models/more")
            var options = BodyPoseOptions()
            options.maximumPeople = 40
            var chosen = try ChosenModelOptions(
                model: ChosenModel(contentsOf: models.appending(path: "tinypose_256_192.xml")),
                detector: ChosenModel(contentsOf: models.appending(path: "picodet_s_320_ped.xml")))
            chosen.maximumPeople = 40
            var tracker = try BodyTracker(
                isChosen ? .chosen(chosen) : .blazePose, options: options, store: .shared, mode: .file)
            var counts: [Int] = []
            for try await element in try await VideoReader.read(
                contentsOf: SharedData.file("crowds/street_mmpose.mp4"))
            {
                counts.append(try tracker.update(element.feature).count)
            }
            let mean = Double(counts.reduce(0, +)) / Double(max(1, counts.count))
            #expect(mean >= (isChosen ? 8.5 : 2.4), "\(counts)")
        }

        /// Six people come one by one to the same place, each seconds after the last has left; two within 26 s.
        @Test(.enabled(if: SharedData.isPresent, "the recordings are absent"))
        func `people who follow one another into an empty picture are told apart`() async throws {
            let models = SharedData.folder.appending(path: "models/more")
            let model = try ChosenModel(contentsOf: models.appending(path: "tinypose_256_192.xml"))
            let detector = try ChosenModel(contentsOf: models.appending(path: "picodet_s_320_ped.xml"))
            var tracker = try ModelTracker(options: ChosenModelOptions(model: model, detector: detector))
            var people: Set<Int> = []
            var frames = 0
            for try await element in try await VideoReader.read(contentsOf: SharedData.file("crowds/one_by_one.mp4")) {
                people.formUnion(try tracker.update(element.feature).compactMap(\.id))
                frames += 1
                if !Sweep.isFull, frames == 260 { break }
            }
            #expect(people.count == (Sweep.isFull ? 6 : 2), "\(people)")
        }

        @Test(.enabled(if: SharedData.isPresent, "the recordings are absent"))
        func `a machine beside a man at a bar is not taken for a second man`() async throws {
            let extractor = HumanBodyPoseExtractor()
            let url = SharedData.file("repetitions/more/pullup_hand6.mp4")
            var counts: [Int] = []
            for try await element in try await VideoReader.read(contentsOf: url) {
                counts.append(try extractor.poses(in: element.feature).count)
                if counts.count == 300 { break }
            }
            #expect(counts.count == 300)
            #expect(counts.allSatisfy { $0 == 1 }, "\(counts)")
        }

        /// The man is two fifths of the picture's height, dark before a dark window: seen rightly only from close by.
        @Test(.enabled(if: SharedData.isPresent, "the recordings are absent"), arguments: [0, 40])
        func `a man small in a wide picture is found at once and kept, as one person the right way up`(first: Int)
            async throws
        {
            let url = SharedData.file("throws/freethrow_yard.mp4")
            var tracker = try BodyPoseTracker(options: BodyPoseOptions())
            var index = 0
            for try await element in try await VideoReader.read(contentsOf: url) {
                defer { index += 1 }
                guard index >= first else { continue }
                let people = try tracker.update(element.feature)
                #expect(people.count == 1 && people.first?.id == 1, "frame \(index): \(people.compactMap(\.id))")
                let (nose, hips) = (people.first?.keypoints[.nose], people.first?.keypoints[.root])
                let height = (nose?.location.y ?? 0) - (hips?.location.y ?? 0)
                #expect(height > 0.08, "frame \(index): the nose is \(height) above the hips")
                if index == 89 { break }
            }
        }
    }
}
