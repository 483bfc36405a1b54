@testable import KinemaPose
import Testing

struct BodyDetectionTests {
    private func detection(_ score: Float, x: Double, side: Double = 100) -> AnchorDetection {
        AnchorDetection(
            score: score, box: SIMD4(x, 0, x + side, side),
            keypoints: (0..<4).map { SIMD2(x + Double($0), 50) })
    }

    @Test func `the grid has the anchors of the published graph`() {
        let centers = AnchorGrid.bodies
        #expect(centers.count == 2254)
        #expect(centers[0] == SIMD2(0.5 / 28, 0.5 / 28))
        #expect(centers[1] == centers[0])
        #expect(centers[2] == SIMD2(1.5 / 28, 0.5 / 28))
        #expect(centers[28 * 28 * 2] == SIMD2(0.5 / 14, 0.5 / 14))
        #expect(centers[2253] == SIMD2(6.5 / 7, 6.5 / 7))
    }

    @Test func `overlapping boxes become their mean weighted by score`() {
        let merged = [detection(0.6, x: 10), detection(0.9, x: 0), detection(0.8, x: 300)].merged()
        #expect(merged.count == 2)
        #expect(merged[0].score == 0.9)
        // (0.9 x 0 + 0.6 x 10) / 1.5
        #expect(abs(merged[0].box.x - 4) < 1e-6)
        #expect(abs(merged[0].keypoints[2].x - 6) < 1e-6)
        #expect(merged[1].box.x == 300)
    }

    @Test func `boxes without an area end nowhere`() {
        #expect([detection(0.9, x: 0, side: 0), detection(0.8, x: 5)].merged().count == 1)
    }

    @Test func `the overlap of half shifted boxes is a third`() {
        #expect(abs(detection(1, x: 0).overlap(detection(1, x: 50)) - 1.0 / 3) < 1e-9)
        #expect(detection(1, x: 0).overlap(detection(1, x: 100)) == 0)
    }
}
