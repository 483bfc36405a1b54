/// Receives the events of a transformer; called on the task that does the work.
public typealias EventHandler = @Sendable (Event) -> Void
