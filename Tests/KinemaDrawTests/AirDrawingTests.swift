import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

@testable import KinemaDraw

struct AirDrawingTests {
    private func stroke(_ points: [CGPoint], hand: HumanHandPoseObservation.Chirality = .right) -> Stroke {
        var stroke = Stroke(id: 1, hand: hand)
        for (index, point) in points.enumerated() { stroke.append(point, at: Double(index)) }
        return stroke
    }

    private func drawing(of stroke: Stroke, width: Int, height: Int) throws -> Bitmap {
        var bitmap = Bitmap(width: width, height: height, red: 255, green: 255, blue: 255)
        try bitmap.draw { AirDrawing([stroke]).draw(on: $0, outlined: false) }
        return bitmap
    }

    private func color(_ bitmap: Bitmap, _ x: Int, _ y: Int) -> [UInt8] {
        let start = y * bitmap.bytesPerRow + x * 4
        return Array(bitmap.pixels[start..<start + 3])
    }

    @Test func `a line is drawn where its points are with the origin at the lower left`() throws {
        let line = stroke([CGPoint(x: 0.1, y: 0.75), CGPoint(x: 0.5, y: 0.75), CGPoint(x: 0.9, y: 0.75)])
        let bitmap = try drawing(of: line, width: 400, height: 200)
        // Three quarters up is row 50 from the top: blue ink there, white elsewhere.
        #expect(color(bitmap, 200, 50) == [0xB2, 0x72, 0x00])
        #expect(color(bitmap, 200, 150) == [255, 255, 255])
        #expect(color(bitmap, 10, 50) == [255, 255, 255])
    }

    @Test func `a tap leaves a dot and the left hand draws orange`() throws {
        let bitmap = try drawing(of: stroke([CGPoint(x: 0.5, y: 0.5)], hand: .left), width: 400, height: 400)
        #expect(color(bitmap, 200, 200) == [0x00, 0x7B, 0xE0])
    }

    @Test func `the SVG holds curves`() throws {
        let folder = try TemporaryFolder()
        let line = stroke([CGPoint(x: 0, y: 0), CGPoint(x: 0.5, y: 1), CGPoint(x: 1, y: 0), CGPoint(x: 1, y: 1)])
        try AirDrawing([line]).write(to: folder.file("d.svg"), width: 300, height: 200)
        let text = try String(contentsOf: folder.file("d.svg"), encoding: .utf8)
        #expect(text.contains("viewBox=\"0 0 300 200\""))
        let path = try #require(text.firstMatch(of: #/ d="([^"]*)"/#)).1
        #expect(path.filter { $0 == "M" }.count == 1)
        #expect(path.filter { $0 == "L" }.count == 2)
        #expect(path.filter { $0 == "C" }.count == 2)
    }

    @Test func `another ending is refused`() throws {
        let folder = try TemporaryFolder()
        #expect(throws: KinemaError.self) {
            try AirDrawing([]).write(to: folder.file("d.txt"), width: 10, height: 10)
        }
    }

    @Test func `points that are no numbers harm nothing`() throws {
        let line = stroke([CGPoint(x: Double.nan, y: 0), CGPoint(x: 0.5, y: 0.5), CGPoint(x: Double.infinity, y: 0.2)])
        #expect(throws: Never.self) { try drawing(of: line, width: 100, height: 100) }
    }

    @Test func `every finger has its colour`() throws {
        var keypoints: [JointKey: JointPoint] = [:]
        for (column, finger) in HandSkeleton.fingers.enumerated() {
            for (row, key) in finger.enumerated() {
                let at = CGPoint(x: 0.1 + 0.2 * Double(column), y: 0.4 + 0.15 * Double(row))
                keypoints[key] = JointPoint(key, location: at, confidence: 1)
            }
        }
        keypoints[.wrist] = JointPoint(.wrist, location: CGPoint(x: 0.5, y: 0.1), confidence: 1)
        var bitmap = Bitmap(width: 400, height: 400)
        try OverlayRenderer().draw([.hands([Pose(from: keypoints)])], on: &bitmap)
        for (column, ink) in HandOverlay.fingers.enumerated() {
            // Between the third and the fourth joint of each finger.
            let seen = color(bitmap, Int(40 + 80 * Double(column)), Int(400 * (1 - 0.775)))
            let wanted = [ink.blue, ink.green, ink.red].map { UInt8(($0 * 255).rounded()) }
            #expect(zip(seen, wanted).allSatisfy { abs(Int($0) - Int($1)) <= 3 }, "finger \(column): \(seen)")
        }
        #expect(Set(HandOverlay.fingers.map { "\($0.red) \($0.green) \($0.blue)" }).count == 5)
    }
}
