/// A destination of results besides files.
package protocol LineReceiver: Sendable {
    var name: String { get }

    /// Sends lines in order; returns the number taken and the error, if any. Without lines it checks the connection.
    func send(_ lines: [WaitingLine]) async -> (taken: Int, failure: String?)

    /// Ends the connection, if one is kept.
    func end() async
}
