import Foundation
import Kinema
import KinemaCore
import KinemaMedia

extension SessionWorker {
    /// What the client is told first.
    var started: SocketMessage {
        .json { json in
            json.pair("type", "started")
            json.pair("session", session.id.uuidString)
            json.pair("mode", session.request.mode.rawValue)
            json.pair("source", session.request.source.kind)
            json.key("history")
            json.boolean(keeper != nil)
        }
    }

    /// What a frame showed.
    func result(_ findings: LiveFindings, _ picture: VideoFrame, _ frame: LiveFrame) -> SocketMessage {
        let counts = session.mailbox.counts
        return .json { json in
            json.pair("type", "result")
            json.pair("sequence", Int(frame.sequence))
            json.pair("time", picture.time)
            json.pair("width", picture.width)
            json.pair("height", picture.height)
            json.people(findings.poses, faults: findings.faults)
            json.hands(findings.hands, of: findings.poses, aspectRatio: picture.aspectRatio)
            analysis?.write(to: &json)
            json.pair("sent", counts.sent)
            // This one is still in flight until it is told.
            json.pair("analysed", counts.analysed + 1)
            json.pair("dropped", counts.dropped)
            json.pair("milliseconds", (ContinuousClock.now - frame.arrival) / .milliseconds(1), decimals: 2)
        }
    }

    /// Where what is worth keeping goes; nil when it is not to be kept.
    var keeper: (@Sendable (KeptSession) async throws -> Void)? {
        session.request.keep == false ? nil : service.configuration.history
    }

    /// Tells what became certain by the end, keeps what is worth it, and says that it is over.
    func conclude(_ reason: LiveSession.Ending) async {
        for event in analysis?.finish() ?? [] { outbox.post(event.text) }
        let summary = summary
        var isKept = false
        if let keeper, summary.isWorthKeeping {
            do {
                try await keeper(summary)
                isKept = true
            } catch {
                let why = (error as? KinemaError)?.message ?? "the history cannot be written"
                outbox.post(LiveProblem(.notKept, why).text)
            }
        }
        let counts = session.mailbox.counts
        outbox.post(
            .json { json in
                json.pair("type", "ended")
                json.pair("reason", reason.rawValue)
                json.pair("session", session.id.uuidString)
                json.key("kept")
                json.boolean(isKept)
                json.pair("sent", counts.sent)
                json.pair("analysed", counts.analysed)
                json.pair("dropped", counts.dropped)
                json.key("summary")
                json.raw((try? summary.json()) ?? Data("null".utf8))
            })
    }

    private var sourceName: String { openedName ?? session.request.sourceName }

    private var summary: KeptSession {
        var summary = KeptSession(
            id: session.id, date: session.date, mode: session.request.mode, source: sourceName, duration: duration)
        analysis?.summarise(&summary)
        summary.poses = poses?.linesOfSomeone
        return summary
    }
}
