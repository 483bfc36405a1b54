@testable import KinemaSampling
@testable import KinemaImaging
@testable import KinemaVision
import Foundation
import KinemaCore
import KinemaMedia
import KinemaTestSupport
import Testing

struct DetectContoursRequestTests {
    /// A picture whose brightness follows a rule; origin at the top left.
    private func picture(_ width: Int, _ height: Int, _ brightness: (_ x: Int, _ y: Int) -> UInt8) -> Bitmap {
        var bitmap = Bitmap(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width {
                for channel in 0..<3 { bitmap.pixels[(y * width + x) * 4 + channel] = brightness(x, y) }
            }
        }
        return bitmap
    }

    /// A bright board with a dark round hole, on grey, as seen from above.
    private var board: Bitmap {
        picture(400, 300) { x, y in
            let (dx, dy) = (Double(x) + 0.5 - 140, Double(y) + 0.5 - 90)
            if (dx * dx + dy * dy).squareRoot() < 25 { return 20 }
            return (100..<220).contains(x) && (50..<250).contains(y) ? 220 : 90
        }
    }

    @Test func `defaults are Vision's`() {
        let request = DetectContoursRequest()
        #expect(request.contrastAdjustment == 2)
        #expect(request.contrastPivot == 0.5)
        #expect(request.detectsDarkOnLight)
        #expect(request.maximumImageDimension == 512)
        #expect(request.regionOfInterest == .fullImage)
    }

    @Test func `a board and its hole are found where they are`() async throws {
        var request = DetectContoursRequest()
        request.detectsDarkOnLight = false
        let observation = try await request.perform(on: board)
        #expect(observation.contourCount == 2)
        let outline = try #require(observation.topLevelContours.first)
        let box = outline.boundingBox.toImageCoordinates(CGSize(width: 400, height: 300), origin: .upperLeft)
        for (found, drawn) in [(box.minX, 100.0), (box.maxX, 220), (box.minY, 50), (box.maxY, 250)] {
            #expect(abs(found - drawn) < 1e-4)
        }
        #expect(abs(outline.calculateArea(useOrientedArea: true) - 120 * 200 / (400 * 300)) < 1e-6)
        #expect(abs(outline.calculatePerimeter() - 640.0 / 400) < 1e-6)
        #expect(outline.aspectRatio == Float(400) / 300)
        #expect(outline.indexPath == [0])
        let hole = try #require(outline.childContours.first)
        #expect(hole.indexPath == [0, 0])
        #expect(observation.countourAtIndexPath([0, 0]) == hole)
        #expect(observation.countourAtIndexPath([0, 1]) == nil)
        #expect(observation.contourAtIndex(1) == hole)
        #expect(observation.contourAtIndex(2) == nil)
        let area = 25.0 * 25 * .pi / (400 * 300)
        #expect(abs(hole.calculateArea(useOrientedArea: true) + area) < 0.01 * area)
        #expect(hole.calculateArea(useOrientedArea: false) == -hole.calculateArea(useOrientedArea: true))
        let circle = hole.boundingCircle()
        // To the furthest corner of a pixel, not to its middle.
        #expect((25...25.75).contains(circle.radius * 400))
        #expect(abs(circle.center.x * 400 - 140) < 0.5 && abs((1 - circle.center.y) * 300 - 90) < 0.5)
        let path = observation.normalizedPath
        #expect(path.contains(NormalizedPoint(x: 0.5, y: 0.5)))
        #expect(!path.contains(NormalizedPoint(x: 0.35, y: 0.7)))
    }

