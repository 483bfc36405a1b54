/// Turns counts of done items into events with one origin.
package struct ProgressReporter: Sendable {
    private let origin: String
    private let total: Int?
    private let eventHandler: EventHandler?

    /// Makes a reporter named after a type; without a handler it does nothing.
    package init(origin: any Any.Type, total: Int? = nil, eventHandler: EventHandler?) {
        // The name is made only when someone listens: it costs more than many a step.
        self.origin = eventHandler == nil ? "" : String(describing: origin)
        self.total = total
        self.eventHandler = eventHandler
    }

    /// Tells the handler how many items are done.
    package func report(_ count: Int) {
        eventHandler?(Event(origin: origin, itemCount: count, totalItemCount: total, metrics: [:]))
    }
}
