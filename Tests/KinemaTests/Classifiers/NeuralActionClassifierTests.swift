@testable import KinemaMotion
@testable import KinemaLearning
@testable import KinemaVision
import Foundation
import KinemaTestSupport
import Testing

@testable import Kinema

/// Classifiers in ONNX: those that Kinema wrote, and those of others.
struct NeuralActionClassifierTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The largest difference of a probability, which must be known to both.
    private func difference(_ one: ActionPrediction, _ other: ActionPrediction) -> Double {
        one.labelProbabilities.map { abs($0.value - (other.labelProbabilities[$0.key] ?? 9)) }.max() ?? 9
    }

    @Test func `what was exported says the same when it is read back`() throws {
        let own = try ActionTrainer().train(Figure.examples)
        let file = folder.file("m.onnx")
        try own.writeONNX(to: file)
        let read = try ActionClassifierOptions().classifier(contentsOf: file)
        #expect(read.subject == .body && read.joints == own.joints && read.classes == own.classes)
        #expect(read.predictionWindowSize == own.predictionWindowSize && read.targetFrameRate == own.targetFrameRate)
        #expect(read.rejectionThreshold == own.rejectionThreshold)
        for (index, label) in ["wave", "lift", "wave", "lift"].enumerated() {
            // Shorter than a window, one window, and many.
            for seconds in [1.2, 2, 7.5] {
                let sequence = Figure.damaged(label, person: 7 + index, seconds: seconds)
                let (native, neural) = (own.prediction(of: sequence), read.prediction(of: sequence))
                let (one, other) = (try #require(native), try #require(neural))
                #expect(one.label == other.label, "\(label) \(seconds)")
                #expect(difference(one, other) < 0.001, "\(label) \(seconds): \(difference(one, other))")
            }
            var (one, other) = (ActionRecognizer(own, aspectRatio: 1), ActionRecognizer(read, aspectRatio: 1))
            let movement = Figure.damaged(label, person: 20 + index, seconds: 6)
            let pairs = zip(one.append(contentsOf: movement), other.append(contentsOf: movement))
            #expect(pairs.allSatisfy { $0.time == $1.time && difference($0.prediction, $1.prediction) < 0.001 })
            #expect(one.segments().map(\.label) == other.segments().map(\.label) && !one.segments().isEmpty)
        }
        // A movement that turns into another: of some windows neither is sure.
        var turning = Figure.sequence("wave", person: 3)
        let after = Figure.sequence("lift", person: 3)
        for index in 0..<after.count {
            turning.append(Array(after.points[index * 54..<(index + 1) * 54]), at: after.times[index] + 4)
        }
        var (one, other) = (
            ActionRecognizer(own, aspectRatio: 1, interval: 0), ActionRecognizer(read, aspectRatio: 1, interval: 0)
        )
        let pairs = Array(zip(one.append(contentsOf: turning), other.append(contentsOf: turning)))
        #expect(pairs.contains { (0.02...0.98).contains($0.0.prediction.labelProbabilities["wave"] ?? 0) })
        #expect(pairs.allSatisfy { difference($0.0.prediction, $0.1.prediction) < 0.001 })
    }

    @Test func `what is like nothing that was learnt is none of the classes, and nobody is nothing`() throws {
        let own = try ActionTrainer().train(Figure.examples)
        let file = folder.file("m.onnx")
        try own.writeONNX(to: file)
        let read = try NeuralActionClassifier(contentsOf: file)
        var (wild, nobody) = (PoseSequence(.body), PoseSequence(.body))
        for frame in 0..<60 {
            let row = (0..<18).flatMap { joint -> [Float] in
                [Float((frame * 7919 + joint * 104_729) % 997) / 100, Float((frame * 31 + joint * 17) % 101) / 10, 0.9]
            }
            wild.append(row, at: Double(frame) / 30)
            nobody.append([Float](repeating: 0, count: 54), at: Double(frame) / 30)
        }
        #expect(try #require(own.prediction(of: wild)).label == nil)
        #expect(try #require(read.prediction(of: wild)).label == nil)
        #expect(read.prediction(of: nobody) == nil && read.prediction(of: PoseSequence(.body)) == nil)
        #expect(read.prediction(of: PoseSequence(.hand)) == nil)
    }

    /// Shapes, with the places of the x and y of joint 4 in frame 2 among their numbers.
    static let shapes: [(shape: [Int], joints: Int, x: Int, y: Int)] = [
        ([1, 8, 3, 18], 18, 2 * 54 + 4, 2 * 54 + 18 + 4), ([1, 8, 2, 18], 18, 2 * 36 + 4, 2 * 36 + 18 + 4),
        ([1, 3, 8, 17], 17, 2 * 17 + 4, 8 * 17 + 2 * 17 + 4),
        ([1, 8, 33, 3], 33, (2 * 33 + 4) * 3, (2 * 33 + 4) * 3 + 1),
        ([1, 3, 8, 18, 2], 18, (2 * 18 + 4) * 2, (8 * 18 + 2 * 18 + 4) * 2),
        ([1, 2, 8, 17, 3], 17, (2 * 17 + 4) * 3, (2 * 17 + 4) * 3 + 1),
        ([1, 8, 50], 25, 2 * 50 + 8, 2 * 50 + 9), ([1, 8, 63], 21, 2 * 63 + 12, 2 * 63 + 13),
        ([-1, 8, 54], 18, 2 * 54 + 12, 2 * 54 + 13),
    ]

    @Test(arguments: shapes)
    func `networks of others get each number where their shape has it`(
        _ one: (shape: [Int], joints: Int, x: Int, y: Int)
    ) throws {
        let file = folder.file("n.onnx")
        try TinyNetwork(shape: one.shape, places: [one.x, one.y]).write(to: file)
        let read = try NeuralActionClassifier(contentsOf: file)
        #expect(read.joints.count == one.joints && read.predictionWindowSize == 8 && read.targetFrameRate == 30)
        #expect(read.subject == (one.joints == 21 ? .hand : .body) && read.rejectionThreshold == 0)
        var movement = PoseSequence(read.subject, joints: read.joints)
        movement.picture = .init(width: 2, top: 1)
        for frame in 0..<8 {
            let row = (0..<one.joints).flatMap { joint -> [Float] in
                [0.1 * Float(frame) + 0.05 * Float(joint), 0.9 - 0.02 * Float(frame + joint), 0.8]
            }
            movement.append(row, at: Double(frame) / 30)
        }
        // Joint 4 in frame 2.
        let (x, y) = (0.4, 0.78)
        let usual: PoseCoordinates = one.shape.count == 4 && one.shape[3] == 18 ? .vision : .image
        #expect(read.coordinates == usual)
        for coordinates in PoseCoordinates.allCases {
            var options = ActionClassifierOptions()
            options.coordinates = coordinates
            let prediction = try #require(
                try options.classifier(contentsOf: file).prediction(of: CollectionOfOne(movement)))
            let scores = prediction.labelProbabilities.mapValues { log($0) }
            let expected =
                switch coordinates {
                case .heights: x - y
                case .vision: x / 2 - y
                case .image: x / 2 - (1 - y)
                case .centred: x - 1 - (2 * (1 - y) - 1)
                }
            let found = try #require(scores["a"]) - #require(scores["b"])
            #expect(abs(found - expected) < 1e-3, "\(coordinates): \(found), not \(expected)")
        }
    }

    @Test func `the joints, frames and rate that a file names are taken`() throws {
        let names = ["leftWrist", "right_wrist", "pelvis", "tail", "nose", "left_knee"]
        let file = folder.file("n.onnx")
        try TinyNetwork(
            shape: [1, 12, 18], places: [0, 1],
            metadata: [
                ("labels", #"["up", "down"]"#), ("joints", names.joined(separator: "\n")), ("rate", "15"),
                ("window", "12"), ("rejectionThreshold", "0.7"), ("coordinates", "centred"),
            ]
        ).write(to: file)
        let read = try NeuralActionClassifier(contentsOf: file)
        #expect(read.classes == ["up", "down"] && read.windowDuration == 0.8 && read.rejectionThreshold == 0.7)
        #expect(read.coordinates == .centred)
        let expected: [JointKey] = [.leftWrist, .rightWrist, .root, .init(rawValue: "unknown"), .nose, .leftKnee]
        #expect(read.joints == expected)
        var options = ActionClassifierOptions()
        options.rate = 10
        options.labels = folder.file("l.txt")
        try Data("\u{FEFF}one\r\n\r\ntwo \n".utf8).write(to: folder.file("l.txt"))
        let other = try options.classifier(contentsOf: file)
        #expect(other.classes == ["one", "two"] && other.targetFrameRate == 10)
        try Data("three\nfour".utf8).write(to: folder.file("n.labels.txt"))
        #expect(try NeuralActionClassifier(contentsOf: file).classes == ["three", "four"])
    }

    @Test(arguments: [true, false])
    func `scores become probabilities, and probabilities stay`(isSoft: Bool) throws {
        let file = folder.file("n.onnx")
        try TinyNetwork(shape: [1, 8, 54], places: [0, 1, 2], isSoft: isSoft, metadata: [("labels", "a\nb\nc")])
            .write(to: file)
        let read = try NeuralActionClassifier(contentsOf: file)
        var movement = PoseSequence(.body)
        for frame in 0..<8 {
            let row = (0..<18).flatMap { [3, -2 - Float($0) / 10, 0.5] as [Float] }
            movement.append(row, at: Double(frame) / 30)
        }
        // The same whether the graph has the softmax function or Kinema applies it: twice would be flat.
        let result = try #require(read.prediction(of: CollectionOfOne(movement)))
        let powers = [exp(3.0), exp(2.0), exp(0.5)]
        for (name, power) in zip(["a", "b", "c"], powers) {
            #expect(abs((result.labelProbabilities[name] ?? 9) - power / powers.reduce(0, +)) < 1e-4, "\(result)")
        }
    }
}
