import Foundation
import Kinema
import KinemaCore
import KinemaDraw
import KinemaMedia

/// What is written beside an analysed upload: the poses, and the overlay video when it is asked for.
final class UploadProducts {
    private let poses: PoseFile
    private var overlay: VideoWriter?
    private let size: (width: Int, height: Int)
    private let renderer = OverlayRenderer()

    init(_ upload: LiveConfiguration.Upload, _ request: StartRequest, _ frames: VideoReader.AsyncFrames) throws {
        poses = try PoseFile(upload.poses)
        size = (Int(frames.frameSize.width), Int(frames.frameSize.height))
        overlay = request.overlay == true ? try Self.video(at: upload.overlay, of: frames) : nil
    }

    private static func video(at url: URL, of frames: VideoReader.AsyncFrames) throws -> VideoWriter {
        try VideoWriter(
            url: url, width: Int(frames.frameSize.width), height: Int(frames.frameSize.height),
            timescale: frames.timescale, nominalFrameRate: Double(frames.nominalFrameRate))
    }

    /// Adds a frame with what was found in it.
    func add(_ findings: LiveFindings, _ frame: VideoFrame, _ index: Int) throws {
        try poses.add(
            ExportedFrame(
                index: index, time: frame.time, width: frame.width, height: frame.height, poses: findings.poses,
                hands: findings.hands))
        guard overlay != nil else { return }
        var bitmap = try frame.bitmap(width: size.width, height: size.height)
        try renderer.draw(findings.layers, on: &bitmap)
        try overlay?.append(bitmap, at: frame.id.range)
    }

    /// Completes the files.
    func finish() throws {
        try poses.close()
        guard let overlay = overlay.take() else { return }
        try overlay.finish()
    }
}
