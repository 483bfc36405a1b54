@testable import KinemaMotion
@testable import KinemaLearning
import Foundation
import KinemaCore
import Testing

/// What training varies, holds out, chooses and says.
struct ActionTrainingTests {
    /// A movement seen in a mirror.
    private func mirrored(_ sequence: PoseSequence) -> PoseSequence {
        let partners = ActionSubject.body.mirrored
        var result = PoseSequence(.body)
        for frame in 0..<sequence.count {
            let row = partners.flatMap { joint -> [Float] in
                let start = frame * 54 + joint * 3
                return [-sequence.points[start], sequence.points[start + 1], sequence.points[start + 2]]
            }
            result.append(row, at: sequence.times[frame])
        }
        return result
    }

    /// Waving with the right hand and with the left.
    private func sides(_ people: Range<Int>) -> [ActionTrainer.Example] {
        people.flatMap { person -> [ActionTrainer.Example] in
            let wave = Mover.sequence("wave", person: person)
            return [
                .init(wave, label: "right", person: "\(person)"),
                .init(mirrored(wave), label: "left", person: "\(person)"),
            ]
        }
    }

    @Test func `posture is the same in the mirror, elsewhere and at another size`() throws {
        let sequence = Mover.sequence("wave", person: 3)
        var moved = PoseSequence(.body)
        for frame in 0..<sequence.count {
            let row = sequence.points[frame * 54..<(frame + 1) * 54].enumerated().map { index, value in
                index % 3 == 2 ? value : value * 3 + 7
            }
            moved.append(row, at: sequence.times[frame])
        }
        let all = try [sequence, mirrored(sequence), moved, Mover.sequence("lift", person: 3)].map { one in
            let window = try #require(MotionWindow(one, from: 0, length: 60))
            let missing = [SIMD2<Float>](repeating: .zero, count: 18)
            return PostureBank.statistics(of: PostureSeries.series(of: window, missing: missing))
        }
        func distance(_ other: [Float]) -> Float { zip(all[0], other).map { abs($0 - $1) }.max() ?? 0 }
        #expect(all[0].count == PostureBank.inputs)
        #expect(distance(all[1]) < 1e-3 && distance(all[2]) < 1e-3)
        #expect(distance(all[3]) > 0.3)
    }

    @Test func `how alike two postures are is a sum over their series`() {
        let (channels, statistics) = (PostureSeries.channels, FeatureBank.statistics)
        // Each statistic is 1 or -1, so that its mean is 0 and its deviation 1.
        let bank = PostureBank(fitting: [Float(-1), 1].map { [Float](repeating: $0, count: PostureBank.inputs) })
        let usual = [Float](repeating: 0, count: PostureBank.inputs)
        var (moved, both) = (usual, usual)
        for number in 0..<statistics { moved[number * channels + 4] = 1 }
        for number in 0..<statistics { both[number * channels + 4] = number == 0 ? 0.8 : 0.9 }
        let all = [usual, moved, both].map(bank.features)
        #expect(all[0].count == PostureBank.count)
        let changed = all[0].indices.filter { all[0][$0] != all[1][$0] }
        #expect(!changed.isEmpty && changed.allSatisfy { $0 % channels == 4 }, "only the features of the moved series")
        func alike(_ first: [Float], _ second: [Float]) -> Float { zip(first, second).reduce(0) { $0 + $1.0 * $1.1 } }
        // A Gaussian of the mean squared distance, up to the second order.
        let rest = Float(channels - 1)
        #expect(abs(alike(all[0], all[1]) - rest - exp(-PostureBank.sharpness)) < 0.01)
        let distance = (0.04 + 4 * 0.01) / Float(statistics)
        #expect(abs(alike(all[1], all[2]) - rest - exp(-PostureBank.sharpness * distance)) < 0.1)
    }

    @Test func `every clip counts alike, and every class`() {
        let (labels, clips) = ([0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 2, 2])
        let weights = RidgeTraining.rowWeights(labels, classes: 2, clips: clips)
        func sum(_ clip: Int) -> Float { zip(clips, weights).reduce(0) { $0 + ($1.0 == clip ? $1.1 : 0) } }
        #expect(abs(sum(0) - sum(1)) < 1e-5 && abs(sum(0) + sum(1) - sum(2)) < 1e-5, "\(weights)")
        let rows = RidgeTraining.rowWeights(labels, classes: 2, clips: nil)
        #expect(rows == [0.75, 0.75, 0.75, 0.75, 1.5, 1.5])
    }

    @Test func `mirroring is given up where left and right mean different things, and only there`() throws {
        let classifier = try ActionTrainer().train(sides(0..<5))
        #expect(classifier.summary.isMirrored == false)
        for example in sides(10..<13) {
            #expect(classifier.prediction(of: example.sequence)?.mostLikely == example.label)
        }
        // Some wave with the left hand and some with the right, and it is the same.
        var both = Mover.examples(0..<6)
        for index in both.indices where index % 4 > 1 { both[index].sequence = mirrored(both[index].sequence) }
        #expect(try ActionTrainer().train(both).summary.isMirrored == true)
        var stubborn = ActionTrainer()
        stubborn.mirrorsOnlyIfBetter = false
        #expect(try stubborn.train(sides(0..<5)).summary.isMirrored == true)
    }

