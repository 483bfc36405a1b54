import KinemaMotion
import KinemaLearning
import KinemaPose
import Foundation
import KinemaCore

/// The network of a classifier, ready to run: numbers in, probabilities out.
struct ClassifierNetwork: Sendable {
    struct Result: Sendable, Hashable {
        var probabilities: [Float]
        /// The distance from the training clips; 0 if the network gives none.
        var strangeness: Float
    }

    private let runner: ONNXModel.Runner
    private let (place, strangenessPlace): (Int, Int?)
    /// Whether the output is scores that become probabilities by the softmax function.
    private let givesScores: Bool

    /// Compiles a network and checks its output on simple movements.
    ///
    /// Throws `.unreadableInput` for one that cannot run or does not give `classes` numbers.
    init(_ model: ONNXModel, layout: ClassifierLayout, classes: Int?) throws(KinemaError) {
        let file = model.graph.file
        func refuse(_ reason: String) -> KinemaError { KinemaError(.unreadableInput, reason, file: file.path) }
        runner = try model.runner(shape: layout.shape)
        let outputs: [[ShapedArray<Float>]]
        do {
            outputs = try (0..<4).map { [runner] in try runner.outputs(for: Self.trial(layout, $0)) }
        } catch {
            let reason = (error as? KinemaError)?.message ?? "no reason given"
            throw refuse("does not run (\(PlainText.prefix(PlainText.oneLine(reason), bytes: 200))); export it again")
        }
        let names = model.graph.outputs.map(\.name)
        let strangeness = names.firstIndex(of: HumanActionClassifier.onnxStrangeness)
        let counts = outputs[0].indices.map { index in
            // An output whose size depends on the movement gives no classes.
            Set(outputs.map { $0[index].scalars.count }).count == 1 ? outputs[0][index].scalars.count : 0
        }
        let fitting = counts.indices.filter { place in
            place != strangeness
                && (classes.map { $0 == counts[place] } ?? ClassifierMetadata.classRange.contains(counts[place]))
        }
        let named = fitting.first { names[$0] == HumanActionClassifier.onnxOutput }
        guard let place = named ?? fitting.first(where: { names[$0].lowercased().contains("prob") }) ?? fitting.first
        else {
            let given = counts.enumerated().filter { $0.offset != strangeness }.map { "\($0.element)" }
            throw refuse(
                "gives \(given.joined(separator: " and ")) numbers"
                    + (classes.map { ", but there are \($0) labels; give as many" } ?? ", which are not classes"))
        }
        guard classes != nil else {
            throw refuse("does not list its \(counts[place]) classes; list them with --labels FILE, one per line")
        }
        (self.place, strangenessPlace) = (place, strangeness)
        let rows = outputs.map(\.[place].scalars).filter { $0.allSatisfy(\.isFinite) }
        guard !rows.isEmpty else { throw refuse("gives no numbers (NaN) for simple movements; export it again") }
        givesScores = !rows.allSatisfy { row in
            row.allSatisfy { (-Self.tolerance...1 + Self.tolerance).contains($0) }
                && abs(row.reduce(0, +) - 1) <= Self.tolerance
        }
    }

    /// The network's result for a window; nil unless its numbers are finite.
    func result(for input: [Float]) -> Result? {
        guard let outputs = try? runner.outputs(for: input), outputs.indices.contains(place) else { return nil }
        let values = outputs[place].scalars
        let strangeness = strangenessPlace.flatMap { outputs[$0].scalars.first } ?? 0
        guard values.allSatisfy(\.isFinite), strangeness.isFinite else { return nil }
        guard !givesScores else {
            return Result(probabilities: Calibration.softmax(values), strangeness: strangeness)
        }
        let positive = values.map { max(0, $0) }
        let sum = positive.reduce(0, +)
        guard sum > 0, sum.isFinite else { return nil }
        return Result(probabilities: positive.map { $0 / sum }, strangeness: strangeness)
    }

    /// The tolerance of the sum of probabilities, which may be computed in 16 bits.
    private static let tolerance: Float = 0.01

    /// A test movement: joints on a spiral in the middle of the picture, each swinging differently.
    private static func trial(_ layout: ClassifierLayout, _ number: Int) -> [Float] {
        let keys = (0..<layout.joints).map { JointKey(rawValue: "\($0)") }
        var movement = PoseSequence(.body, joints: keys)
        movement.picture.top = 1
        for frame in 0..<layout.frames {
            let swing = 0.05 * Float(number + 1) * sin(Float(frame) / Float(4 + number))
            let row = (0..<layout.joints).flatMap { joint -> [Float] in
                let angle = 2.4 * Float(joint)
                let radius = 0.05 + 0.3 * Float(joint) / Float(layout.joints)
                return [0.5 + radius * cos(angle) + swing * Float(joint % 3), 0.5 + radius * sin(angle), 0.9]
            }
            movement.append(row, at: Double(frame))
        }
        return layout.input(movement, .vision)
    }
}
