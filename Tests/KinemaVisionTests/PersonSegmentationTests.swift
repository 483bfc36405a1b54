@testable import KinemaPose
@testable import KinemaVision
import Foundation
import KinemaCore
import KinemaDraw
import KinemaMedia
import KinemaSynth
import KinemaTestSupport
import Testing

extension RenderedPeople {
    struct PersonSegmentationTests {
        private let scene = SynthScene.exercise(.squat, repetitions: 1)

        private func mask(
            _ quality: GeneratePersonSegmentationRequest.QualityLevel = .accurate, frame: Int = 4,
            region: NormalizedRect = .fullImage
        ) async throws -> PersonMask {
            let request = GeneratePersonSegmentationRequest()
            request.qualityLevel = quality
            request.regionOfInterest = region
            return try await request.perform(on: scene.videoFrame(frame)).mask
        }

        @Test func `a mask covers the joints and little outside the outline's box`() async throws {
            var found = 0
            for index in stride(from: 4, to: scene.frameCount, by: 20) {
                let mask = try await mask(frame: index)
                // Who is not found has no mask either.
                if try await DetectHumanBodyPoseRequest().perform(on: scene.videoFrame(index)).isEmpty { continue }
                found += 1
                let truth = scene.truth().people[0].frames[index]
                for key in RenderedPeople.limbs {
                    let joint = try #require(truth.keypoints[key.rawValue])
                    guard joint.visibility == .visible, key != .leftWrist, key != .rightWrist else { continue }
                    let (x, y) = (Int(joint.x * Double(mask.width)), Int((1 - joint.y) * Double(mask.height)))
                    #expect(mask.values[y * mask.width + x] > 127, "frame \(index), \(key)")
                }
                let box = try #require(truth.box)
                let (columns, rows) = (
                    (box[0] - 0.03)...(box[0] + box[2] + 0.03), (box[1] - 0.03)...(box[1] + box[3] + 0.03)
                )
                let people = mask.values.indices.filter { mask.values[$0] > 127 }
                let outside = people.count { pixel in
                    let x = (Double(pixel % mask.width) + 0.5) / Double(mask.width)
                    let y = 1 - (Double(pixel / mask.width) + 0.5) / Double(mask.height)
                    return !columns.contains(x) || !rows.contains(y)
                }
                #expect(Double(outside) < 0.02 * Double(people.count), "frame \(index)")
                let share = Double(people.count) / Double(mask.values.count) / (box[2] * box[3])
                #expect((0.25...0.9).contains(share), "frame \(index): \(share) of the box")
            }
            #expect(found >= 4)
        }

        @Test func `the levels of quality have masks of different sizes of the same person`() async throws {
            let frame = scene.videoFrame(4)
            let whole = try await mask()
            #expect(whole.width == frame.width && whole.height == frame.height)
            let (balanced, fast) = (try await mask(.balanced), try await mask(.fast))
            #expect(balanced.width == 512 && fast.width == 256)
            #expect(balanced.height == 512 * frame.height / frame.width)
            func share(_ mask: PersonMask) -> Double {
                Double(mask.values.count { $0 > 127 }) / Double(mask.values.count)
            }
            #expect(abs(share(whole) - share(fast)) < 0.005 && abs(share(whole) - share(balanced)) < 0.005)
        }

        @Test func `a region of interest has a mask of its own, and nobody has an empty one`() async throws {
            let half = try await mask(region: NormalizedRect(x: 0.25, y: 0, width: 0.5, height: 1))
            let whole = try await mask()
            #expect(half.width == whole.width / 2 && half.height == whole.height)
            var (common, all) = (0, 0)
            for y in 0..<half.height {
                for x in 0..<half.width {
                    let (one, other) = (
                        half.values[y * half.width + x] > 127, whole.values[y * whole.width + x + whole.width / 4] > 127
                    )
                    if one, other { common += 1 }
                    if one || other { all += 1 }
                }
            }
            #expect(Double(common) > 0.9 * Double(all))
            let wall = try await GeneratePersonSegmentationRequest().perform(
                on: Bitmap(width: 320, height: 240, green: 90))
            #expect(wall.size == CGSize(width: 320, height: 240) && wall.mask.values.allSatisfy { $0 == 0 })
        }

