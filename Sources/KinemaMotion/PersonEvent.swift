/// An event of one person.
public struct PersonEvent<Event: Sendable>: Sendable {
    /// The person's number (`Pose.id`).
    public var person: Int
    /// The number under which the person came; the prominent person's may change.
    package var key: Int
    /// The number of the event among that person's, from 1.
    public var number: Int
    /// The event.
    public var event: Event
}

extension PersonEvent: Equatable where Event: Equatable {}

extension PersonEvent: Hashable where Event: Hashable {}
