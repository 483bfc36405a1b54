import KinemaCore
import Testing

struct HiddenPartsTests {
    @Test func `a body's length is hidden around a face that has neither a silhouette nor a body`() {
        var mask = PersonMask(width: 400, height: 300)
        for y in 50..<250 { for x in 40..<120 { mask.raise(y * 400 + x, to: 200) } }
        func head(_ x: Double, _ y: Double) -> HiddenParts.Head { HiddenParts.Head(center: SIMD2(x, y), radius: 10) }
        // On the silhouette; beside it, where a body's head was found; in the background; outside the picture.
        let heads = [head(80, 60), head(205, 60), head(320, 60), head(-5, 60)]
        var parts = HiddenParts(.people, heads: heads, mask: mask)
        parts.hideBodies(besides: [head(200, 62)])
        #expect(parts.heads.map(\.radius) == [10, 10, 150, 150])
        var picture = Bitmap(width: 400, height: 300)
        for index in 0..<400 * 300 { picture.pixels[4 * index] = index % 2 == 0 ? 250 : 0 }
        let plain = picture
        picture.hide(parts)
        #expect((200..<290).allSatisfy { picture[320, $0 - 60] != plain[320, $0 - 60] })
        #expect(picture[80, 200] == (150, 150, 150))
    }
}
