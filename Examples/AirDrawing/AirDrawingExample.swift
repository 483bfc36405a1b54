import Foundation
import Kinema

/// Prints what a video's hands draw in the air while thumb and index finger meet: `swift run AirDrawing hands.mp4`.
@main
struct AirDrawingExample {
    static func main() async throws {
        guard let path = CommandLine.arguments.dropFirst().first else {
            print("usage: AirDrawing VIDEO")
            return
        }
        let frames = try await VideoReader.read(contentsOf: URL(filePath: path))
        var drawing: PinchDrawing?
        for try await element in GesturePipeline()(frames) {
            let drawn = element.feature
            for hand in drawn.states where hand.state == .pinched {
                let line = String(
                    format: "%.2f s  hand %d  %.3f, %.3f", drawn.frame.time, hand.id, hand.point.x, hand.point.y)
                print(line)
            }
            drawing = drawn.drawing
        }
        for stroke in drawing?.strokes ?? [] {
            print("hand \(stroke.id) drew a line of \(stroke.points.count) points, \(stroke.path.count) pieces")
        }
    }
}