    @Test func `a turned board is four corners in pixels not in shares`() async throws {
        // 120 x 60 pixels turned by 30 degrees.
        let (c, s) = (cos(Double.pi / 6), sin(Double.pi / 6))
        let bitmap = picture(400, 200) { x, y in
            let (dx, dy) = (Double(x) + 0.5 - 200, Double(y) + 0.5 - 100)
            return abs(c * dx + s * dy) < 60 && abs(c * dy - s * dx) < 30 ? 10 : 240
        }
        let found = try await DetectContoursRequest().perform(on: bitmap)
        let outline = try #require(found.topLevelContours.first)
        #expect(found.contourCount == 1)
        #expect(try outline.polygonApproximation(epsilon: 0.02).pointCount == 4)
        let quad = outline.boundingQuad
        let corners = [quad.topLeft, quad.topRight, quad.bottomRight, quad.bottomLeft].map {
            $0.toImageCoordinates(CGSize(width: 400, height: 200), origin: .upperLeft)
        }
        // y grows downwards: turned clockwise to the eye, the upper left corner has come up and to the right.
        let expected = [(-60.0, -30.0), (60, -30), (60, 30), (-60, 30)].map {
            (200 + c * $0 - s * $1, 100 + s * $0 + c * $1)
        }
        for (corner, place) in zip(corners, expected) {
            #expect(abs(corner.x - place.0) < 1.5 && abs(corner.y - place.1) < 1.5, "\(corner) for \(place)")
        }
        #expect(throws: KinemaError.self) { try outline.polygonApproximation(epsilon: -1) }
    }

    @Test func `only the region is searched and counts from it`() async throws {
        var request = DetectContoursRequest()
        request.regionOfInterest = NormalizedRect(x: 0.2875, y: 0.6, width: 0.125, height: 0.2)
        // The region lies within the board's upper part; the hole at (140, 90) fills its middle.
        let observation = try await request.perform(on: board)
        #expect(observation.contourCount == 1)
        let hole = try #require(observation.topLevelContours.first)
        #expect(hole.aspectRatio == Float(50) / 60)
        let box = hole.boundingBox.toImageCoordinates(
            from: request.regionOfInterest, imageSize: CGSize(width: 400, height: 300), origin: .upperLeft)
        #expect(abs(box.midX - 140) < 0.6 && abs(box.midY - 90) < 0.6 && abs(box.width - 50) < 1.1)
    }

    @Test func `large pictures are shrunk and small one's are not`() throws {
        let large = VideoFrame(
            bitmap: picture(1500, 600) { x, _ in x < 700 ? 0 : 255 },
            id: TemporalSegmentIdentifier(source: "test", range: 0..<1, timescale: 1))
        var request = DetectContoursRequest()
        #expect(request.raster(of: large).width == 512 && request.raster(of: large).height == 205)
        request.maximumImageDimension = 3
        #expect(request.raster(of: large).width == 64)
        request.maximumImageDimension = 5000
        #expect(request.raster(of: large).width == 1500)
    }

    @Test func `contrast moves the split towards the pivot`() {
        func split(_ contrast: Float, _ pivot: Float?, dark: Bool = true) -> UInt8? {
            let ramp = GrayPicture(width: 200, height: 1, pixels: (0..<200).map { $0 < 120 ? 30 : 190 })
            return BinaryThreshold(for: ramp, contrast: contrast, pivot: pivot, selectsDark: dark).lowestLight
        }
        #expect(split(2, 0.5) == 128)
        #expect(split(1, 0.2) == 128)
        // v' = 0.2 + 2 (v - 0.2) is above one half from 0.35 on.
        #expect(split(2, 0.2) == 90)
        #expect(split(3, 0.2) == 77)
        #expect(split(0, 0.2) == nil)
        #expect(split(2, nil).map { (31...190).contains($0) } == true)
    }

    @Test func `a picture of one colour has no contours when the split is automatic`() async throws {
        var request = DetectContoursRequest()
        request.contrastPivot = nil
        for dark in [true, false] {
            request.detectsDarkOnLight = dark
            #expect(try await request.perform(on: picture(90, 80) { _, _ in 17 }).contourCount == 0)
        }
    }

    @Test func `low contrast is split by itself`() async throws {
        var request = DetectContoursRequest()
        request.contrastPivot = nil
        request.detectsDarkOnLight = false
        let observation = try await request.perform(
            on: picture(90, 80) { x, y in x > 20 && x < 60 && y > 9 && y < 50 ? 52 : 40 })
        #expect(observation.contourCount == 1)
    }
}
