/// What stands behind the socket.
package protocol LiveServing: Sendable {
    /// Serves one client until it has gone.
    func serve(_ socket: some LiveSocket) async

    /// What can be chosen from.
    func status() -> LiveStatus
}

/// What the server serves besides its page.
package struct StudioServices: Sendable {
    /// The live sessions.
    package var live: any LiveServing
    /// The videos that clients sent.
    package var uploads: UploadStore
    /// The sessions that were kept; nil where none are.
    package var history: HistoryStore?

    /// Puts the services together.
    package init(live: any LiveServing, uploads: UploadStore, history: HistoryStore? = nil) {
        self.live = live
        self.uploads = uploads
        self.history = history
    }
}
