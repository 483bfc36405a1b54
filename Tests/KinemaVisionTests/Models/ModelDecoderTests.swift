@testable import KinemaPose
import Foundation
import KinemaCore
import Testing

/// Decoders against the formulas that their models were published with.
struct ModelDecoderTests {
    private func array(_ shape: [Int], _ value: (Int) -> Float) -> ShapedArray<Float> {
        ShapedArray(scalars: (0..<shape.reduce(1, *)).map(value), shape: shape)
    }

    private func outputs(
        _ arrays: ShapedArray<Float>..., width: Int = 0, height: Int = 0, personClass: Int = 0,
        minimumScore: Float = 0.1
    ) -> ModelDecoder.Outputs {
        var input = ModelManifest.Input()
        (input.width, input.height) = (width, height)
        return ModelDecoder.Outputs(
            arrays: arrays, input: input, personClass: personClass, minimumScore: minimumScore)
    }

    @Test(arguments: [
        SIMD2(20.0, 30.0), SIMD2(20.3, 30.4), SIMD2(19.6, 30.25), SIMD2(4.5, 59.4), SIMD2(2.2, 2.1), SIMD2(44.8, 61),
    ]) func `a Gaussian's middle is found between the cells of its heat map`(middle: SIMD2<Double>) throws {
        // The heat map a model is trained on (Zhang et al. 2020): a Gaussian of two cells around the joint.
        let map = array([1, 1, 64, 48]) { index in
            let away = SIMD2(Double(index % 48), Double(index / 48)) - middle
            return Float(exp(-(away * away).sum() / 8))
        }
        let found = try #require(ModelDecoder.heatMaps(map, width: 192, height: 256))
        let error = found.points[0] - middle * 4
        // The rim cuts the blur's window near it.
        let limit = middle.x > 4 && middle.y > 4 && middle.x < 43 && middle.y < 59 ? 0.02 : 0.8
        #expect(abs(error.x) < limit && abs(error.y) < limit, "\(error)")
        #expect(found.scores[0] > 0.9)
    }

    @Test func `a heat map without a peak stays at its cell, and what is no number has no confidence`() throws {
        let flat = try #require(ModelDecoder.heatMaps(array([1, 2, 8, 8]) { _ in 0.5 }, width: 32, height: 32))
        #expect(flat.points == [.zero, .zero] && flat.scores == [0.5, 0.5])
        let none = try #require(ModelDecoder.heatMaps(array([1, 1, 8, 8]) { _ in .nan }, width: 32, height: 32))
        #expect(none.scores == [0])
        #expect(ModelDecoder.heatMaps(array([1, 17]) { _ in 1 }, width: 32, height: 32) == nil)
    }

    @Test(arguments: [17, 26, 133]) func `SimCC's joints lie at both maxima over the split ratio`(joints: Int) throws {
        let x = array([1, joints, 384]) { $0 % 384 == 2 * ($0 / 384) + 7 ? 0.9 : 0.1 }
        let y = array([1, joints, 512]) { $0 % 512 == 3 * ($0 / 512) + 5 ? 0.6 : 0 }
        let found = try #require(ModelDecoder.simCC(x: x, y: y, width: 192, height: 256))
        #expect(found.points.count == joints)
        for (index, point) in found.points.enumerated() {
            #expect(point == SIMD2(Double(2 * index + 7), Double(3 * index + 5)) / 2)
            #expect(found.scores[index] == 0.6)
        }
    }

    @Test func `YOLOX's cells give centres by their grid and sizes by the exponential`() throws {
        // 64 x 32 pixels: 8 x 4, 4 x 2 and 2 x 1 cells. The one of stride 16 at column 3, row 1 is a person.
        let cell = 32 + 7
        let output = array([1, 42, 85]) { index in
            guard index / 85 == cell else { return 0 }
            return [0: 0.25, 1: -0.5, 2: log(2), 3: log(1.5), 4: 0.8, 5: 0.5][index % 85] ?? 0
        }
        let boxes = ModelDecoder.cells(outputs(output, width: 64, height: 32))
        let box = try #require(boxes.first)
        #expect(boxes.count == 1 && abs(box.score - 0.4) < 1e-6)
        let expected = SIMD4<Double>(36, -4, 68, 20)
        #expect((box.box - expected).max() < 1e-4 && (expected - box.box).max() < 1e-4, "\(box.box)")
        #expect(ModelDecoder.cells(outputs(output, width: 64, height: 64)).isEmpty)
        #expect(ModelDecoder.cells(outputs(output, width: 64, height: 32, personClass: 1)).isEmpty)
    }

    @Test func `PicoDet's boxes are those whose class is a person`() {
        let boxes = array([1, 3, 4]) { [1, 2, 11, 22, 5, 5, 9, 9, 7, 7, 7, 9][$0] }
        let scores = array([1, 2, 3]) { [0.9, 0.2, 0.9, 0.1, 0.8, 0.1][$0] }
        func found(_ person: Int) -> [DetectedBox] {
            ModelDecoder.picoDet(outputs(boxes, scores, personClass: person, minimumScore: 0.3))
        }
        // The third has no area.
        #expect(found(0) == [DetectedBox(box: SIMD4(1, 2, 11, 22), score: 0.9)])
        #expect(found(1) == [DetectedBox(box: SIMD4(5, 5, 9, 9), score: 0.8)])
        #expect(found(2).isEmpty)
    }

    @Test func `boxes after suppression in the graph are taken by score and label, none from none`() {
        let boxes = array([1, 3, 5]) { [0, 0, 4, 4, 0.9, 1, 1, 5, 5, 0.8, 2, 2, 6, 6, 0.05][$0] }
        let found = ModelDecoder.suppressed(outputs(boxes, array([1, 3]) { $0 == 1 ? 17 : 0 }))
        #expect(found == [DetectedBox(box: SIMD4(0, 0, 4, 4), score: 0.9)])
        let none = array([1, 0, 5]) { _ in 0 }
        #expect(ModelDecoder.suppressed(outputs(none)).isEmpty)
    }

