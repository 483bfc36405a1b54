import Foundation
import KinemaSynth
import KinemaTestSupport
import Testing

extension CommandTests {
    /// Exports read by the programs they are meant for.
    @Suite(.enabled(if: Readers.areInstalled, "run script/readers"))
    struct ReadBackTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
        }

        private func export(_ format: String, to name: String, of clip: URL) async throws -> String {
            let path = folder.file(name).path
            let run = try await Program.run("pose", clip.path, "--export", format, "--output", path)
            try #require(run.status == 0, "\(run.complaint)")
            return path
        }

        private struct Markers: Decodable {
            var markers: [String], header: [String: String], rows: Int, missing: Int, unevenness: Double
            var rate: Double, frames: [Int], times: [Double], points: [String: [[Double]]]
        }

        @Test func `pose 2 sim reads the markers`() async throws {
            let path = try await export("trc", to: "squat.trc", of: Clips.squat.get())
            let found = try await Readers.read(Markers.self, ["trc", path])
            let frames = Clips.squatScene.frameCount
            #expect(found.rows == frames)
            #expect(found.frames == Array(1...frames))
            #expect(found.missing == 0)
            #expect(found.unevenness < 1e-5)
            #expect(abs(found.rate - Double(Clips.rate)) < 0.001)
            #expect(found.header["Units"] == "m")
            #expect(found.header["NumMarkers"] == "\(found.markers.count)")
            #expect(found.header["DataRate"].flatMap(Double.init) == Double(Clips.rate))
            // The truth's thighs, in metres; the model sees a body of average size.
            let (hip, knee) = (try #require(found.points["RHip"]), try #require(found.points["RKnee"]))
            let truth = Clips.squatScene.truth().people[0].frames
            for (row, real) in truth.enumerated() {
                let (a, b) = (try #require(real.keypoints3D["rightHip"]), try #require(real.keypoints3D["rightKnee"]))
                let (length, expected) = (Self.distance(hip[row], knee[row]), Self.distance(a, b))
                #expect(abs(length / expected - 1) < 0.3, "\(row): \(length) m, truly \(expected)")
            }
        }

        @Test func `two people are read from a file each`() async throws {
            _ = try await export("trc", to: "pair.trc", of: Clips.pairStart.get())
            for id in [1, 2] {
                let found = try await Readers.read(Markers.self, ["trc", folder.file("pair_person\(id).trc").path])
                #expect(found.missing == 0)
                #expect(found.rows == Clips.pairStartFrames)
            }
        }

        private struct Motion: Decodable {
            var columns: [String], rows: Int, missing: Int, header: [String], unevenness: Double, rate: Double
            var angles: [String: [Double]]
        }

        private struct AngleError: Decodable {
            var mean: Double, bias: Double, rms: Double, frames: Int
        }

        @Test func `pose 2 sim reads the angles and they are those of the true joints`() async throws {
            let scene = SynthScene.exercise(
                .squat, repetitions: 2, seed: 3, view: .side, secondsPerRepetition: 2,
                settings: .init(width: 640, height: 480, frameRate: FrameRate(timescale: Clips.rate)))
            let truth = folder.file("truth.json")
            try RenderedVideo.write(scene, to: folder.file("clip.mp4"), truth: truth)
            let path = try await export("mot", to: "clip.mot", of: folder.file("clip.mp4"))
            let found = try await Readers.read(Motion.self, ["mot", path])
            #expect(found.rows == scene.frameCount)
            #expect(found.missing == 0)
            #expect(found.unevenness < 1e-5)
            #expect(found.header.contains("inDegrees=yes"))
            #expect(found.header.contains("nRows=\(found.rows)"))
            #expect(found.header.first == "Coordinates")
            #expect(abs(found.rate - Double(Clips.rate)) < 0.001)
            // The squat bends the knees by more than 70 degrees, and straightens them.
            let knee = try #require(found.angles["Right knee"])
            #expect((knee.max() ?? 0) > 70)
            #expect((knee.min() ?? 99) < 20)
            let errors = try await Readers.read([String: AngleError].self, ["angles", path, truth.path])
            for name in ["Right knee", "Right hip", "Trunk", "Right thigh", "Right shank"] {
                let error = try #require(errors[name])
                print("angle error", name, error.mean, "bias", error.bias)
                #expect(error.frames == scene.frameCount, "\(name): \(error)")
                #expect(error.mean < 10, "\(name): \(error)")
            }
        }

        private struct Score: Decodable {
            var images: Int, annotations: Int, precision: Double, recall: Double
        }

        @Test func `pycocotools scores the export against the truth`() async throws {
            let scene = Clips.squatScene
            let path = try await export("coco", to: "squat.json", of: Clips.squat.get())
            let truth = folder.file("truth.json")
            try JSONSerialization.data(withJSONObject: Self.coco(scene)).write(to: truth)
            let score = try await Readers.read(Score.self, ["coco", path, truth.path])
            #expect(score.images == scene.frameCount)
            #expect(score.annotations == scene.frameCount)
            #expect(score.precision > 0.8, "\(score)")
            #expect(score.recall > 0.8, "\(score)")
        }

        /// The true joints as COCO lays them out: pixels from the top left.
        private static func coco(_ scene: SynthScene) -> [String: Any] {
            let names = [
                "nose", "leftEye", "rightEye", "leftEar", "rightEar", "leftShoulder", "rightShoulder", "leftElbow",
                "rightElbow", "leftWrist", "rightWrist", "leftHip", "rightHip", "leftKnee", "rightKnee", "leftAnkle",
                "rightAnkle",
            ]
            let (width, height) = (Double(scene.size.width), Double(scene.size.height))
            let frames = scene.truth().people[0].frames
            let people = frames.indices.map { index -> [String: Any] in
                var (xs, ys, numbers): ([Double], [Double], [Double]) = ([], [], [])
                for name in names {
                    guard let joint = frames[index].keypoints[name] else { continue }
                    let (x, y): (Double, Double) = (joint.x * width, (1 - joint.y) * height)
                    xs.append(x)
                    ys.append(y)
                    numbers += [x, y, Double(joint.visibility.rawValue)]
                }
                let (left, right): (Double, Double) = (xs.min() ?? 0, xs.max() ?? 0)
                let (top, bottom): (Double, Double) = (ys.min() ?? 0, ys.max() ?? 0)
                // COCO's areas are of outlines, which fill about half of the box.
                let area: Double = (right - left) * (bottom - top) * 0.53
                let box: [Double] = [left, top, right - left, bottom - top]
                return [
                    "id": index + 1, "image_id": index, "category_id": 1, "iscrowd": 0, "bbox": box, "area": area,
                    "num_keypoints": names.count, "keypoints": numbers,
                ]
            }
            let images = people.indices.map { index -> [String: Int] in
                ["id": index, "width": Int(width), "height": Int(height)]
            }
            return [
                "images": images, "annotations": people, "categories": [["id": 1, "name": "person"] as [String: Any]],
            ]
        }

        private struct Table: Decodable {
            var columns: [String], rows: Int, numeric: Bool, frames: [Int]
        }

        @Test func `pandas reads the table`() async throws {
            let path = try await export("csv", to: "pair.csv", of: Clips.pairStart.get())
            let found = try await Readers.read(Table.self, ["csv", path])
            #expect(found.numeric)
            #expect(found.columns.prefix(3) == ["frame", "time", "id"])
            #expect(found.columns.contains("leftKnee.x"))
            #expect(found.columns.contains("rightFootTip.confidence"))
            #expect(Set(found.frames) == Set(0..<Clips.pairStartFrames))
            #expect(found.rows == found.frames.count)
        }

        private struct OpenPose: Decodable {
            var files: [String], people: [Int], lengths: [[Int]]
        }

        @Test func `open poses keys have their lengths`() async throws {
            let path = try await export("openpose", to: "pair", of: Clips.pairStart.get())
            let found = try await Readers.read(OpenPose.self, ["openpose", path])
            #expect(found.files.count == Clips.pairStartFrames)
            #expect(found.people.max() == 2)
            // 25 joints of x, y and confidence; faces, hands and depth are empty.
            #expect(found.lengths == [[75, 0, 0, 0, 0, 0, 0, 0]])
        }

        private static func distance(_ a: [Double], _ b: [Double]) -> Double {
            zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
        }
    }
}
