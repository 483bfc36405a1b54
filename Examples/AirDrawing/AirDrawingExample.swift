import Foundation
import Kinema
import KinemaDraw

/// Writes the lines that hands draw with pinches in a video: `swift run AirDrawing hands.mp4 drawing.svg`.
@main
enum AirDrawingExample {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        guard let video = arguments.first, video != "-h", video != "--help" else {
            return print("usage: AirDrawing VIDEO [DRAWING.svg | DRAWING.png]")
        }
        do {
            try await draw(URL(filePath: video), to: URL(filePath: arguments.dropFirst().first ?? "AirDrawing.svg"))
        } catch {
            FileHandle.standardError.write(Data("AirDrawing: \(error)\n".utf8))
            exit(1)
        }
    }

    /// Frames become hands, pinches become lines, and the lines a picture of the video's size.
    private static func draw(_ video: URL, to file: URL) async throws {
        let frames = try await VideoReader.read(contentsOf: video)
        let size = frames.frameSize
        var analysis = DrawAnalysis()
        for try await element in analysis.pipeline(frames) { _ = analysis.take(element.feature) }
        let strokes = analysis.drawing?.strokes ?? []
        try AirDrawing(strokes).write(to: file, width: Int(size.width), height: Int(size.height))
        print("\(strokes.count) lines in \(file.path)")
    }
}