    @Test func `the settings tried are reported, and one of them is taken`() throws {
        let summary = try ActionTrainer().train(Mover.examples(0..<5)).summary
        let rounds = try #require(summary.rounds)
        #expect(rounds.count { $0.isTaken } == 1)
        let posture = rounds.filter { $0.name.hasPrefix("posture, penalty") }
        // Each but the last is better than the one before: the first that is not ends the search.
        #expect(!posture.isEmpty && zip(posture, posture.dropFirst()).dropLast().allSatisfy { $1.loss < $0.loss })
        let confusion = try #require(summary.confusion)
        #expect(confusion.flatMap(\.self).reduce(0, +) == 10)
        #expect(summary.heldOutClipAccuracy == Double(confusion[0][0] + confusion[1][1]) / 10)
    }

    @Test func `a split holds out whole people of every class, and none holds out nothing`() throws {
        var trainer = ActionTrainer()
        trainer.validation = .split(0.2)
        let split = try trainer.train(Mover.examples(0..<10)).summary
        let confusion = try #require(split.confusion)
        let held = confusion.map { $0.reduce(0, +) }
        // Both clips of each person who is held out are.
        #expect(held[0] == held[1] && (2...4).contains(held[0]), "\(held)")
        trainer.validation = .none
        let none = try trainer.train(Mover.examples(0..<10)).summary
        #expect(none.heldOutClipAccuracy == nil && none.confusion == nil && none.postureShare == 0)
        trainer.validation = .split(0.9)
        #expect(throws: KinemaError.self) { try trainer.train(Mover.examples(0..<10)) }
    }

    @Test func `classes of very different size are reported in one line`() throws {
        let diagnostics = DiagnosticCollector()
        let few = Mover.examples(0..<9).filter { $0.label == "lift" || ["0", "1", "2"].contains($0.person) }
        _ = try ActionTrainer().train(few, diagnostics: diagnostics)
        let line = try #require(diagnostics.diagnostics.first)
        #expect(line.code == "training.imbalance" && line.message.contains("\"wave\" has 3 clips and \"lift\" 9"))
        let even = DiagnosticCollector()
        _ = try ActionTrainer().train(Mover.examples(0..<3), diagnostics: even)
        #expect(even.diagnostics.isEmpty)
    }

    @Test(arguments: [AugmentationOptions.jitter, .dropFrames, .rotate, .scale, .interpolateFrames, .dropJoints])
    func `each variation changes a window, by little, and the same seed alike`(_ option: AugmentationOptions) throws {
        let window = try #require(MotionWindow(Mover.sequence("wave", person: 1), from: 0, length: 60))
        func varied(_ option: AugmentationOptions, _ seed: Int) -> [Float] {
            var random = RandomSource(seed, item: 7)
            return Augmentation(option).augmented(window, mirrored: false, &random).positions
        }
        #expect(varied([], 0) == window.positions)
        let seen = zip(varied(option, 0), window.positions).filter { !$0.0.isNaN }
        let change = seen.map { abs($0 - $1) }.max() ?? 0
        #expect(option == .dropJoints ? seen.count <= 2160 : change > 1e-3 && change < 1.5, "\(change)")
        #expect(varied(option, 0).map(\.bitPattern) == varied(option, 0).map(\.bitPattern))
        #expect(varied(option, 0).map(\.bitPattern) != varied(option, 1).map(\.bitPattern))
    }

    @Test func `blocks are neighbours by their numbers`() throws {
        var examples: [ActionTrainer.Example] = []
        for (number, person) in [10, 9, 1, 2, 100, 3].enumerated() {
            for label in ["lift", "wave"] {
                let sequence = Mover.sequence(label, person: number)
                examples.append(.init(sequence, label: label, source: "/a7/\(label)\(person).mp4"))
            }
        }
        let validation = ActionCrossValidation(ActionTrainer(), split: .blocks(3))
        let names = validation.rounds(examples).map { round in
            round.filter { examples[$0].label == "lift" }.map { String(examples[$0].source.dropFirst(8)) }.sorted()
        }
        #expect(names == [["1.mp4", "2.mp4"], ["3.mp4", "9.mp4"], ["10.mp4", "100.mp4"]])
    }

    @Test func `a model in onnx says what it takes and gives`() throws {
        let classifier = try ActionTrainer().train(Mover.examples(0..<3))
        let model = classifier.onnxModel()
        #expect(model.prefix(2) == Data([8, 8]), "the version of the format comes first")
        for text in ["poses", "labelProbabilities", "lift\nwave", "TopK", "rejectionThreshold", "clipSharpness"] {
            #expect(model.range(of: Data(text.utf8)) != nil, "\(text)")
        }
        var writer = ProtobufWriter()
        writer.integer(1, 300)
        writer.integer(2, -1)
        writer.text(3, "é")
        let minusOne: [UInt8] = [0x10, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1]
        #expect(writer.bytes == [8, 0xAC, 2] + minusOne + [0x1A, 2, 0xC3, 0xA9])
    }
}
