@testable import KinemaMotion
@testable import KinemaLearning
import Foundation
import KinemaCore
import Testing

/// Two movements of a stick figure: waving one hand, and lifting both arms.
enum Mover {
    /// A person of some size and place; `phase` and `tempo` vary how it is done.
    static func sequence(_ label: String, person: Int, rate: Double = 30, seconds: Double = 4) -> PoseSequence {
        var random = RandomSource(person, item: label == "wave" ? 1 : 2)
        let (size, place) = (random.between(0.5, 3), SIMD2(random.between(-1, 1), random.between(-1, 1)))
        let (tempo, phase) = (random.between(0.8, 1.4), random.between(0, 6))
        var sequence = PoseSequence(.body)
        for index in 0..<Int(seconds * rate) {
            let angle = phase + 2 * .pi * tempo * Float(index) / Float(rate)
            var points = standing
            let lift = (1 + sin(angle)) / 2
            if label == "wave" {
                points[4] = SIMD2(-0.5 + 0.2 * sin(angle), 0.6)
                points[3] = SIMD2(-0.6, 0.1)
            } else {
                for (elbow, wrist, side) in [(3, 4, Float(-1)), (6, 7, 1)] {
                    points[elbow] = SIMD2(side * 0.6, -0.4 + 0.5 * lift)
                    points[wrist] = SIMD2(side * 0.9, -0.8 + 1.2 * lift)
                }
            }
            let row = points.flatMap { point -> [Float] in
                let moved = point * size + place
                return [moved.x + random.normal(deviation: 0.01), moved.y + random.normal(deviation: 0.01), 0.9]
            }
            sequence.append(row, at: Double(index) / rate)
        }
        return sequence
    }

    /// OpenPose's 18 joints of somebody who stands, neck at 0, 0, torso 1 long, y up.
    static let standing: [SIMD2<Float>] = [
        [0, 0.35], [0, 0], [-0.35, 0], [-0.4, -0.45], [-0.4, -0.85], [0.35, 0], [0.4, -0.45], [0.4, -0.85],
        [-0.2, -1], [-0.2, -1.8], [-0.2, -2.5], [0.2, -1], [0.2, -1.8], [0.2, -2.5], [-0.06, 0.42], [0.06, 0.42],
        [-0.12, 0.38], [0.12, 0.38],
    ]

    static func examples(_ people: Range<Int>, rate: Double = 30) -> [ActionTrainer.Example] {
        people.flatMap { person in
            ["lift", "wave"].map {
                .init(
                    sequence($0, person: person, rate: rate), label: $0, person: "\(person)", source: "\($0)\(person)")
            }
        }
    }
}

