import Foundation

/// The clients that wait until they may send a video, in the order in which they came.
struct UploadQueue {
    private struct Waiting {
        var ticket: UUID
        var client: ClientAddress
        var lastAsked: ContinuousClock.Instant
    }

    private var waiting: [Waiting] = []

    /// A client that has not asked for as long has left; the page asks every two seconds.
    private static let patience = Duration.seconds(20)
    /// Four times the sockets that a studio serves.
    private static let most = 64

    /// The clients before one that asks, which waits from now on.
    mutating func ahead(of ticket: UUID, _ client: ClientAddress, at now: ContinuousClock.Instant) -> [ClientAddress] {
        waiting.removeAll { now - $0.lastAsked > Self.patience }
        if let place = waiting.firstIndex(where: { $0.ticket == ticket }) {
            waiting[place].lastAsked = now
            return waiting[..<place].map(\.client)
        }
        let before = waiting.map(\.client)
        if waiting.count < Self.most { waiting.append(Waiting(ticket: ticket, client: client, lastAsked: now)) }
        return before
    }

    mutating func leave(_ ticket: UUID) { waiting.removeAll { $0.ticket == ticket } }
}

/// A stored upload as its client's list shows it.
package struct ListedUpload: Sendable, Equatable, Encodable {
    package var upload: String
    package var name: String
    package var bytes: Int
    /// Whether it is being received, waits or is analysed, or was used a moment ago.
    package var isNeeded: Bool
}