    @Test func `of overlapping boxes the best stays, and those apart stay too`() {
        let boxes = [(0.0, Float(0.5)), (1, 0.9), (40, 0.3), (3, 0.6)].map {
            DetectedBox(box: SIMD4($0.0, 0, $0.0 + 10, 10), score: $0.1)
        }
        let kept = DetectedBox.suppress(boxes, overlap: 0.7)
        #expect(kept.map(\.score) == [0.9, 0.6, 0.3])
        #expect(DetectedBox.suppress(boxes, overlap: 0.5).map(\.score) == [0.9, 0.3])
    }

    @Test func `RTMO's joints belong to their boxes`() throws {
        let boxes = array([1, 2, 5]) { [3, 3, 3, 3, 0.7, 3, 3, 3, 3, 0.01][$0] }
        let joints = array([1, 2, 17, 3]) { Float($0) / 200 }
        let found = ModelDecoder.rtmo(boxes: boxes, joints: joints, minimumScore: 0.1)
        let person = try #require(found.first)
        #expect(found.count == 1 && person.personScore == 0.7 && person.points.count == 17)
        let ninth = SIMD2(Double(Float(27) / 200), Double(Float(28) / 200))
        #expect(person.points[9] == ninth && person.scores[9] == Float(29) / 200)
    }

    @Test(arguments: [17, 26]) func `the pose layout of YOLO holds one person a column`(joints: Int) throws {
        let (rows, count) = (5 + 3 * joints, 84)
        let output = array([1, rows, count]) { index in
            let (row, column) = (index / count, index % count)
            guard column == 5 || column == 6 || column == 50 else { return 0 }
            let scores: [Int: Float] = [5: 0.6, 6: 0.5, 50: 0.4]
            switch row {
            case 0: return column == 50 ? 200 : 40
            case 1, 2, 3: return 30
            case 4: return scores[column] ?? 0
            default: return Float(row * 100 + column)
            }
        }
        let found = ModelDecoder.yoloPose(output, minimumScore: 0.1)
        // The second column's box is that of the first.
        #expect(found.map(\.personScore) == [0.6, 0.4])
        #expect(found[1].points[2] == SIMD2(Double((5 + 6) * 100 + 50), Double((5 + 7) * 100 + 50)))
    }

    @Test func `MoveNet's shares of the input become pixels, y first`() throws {
        let one = ModelDecoder.moveNet(
            outputs(array([1, 1, 17, 3]) { Float($0) / 51 }, width: 192, height: 192))
        let joint = try #require(one.first)
        #expect(abs(joint.points[4].x - 192.0 * 13 / 51) < 1e-4 && abs(joint.points[4].y - 192.0 * 12 / 51) < 1e-4)
        let many = array([1, 6, 56]) { index in
            guard index % 56 == 55 else { return 0.25 }
            return index < 112 ? 0.5 : 0.01
        }
        let found = ModelDecoder.moveNetMulti(outputs(many, width: 256, height: 192))
        #expect(found.count == 2 && found[0].points[16] == SIMD2(64, 48) && found[0].scores[16] == 0.25)
    }

    @Test func `joints keep their names in every set, each once, and middles come from both sides`() throws {
        let counts: [ModelJoints.Set: Int] = [.coco17: 17, .halpe26: 26, .wholebody133: 133, .body25: 25]
        for set in ModelJoints.Set.allCases {
            let keys = set.keys
            #expect(keys.count == counts[set])
            let known = keys.compactMap(\.self)
            #expect(Set(known).count == known.count && Set(known).isSuperset(of: PoseNetSkeleton.joints))
        }
        let decoded = DecodedJoints(
            points: (0..<17).map { SIMD2(Double($0), 10) }, scores: [Float](repeating: 0.5, count: 17), personScore: 0.8
        )
        let person = ModelPose(decoded, ModelJoints.Set.coco17.keys)
        #expect(abs(person.confidence - 0.4309) < 1e-4)
        let pose = person.pose(width: 100, height: 20)
        #expect(pose.keypoints.count == 19 && pose.keypoints3D.isEmpty)
        let neck = try #require(pose.keypoints[.neck])
        #expect(abs(neck.location.x - 0.055) < 1e-9 && abs(neck.location.y - 0.5) < 1e-9)
        // What a model lacks is absent.
        let names = ModelJoints(names: ["nose", "left_shoulder", "rightHip", "left big toe", "tail"])
        #expect(names.keys == [.nose, .leftShoulder, .rightHip, .leftFootTip, nil])
        #expect(ModelPose(decoded, names.keys).pose(width: 100, height: 20).keypoints.count == 4)
    }

    @Test func `of two readings of one person the more confident stays`() {
        func person(at x: Double, _ score: Float) -> ModelPose {
            let points = (0..<17).map { SIMD2(x + Double($0 % 4) * 20, Double($0) * 10) }
            let scores = [Float](repeating: score, count: 17)
            return ModelPose(.init(points: points, scores: scores, personScore: 1), ModelJoints.Set.coco17.keys)
        }
        let people = [person(at: 0, 0.5), person(at: 1, 0.8), person(at: 200, 0.3)]
        #expect(people[0].similarity(to: people[0]) == 1 && people[0].similarity(to: people[2]) < 0.01)
        let kept = ModelPose.suppress(people, limit: 0.5, count: 10)
        #expect(kept.map { ($0.confidence * 10).rounded() } == [8, 3])
        #expect(ModelPose.suppress(people, limit: 0.5, count: 1).count == 1)
    }
}