struct ActionClassifierTests {
    @Test func `pauses of years and times that are none take neither memory nor the program`() throws {
        let classifier = try ActionTrainer().train(Mover.examples(0..<6))
        let wave = Mover.sequence("wave", person: 11)
        var sequence = wave
        for index in 0..<wave.count {
            sequence.append(Array(wave.points[index * 54..<(index + 1) * 54]), at: 1e9 + wave.times[index])
        }
        #expect(classifier.prediction(of: sequence)?.mostLikely == "wave")
        var recognizer = ActionRecognizer(classifier, aspectRatio: 1)
        _ = recognizer.append(contentsOf: sequence)
        for time in [1e19, -1e300, .nan, .infinity, 5] { #expect(recognizer.append(nil, at: time) == nil) }
        let segments = recognizer.segments()
        #expect(segments.count == 2 && segments.allSatisfy { $0.label == "wave" && $0.end - $0.start < 5 })
        var examples = Mover.examples(0..<6)
        examples[1].sequence = sequence
        // What even shortened pauses make too long is left out, and said.
        var rare = PoseSequence(.body)
        let diagnostics = DiagnosticCollector()
        for index in 0..<20_000 { rare.append(Array(wave.points.prefix(54)), at: Double(index) * 59) }
        #expect(classifier.prediction(of: rare) == nil)
        examples.append(.init(rare, label: "wave", source: "rare"))
        _ = try ActionTrainer().train(examples, diagnostics: diagnostics)
        #expect(diagnostics.diagnostics.map(\.code) == ["training.long"])
    }

    @Test func `what was forgotten stays so, and the rest keeps its times`() throws {
        let classifier = try ActionTrainer().train(Mover.examples(0..<6))
        var recognizer = ActionRecognizer(classifier, aspectRatio: 1)
        _ = recognizer.append(contentsOf: Mover.sequence("wave", person: 11, seconds: 6))
        let whole = try #require(recognizer.segments().first)
        recognizer.forget(before: 3)
        let rest = try #require(recognizer.segments().first)
        #expect(rest.start > 2.5 && rest.start <= 3 && rest.end == whole.end && rest.label == "wave")
    }

    @Test func `strangers are named at any frame rate`() throws {
        let classifier = try ActionTrainer().train(Mover.examples(0..<6))
        for rate in [12.5, 30, 60] {
            for example in Mover.examples(10..<13, rate: rate) {
                let prediction = try #require(classifier.prediction(of: example.sequence))
                #expect(prediction.mostLikely == example.label)
                #expect(abs(prediction.labelProbabilities.values.reduce(0, +) - 1) < 1e-5)
            }
        }
    }

    /// Windows have two seconds; clips are cut to the given length for training.
    @Test(arguments: [(clip: 4.0, needed: 1.0), (clip: 1.0, needed: 0.5)])
    func `what is shorter than half a window and half a usual clip is not named`(clip: Double, needed: Double) throws {
        let examples = Mover.examples(0..<6).map {
            var example = $0
            example.sequence = example.sequence.clipped(to: 0..<clip - 0.01)
            return example
        }
        let classifier = try ActionTrainer().train(examples)
        #expect(abs(classifier.minimumDuration - needed) < 1e-6)
        let wave = Mover.sequence("wave", person: 11)
        for (seconds, isNamed) in [(0.03, false), (needed - 0.1, false), (needed + 0.1, true), (4, true)] {
            let part = wave.clipped(to: 0..<seconds)
            #expect((classifier.prediction(of: part) != nil) == isNamed, "\(seconds)")
            var recognizer = ActionRecognizer(classifier, aspectRatio: 1)
            _ = recognizer.append(contentsOf: part)
            #expect(recognizer.segments().isEmpty != isNamed, "\(seconds)")
        }
    }

    @Test func `rates may be mixed in training`() throws {
        let mixed = Mover.examples(0..<3, rate: 15) + Mover.examples(3..<6, rate: 50)
        let classifier = try ActionTrainer().train(mixed)
        for example in Mover.examples(10..<13) {
            #expect(classifier.prediction(of: example.sequence)?.mostLikely == example.label)
        }
    }

    @Test func `the same seed gives the same classifier and another does not`() throws {
        var trainer = ActionTrainer()
        let first = try trainer.train(Mover.examples(0..<3))
        #expect(try trainer.train(Mover.examples(0..<3)) == first)
        trainer.randomSeed = 1
        #expect(try trainer.train(Mover.examples(0..<3)) != first)
    }

    @Test func `missing joints are borne`() throws {
        let classifier = try ActionTrainer().train(Mover.examples(0..<6))
        var legless = PoseSequence(.body)
        let whole = Mover.sequence("wave", person: 11)
        for frame in 0..<whole.count {
            var row = Array(whole.points[frame * 54..<(frame + 1) * 54])
            for joint in [9, 10, 12, 13, 16, 17] { row[joint * 3 + 2] = 0 }
            legless.append(row, at: whole.times[frame])
        }
        #expect(classifier.prediction(of: legless)?.mostLikely == "wave")
    }

    @Test func `too little to learn from is reported in one line`() {
        func message(_ examples: [ActionTrainer.Example]) -> String {
            do {
                _ = try ActionTrainer().train(examples)
                return "no error"
            } catch {
                return error.message
            }
        }
        let both = Mover.examples(0..<3)
        #expect(message([]).contains("two classes are needed"))
        #expect(message(both.filter { $0.label == "lift" }).contains("there is only \"lift\""))
        #expect(message(both.filter { $0.label == "lift" || $0.person == "0" }).contains("\"wave\" has only one clip"))
        #expect(message(Mover.examples(0..<1)).contains("\"lift\" has only one clip; at least 2 are needed"))
        let nobody = ActionTrainer.Example(PoseSequence(.body), label: "rest")
        #expect(message(both + [nobody]).contains("\"rest\" has no clip that shows a person"))
    }

    @Test func `clips without a person are left out and reported`() throws {
        let diagnostics = DiagnosticCollector()
        var empty = PoseSequence(.body)
        for frame in 0..<90 { empty.append(nil, at: Double(frame) / 30, aspectRatio: 1) }
        let examples = Mover.examples(0..<3) + [.init(empty, label: "lift", source: "empty.mp4")]
        let classifier = try ActionTrainer().train(examples, diagnostics: diagnostics)
        #expect(classifier.summary.clips == ["lift": 3, "wave": 3])
        #expect(diagnostics.diagnostics.map(\.file) == ["empty.mp4"])
    }

    @Test func `a window of create m ls shape is named`() throws {
        let classifier = try ActionTrainer().train(Mover.examples(0..<6))
        let sequence = Mover.sequence("wave", person: 12)
        let scalars = (0..<60).flatMap { frame in
            (0..<3).flatMap { axis in (0..<18).map { Double(sequence.points[frame * 54 + $0 * 3 + axis]) } }
        }
        let window = ShapedArray(scalars: scalars, shape: [60, 3, 18])
        #expect(try classifier.prediction(poses: window).mostLikely == "wave")
        #expect(throws: KinemaError.self) { try classifier.prediction(poses: window[0..<59]) }
    }

    @Test func `a recognizer finds where one action ends and another begins`() throws {
        let classifier = try ActionTrainer().train(Mover.examples(0..<6))
        var both = PoseSequence(.body)
        for (offset, label) in [(0.0, "wave"), (6.0, "lift")] {
            let part = Mover.sequence(label, person: 13, seconds: 6)
            for frame in 0..<part.count {
                both.append(Array(part.points[frame * 54..<(frame + 1) * 54]), at: part.times[frame] + offset)
            }
        }
        var recognizer = ActionRecognizer(classifier, aspectRatio: 1)
        #expect(recognizer.append(contentsOf: both).count > 20)
        let segments = recognizer.segments().filter { $0.label != nil }
        #expect(segments.first?.label == "wave")
        #expect(segments.last?.label == "lift")
        // Half a window: what lies nearer to the change is seen only together with the other action.
        #expect(abs((segments.last?.start ?? 0) - 6) <= 1)
    }
}

struct ActionModelFileTests {
    private let url = FileManager.default.temporaryDirectory.appending(path: "actions-\(UUID().uuidString).kinema")

