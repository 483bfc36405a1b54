import Foundation
import KinemaCore
import KinemaMedia

/// Does the work of one session: opens its source, takes frames when it is their turn, and makes the end of it.
final class SessionWorker {
    let session: LiveSession
    let service: LiveService
    let outbox: Outbox
    var analysis: (any FrameAnalysing)?
    /// What the source is called, where only opening it tells.
    var openedName: String?
    private var decoding: FrameDecoding
    private var preview: JPEGEncoder?
    var poses: KeptPoses?
    /// The end of the newest frame analysed, seconds.
    private(set) var duration: TimeInterval = 0
    private var isClientsOwn: Bool { session.request.source.kind == "browser" }

    init(_ session: LiveSession) {
        self.session = session
        service = session.service
        outbox = session.outbox
        decoding = FrameDecoding(limits: service.configuration.limits, source: session.request.source.kind)
    }

    /// Works until the session is over; every frame is accounted for and `ended` is sent then.
    func run() async {
        var reason = LiveSession.Ending.failed
        do {
            if session.request.keepPoses == true, keeper != nil { poses = KeptPoses() }
            analysis = try service.makeAnalysis(session.request, service.configuration)
            outbox.post(started)
            try await LiveSource.run(self)
            reason = session.endingReason ?? .finished
        } catch {
            // Whoever ends a session interrupts what it is waiting for.
            if let ending = session.endingReason {
                reason = ending
            } else {
                outbox.post((error as? LiveProblem ?? LiveProblem(error)).text)
            }
        }
        session.end(reason)
        await conclude(reason)
    }

    /// Analyses the newest frame again and again until nobody sends any more.
    func analyseNewest() async throws {
        while await session.mailbox.waitForFrame() {
            try await service.turns.take { _ = try await analyseWaiting(isTold: true) }
        }
    }

    /// Analyses a frame when it is its turn, whatever comes meanwhile; nil when its picture cannot be read.
    func analyseNext(_ frame: LiveFrame, isTold: Bool) async throws -> LiveFindings? {
        session.offer(frame)
        return try await service.turns.take { try await analyseWaiting(isTold: isTold) }
    }

    /// Analyses the frame that waits and tells what it showed; nil when none does or its picture cannot be read.
    ///
    /// Throws when nothing further can be analysed.
    private func analyseWaiting(isTold: Bool) async throws -> LiveFindings? {
        guard let frame = session.mailbox.take() else { return nil }
        var isAnalysed = false
        defer { session.mailbox.settle(analysed: isAnalysed) }
        do throws(LiveProblem) {
            let picture = try decoding.picture(of: frame)
            let findings = try await analyse(picture)
            isAnalysed = true
            try tell(findings, picture, frame, withResult: isTold)
            try await catchUp()
            return findings
        } catch {
            guard error.code.isOfOneFrame else { throw error }
            outbox.post(error.text)
            return nil
        }
    }

    private func analyse(_ picture: VideoFrame) async throws(LiveProblem) -> LiveFindings {
        do {
            for command in session.takeCommands() { analysis?.obey(command) }
            let findings = try await analysis?.take(picture) ?? LiveFindings()
            duration = max(duration, picture.id.rangeInSeconds.upperBound)
            poses?.add(findings, picture)
            return findings
        } catch {
            throw LiveProblem(error)
        }
    }

    private func catchUp() async throws(LiveProblem) {
        do { try await analysis?.catchUp() } catch { throw LiveProblem(error) }
    }

    private func tell(
        _ findings: LiveFindings, _ picture: VideoFrame, _ frame: LiveFrame, withResult: Bool
    ) throws(LiveProblem) {
        // A client that is behind gets no results, and what they would have told stays to be told.
        let isKeepingUp = outbox.isKeepingUp && !session.isBehind()
        if let state = findings.state { session.tell(state) }
        for event in findings.events { outbox.post(event.text) }
        guard isKeepingUp, withResult else { return }
        if !isClientsOwn {
            do { try sendPreview(of: picture, sequence: frame.sequence) } catch { throw LiveProblem(error) }
        }
        outbox.post(result(findings, picture, frame), isResult: true)
    }

    private func sendPreview(of picture: VideoFrame, sequence: UInt32) throws {
        let encoder = try preview ?? JPEGEncoder()
        preview = encoder
        let (bytes, width, height) = try encoder.jpeg(picture)
        outbox.post(
            .binary(
                FrameMessage(
                    sequence: sequence, time: picture.time, width: width, height: height, picture: .jpeg(bytes)
                ).bytes))
    }
}
