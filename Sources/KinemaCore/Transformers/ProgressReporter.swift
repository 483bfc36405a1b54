/// Reports counts of finished items as events with one origin.
package struct ProgressReporter: Sendable {
    private let origin: String
    private let total: Int?
    private let eventHandler: EventHandler?

    package init(origin: any Any.Type, total: Int? = nil, eventHandler: EventHandler?) {
        // Make the name only if someone listens: it costs more than many a step.
        self.origin = eventHandler == nil ? "" : String(describing: origin)
        (self.total, self.eventHandler) = (total, eventHandler)
    }

    package func report(_ count: Int) {
        eventHandler?(Event(origin: origin, itemCount: count, totalItemCount: total, metrics: [:]))
    }
}