    private func message(_ data: Data) throws -> String {
        try data.write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        do {
            _ = try HumanActionClassifier(contentsOf: url)
            return "no error"
        } catch {
            return error.message
        }
    }

    @Test func `a classifier is read back as it was`() throws {
        let classifier = try ActionTrainer().train(Mover.examples(0..<3))
        try classifier.write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        #expect(try HumanActionClassifier(contentsOf: url) == classifier)
    }

    @Test func `a file cut in half or of a newer version is refused in one line`() throws {
        let classifier = try ActionTrainer().train(Mover.examples(0..<3))
        try classifier.write(to: url)
        let whole = try Data(contentsOf: url)
        #expect(try message(whole) == "no error")
        #expect(try message(whole.prefix(whole.count / 2)).contains("cut short"))
        let newer = String(decoding: whole, as: UTF8.self).replacing(/"version":\d}/, with: "\"version\":4}")
        #expect(try message(Data(newer.utf8)).contains("version 4"))
        let older = String(decoding: whole, as: UTF8.self).replacing(/"version":\d}/, with: "\"version\":2}")
        #expect(
            try message(Data(older.utf8)).contains("version 2, whose posture is no longer supported; train it again"))
        #expect(try message(Data("no model".utf8)).contains("is not a classifier"))
        #expect(try message(Data()).contains("is not a classifier"))
        let odd = String(decoding: whole, as: UTF8.self).replacing("\"dilation\":7", with: "\"dilation\":7000")
        #expect(try message(Data(odd.utf8)).contains("damaged"))
        // The first length is the features', which the classifier's must equal.
        for length in [Int.min, 0] {
            let bank = String(decoding: whole, as: UTF8.self).replacing(
                /"length":\d+/, with: "\"length\":\(length)", maxReplacements: 1)
            #expect(try message(Data(bank.utf8)).contains("damaged"))
        }
    }
}