        @Test func `heads are hidden in every frame, also where somebody has just been lost`() throws {
            var hider = try PeopleHider(.faces)
            let truth = scene.truth().people[0]
            for index in stride(from: 0, to: scene.frameCount, by: 3) {
                let frame = scene.videoFrame(index)
                let parts = try hider.parts(of: frame, width: frame.width, height: frame.height)
                for name in ["nose", "leftEye", "rightEye"] {
                    let joint = try #require(truth.frames[index].keypoints[name])
                    let place = SIMD2(joint.x * Double(frame.width), (1 - joint.y) * Double(frame.height))
                    let isHidden = parts.heads.contains { head in
                        let away = place - head.center
                        return (away * away).sum().squareRoot() < head.radius
                    }
                    #expect(isHidden, "frame \(index), \(name)")
                }
                #expect(parts.mask == nil && parts.heads.count < 4)
            }
            let last = scene.videoFrame(scene.frameCount - 1)
            let empty = VideoFrame(
                bitmap: Bitmap(width: last.width, height: last.height, green: 90),
                id: TemporalSegmentIdentifier(
                    source: last.id.source, range: (last.id.range.upperBound)..<(last.id.range.upperBound + 1),
                    timescale: last.id.timescale))
            #expect(try !hider.parts(of: empty, width: last.width, height: last.height).heads.isEmpty)
        }

        @Test(
            .enabled(if: SharedData.isPresent, "the recordings are absent"),
            arguments: Sweep.of(
                ["repetitions/jacks_blue12.mp4", "repetitions/pf_correct111.mp4", "throws/more/neg_core.mp4"],
                or: ["throws/more/neg_core.mp4"])
        )
        func `no detector finds a face where faces are hidden`(file: String) async throws {
            let detector = try AnchorDetector.faces(store: .shared, precision: .f32)
            var hider = try PeopleHider(.faces)
            var (seen, left, frames) = (0, 0, 0)
            for try await element in try await VideoReader.read(contentsOf: SharedData.file(file)) {
                let frame = element.feature
                let bitmap = try hider.hidden(frame, width: frame.width, height: frame.height)
                frames += 1
                guard try !detector.detect(in: frame).isEmpty else { continue }
                seen += 1
                // Whole, and in the parts in which others search.
                let hidden = VideoFrame(bitmap: bitmap, id: frame.id)
                let parts = BodySearch.parts(of: hidden.size, shares: [0.6]).map(Optional.some) + [nil]
                if try parts.contains(where: { try !detector.detect(in: hidden, part: $0).isEmpty }) { left += 1 }
                if frames == 60 { break }
            }
            print("faces: \(file) \(seen) of \(frames) frames before hiding, \(left) after")
            #expect(seen > 20 && left == 0)
        }

        @Test(.enabled(if: SharedData.isPresent, "the recordings are absent"))
        func `a small face in the background is hidden where no body is found`() async throws {
            var (hider, index) = (try PeopleHider(.faces), 0)
            for try await element in try await VideoReader.read(
                contentsOf: SharedData.file("repetitions/squat_quarter3.mp4"))
            {
                defer { index += 1 }
                guard index == 100 else { continue }
                let parts = try hider.parts(of: element.feature, width: 406, height: 720)
                // A face 18 pixels wide, read off the frame.
                let isHidden = parts.heads.contains { head in
                    head.touches(HiddenParts.Head(center: SIMD2(163, 229), radius: 9)) && head.radius < 40
                }
                #expect(isHidden, "\(parts.heads)")
                return
            }
            Issue.record("the recording has fewer frames")
        }

        @Test func `silhouettes replace people, and a hidden background leaves them`() throws {
            let frame = scene.videoFrame(4)
            let plain = try frame.bitmap()
            func hidden(_ hiding: Hiding) throws -> Bitmap {
                var hider = try PeopleHider(hiding)
                return try hider.hidden(frame, width: frame.width, height: frame.height)
            }
            let (people, background) = (try hidden(.people), try hidden(.background))
            let hip = try #require(scene.truth().people[0].frames[4].keypoints["root"])
            let (x, y) = (Int(hip.x * Double(frame.width)), Int((1 - hip.y) * Double(frame.height)))
            #expect(people[x, y] == (150, 150, 150) && background[x, y] == plain[x, y])
            #expect(people[4, 4] == plain[4, 4] && background[4, 4] == (40, 40, 40))
        }

        @Test func `a picture in which nobody is found is hidden whole`() throws {
            var wall = Bitmap(width: 320, height: 240, green: 90)
            for index in 0..<320 * 240 where index % 8 < 4 { wall.pixels[4 * index + 1] = 220 }
            var hider = try PeopleHider(.people)
            let frame = VideoFrame(bitmap: wall, id: scene.videoFrame(4).id)
            let hidden = try hider.hidden(frame, width: wall.width, height: wall.height)
            #expect((0..<320).allSatisfy { hidden[$0, 120] != wall[$0, 120] })
        }
    }
}
