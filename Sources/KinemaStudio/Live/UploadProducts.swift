import KinemaHistory
import KinemaHTTP
import Foundation
import Kinema
import KinemaDraw

/// The files made from an upload: poses and, if requested, the overlay video; reports the progress.
final class UploadProducts {
    /// JSON Lines.
    private let poses: FileHandle
    private let place: URL
    private var overlay: VideoWriter?
    private let size: (width: Int, height: Int)
    private let duration: TimeInterval
    private let renderer = OverlayRenderer()
    private var hider: PeopleHider?
    /// The video to keep, with the hidden parts removed.
    private var film: VideoWriter?
    private let begin = ContinuousClock.now
    private var lastReport = ContinuousClock.now
    private var frames = 0
    /// The lines of poses written, and the layers of the latest.
    private var lines = 0
    private var layers: [OverlayLayer] = []

    private static let reportInterval = Duration.milliseconds(100)
    private static let unwritable = KinemaError(
        .unwritableOutput, "the poses cannot be written; check the space left for uploads")

    /// Opens the files; nil for other sources.
    init?(_ source: LiveSource, _ request: StartRequest) throws {
        guard let upload = source.upload, let video = source.video else { return nil }
        place = upload.poses
        do { poses = try UploadStore.create(upload.poses) } catch { throw Self.unwritable }
        size = (Int(video.frameSize.width), Int(video.frameSize.height))
        duration = video.duration
        overlay = request.overlay == true ? try Self.video(at: upload.overlay, of: video) : nil
        guard let hiding = request.hide, request.drawsFilm else { return }
        hider = try PeopleHider(hiding)
        film = request.keepVideo == true ? try Self.video(at: upload.hidden, of: video) : nil
    }

    /// Counts a frame and reports the progress when due; whether it did.
    func reportProgress(_ frame: LiveFrame, to outbox: Outbox) -> Bool {
        defer { frames += 1 }
        guard .now - lastReport >= Self.reportInterval else { return false }
        let time =
            switch frame.content {
            case .decoded(let picture): picture.time
            case .posed(let seen): seen.frame.time
            case .encoded(_, let microseconds): Double(microseconds.lowerBound) / 1_000_000
            }
        lastReport = .now
        let fraction = duration > 0 ? min(time / duration, 0.999) : 0
        outbox.post(.progress(fraction, frames: frames, rate: rate))
        return true
    }

    private var rate: Double { Double(frames) / max((ContinuousClock.now - begin) / .seconds(1), 1e-3) }

    private static func video(at url: URL, of frames: VideoReader.AsyncFrames) throws -> VideoWriter {
        try VideoWriter(
            url: url, width: Int(frames.frameSize.width), height: Int(frames.frameSize.height),
            timescale: frames.timescale, nominalFrameRate: Double(frames.nominalFrameRate))
    }

    func add(_ findings: LiveFindings, _ frame: VideoFrame) throws {
        do { try poses.write(contentsOf: findings.line(lines, frame)) } catch { throw Self.unwritable }
        lines += 1
        layers = findings.layers
        try draw(layers, frame)
    }

    /// Adds a frame that was not analysed to the films, with people where it says.
    func add(skipped seen: PosedFrame) throws {
        try draw(layers.showing(seen.poses, hands: seen.hands.map(\.pose)), seen.frame)
    }

    private func draw(_ layers: [OverlayLayer], _ frame: VideoFrame) throws {
        guard overlay != nil || film != nil else { return }
        var bitmap =
            try hider?.hidden(frame, width: size.width, height: size.height)
            ?? frame.bitmap(width: size.width, height: size.height)
        try film?.append(bitmap, at: frame.id.range)
        try renderer.draw(hider == nil ? layers : layers.map(\.withoutFaces), on: &bitmap)
        try overlay?.append(bitmap, at: frame.id.range)
    }

    func finish(reportingTo outbox: Outbox?) throws {
        // What is written into a removed file is lost.
        guard LineFile.isKept(poses, at: place) else { throw Self.unwritable }
        try? poses.close()
        if let overlay = overlay.take() { try overlay.finish() }
        if let film = film.take() { try film.finish() }
        outbox?.post(.progress(1, frames: frames, rate: rate))
    }
}

extension StartRequest {
    /// Whether a film of an upload is drawn: the overlay, or the video to keep without what is hidden.
    var drawsFilm: Bool { overlay == true || keepVideo == true && hide != nil }
}

/// The poses of a session as JSON Lines, for the history.
struct PoseRecording: Sendable {
    /// The lines; nil when neither a body nor a hand was seen.
    var linesOfSomeone: Data? { hasSomeone ? lines : nil }

    private(set) var lines = Data()
    private var count = 0
    private var hasSomeone = false

    /// Adds a frame's findings while there is room; whether there was.
    mutating func add(_ findings: LiveFindings, _ picture: VideoFrame) -> Bool {
        defer { count += 1 }
        guard lines.count < StoredSession.posesLimit else { return false }
        if !findings.poses.isEmpty || !findings.hands.isEmpty { hasSomeone = true }
        lines.append(contentsOf: findings.line(count, picture))
        return true
    }
}

extension LiveFindings {
    /// The poses of a frame as a line of JSON with its end.
    func line(_ index: Int, _ picture: VideoFrame) -> [UInt8] {
        var json = JSONText()
        json.frame(
            ExportedFrame(
                index: index, time: picture.time, width: picture.width, height: picture.height, poses: poses,
                hands: hands))
        json.newline()
        return json.bytes
    }
}
