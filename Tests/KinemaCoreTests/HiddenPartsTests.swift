import Foundation
import KinemaCore
import Testing

struct HiddenPartsTests {
    /// A pose with a face and a hip at places in pixels of the picture below.
    private func pose(face: SIMD2<Double>, hip: SIMD2<Double>) -> Pose {
        var pose = Pose(from: [:])
        for (key, place) in [(JointKey.nose, face), (.leftShoulder, hip), (.leftHip, hip)] {
            let location = CGPoint(x: place.x / 400, y: 1 - place.y / 300)
            pose.keypoints[key] = JointPoint(key, location: location, confidence: 0.9)
        }
        return pose
    }

    @Test func `a body's length is hidden around a face that has neither a silhouette nor a body with one`() {
        var mask = PersonMask(width: 400, height: 300)
        for y in 50..<250 { for x in 40..<120 { mask.raise(y * 400 + x, to: 200) } }
        func head(_ x: Double, _ y: Double) -> HiddenParts.Head { HiddenParts.Head(center: SIMD2(x, y), radius: 10) }
        // On the silhouette; the head of its body, outside the picture; where a body without a silhouette is; in the
        // background.
        let heads = [head(80, 60), head(80, -6), head(320, 60), head(350, 60)]
        var parts = HiddenParts(.people, heads: heads, mask: mask)
        let poses = [
            pose(face: SIMD2(80, -4), hip: SIMD2(80, 200)), pose(face: SIMD2(320, 60), hip: SIMD2(320, 200)),
        ]
        parts.hideBodies(besides: poses, width: 400, height: 300)
        #expect(parts.heads.map(\.radius) == [10, 10, 150, 150])
        var picture = Bitmap(width: 400, height: 300)
        for index in 0..<400 * 300 { picture.pixels[4 * index] = index % 2 == 0 ? 250 : 0 }
        let plain = picture
        picture.hide(parts)
        #expect((140..<200).allSatisfy { picture[320, $0] != plain[320, $0] })
        #expect(picture[80, 200] == (150, 150, 150))
    }

    @Test func `a head is covered by a plain square of no colour`() {
        var picture = Bitmap(width: 400, height: 300)
        for index in 0..<400 * 300 { picture.pixels[4 * index + index % 3] = UInt8(index % 251) }
        let plain = picture
        picture.hide(HiddenParts(.faces, heads: [HiddenParts.Head(center: SIMD2(100, 80), radius: 30)], mask: nil))
        for y in 50..<110 { #expect((70..<130).allSatisfy { picture[$0, y] == (150, 150, 150) }, "row \(y)") }
        #expect(picture[66, 80] == plain[66, 80] && picture[100, 114] == plain[100, 114])
    }
}
