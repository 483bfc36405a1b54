/// What stands behind the socket.
package protocol LiveServing: Sendable {
    /// Serves one client until it has gone.
    func serve(_ socket: some LiveSocket) async
}

/// What the server serves besides its page.
package struct StudioServices: Sendable {
    /// The live sessions.
    package var live: any LiveServing
    /// The videos that clients sent.
    package var uploads: UploadStore

    /// Puts the services together.
    package init(live: any LiveServing, uploads: UploadStore) {
        self.live = live
        self.uploads = uploads
    }
}
