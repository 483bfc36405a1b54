import Foundation
import Kinema
import KinemaCore
import KinemaDraw
import KinemaMedia
import Synchronization

/// The uploads that are being analysed: each by one session at a time.
final class UploadsInWork: Sendable {
    private let ids = Mutex<Set<String>>([])

    /// Notes that the analysis of an upload begins; false when another one goes on.
    func begin(_ id: String) -> Bool { ids.withLock { $0.insert(id).inserted } }

    /// Notes that it is over.
    func end(_ id: String) { ids.withLock { _ = $0.remove(id) } }
}

/// Analyses an uploaded video as fast as it goes; no frame is dropped.
struct UploadRun {
    let worker: SessionWorker
    let upload: LiveConfiguration.Upload

    /// So often a client is told how far it is, and shown a picture, seconds.
    private static let telling = Duration.milliseconds(100)

    /// Reads and analyses every frame until the end, or until the session is to end.
    func run() async throws {
        let frames = try await VideoReader.read(
            .file(upload.video), limits: worker.service.configuration.reading)
        worker.openedName = upload.name
        let products = try UploadProducts(upload, worker.session.request, frames)
        let started = ContinuousClock.now
        var (sequence, told) = (UInt32(0), started)
        var iterator = frames.makeAsyncIterator()
        // Being interrupted ends the reading; what was written so far is completed all the same.
        while worker.session.endingReason == nil, let element = try await Self.next(&iterator) {
            let now = ContinuousClock.now
            let isTelling = now - told >= Self.telling
            if isTelling {
                told = now
                let rate = Double(sequence) / max((now - started) / .seconds(1), 1e-3)
                tell(element.id.rangeInSeconds.lowerBound, of: frames, Int(sequence), rate)
            }
            let frame = LiveFrame(sequence: sequence, arrival: now, content: .video(element.feature))
            if let findings = try await worker.analyseNext(frame, isTold: isTelling) {
                try products.add(findings, element.feature, Int(sequence))
            }
            sequence &+= 1
        }
        try products.finish()
        guard worker.session.endingReason == nil else { return }
        let seconds = max((ContinuousClock.now - started) / .seconds(1), 1e-3)
        tell(.infinity, of: frames, Int(sequence), Double(sequence) / seconds)
    }

    private static func next(
        _ iterator: inout VideoReader.AsyncFrames.Iterator
    ) async throws -> TemporalFeature<VideoFrame>? {
        do { return try await iterator.next() } catch is CancellationError { return nil }
    }

    private func tell(_ time: Double, of frames: VideoReader.AsyncFrames, _ count: Int, _ rate: Double) {
        let whole = frames.videoDuration
        let share = time == .infinity ? 1 : whole > 0 ? min(time / whole, 0.999) : 0
        worker.outbox.post(
            .json { json in
                json.pair("type", "progress")
                json.pair("fraction", share, decimals: 3)
                json.pair("frames", count)
                json.pair("framesPerSecond", rate, decimals: 1)
            })
    }
}
