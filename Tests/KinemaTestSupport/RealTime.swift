package import Testing

extension Tag {
    /// Servers, sockets and cameras that live in real time: `script/test` runs suites with this tag one after the other, and
    /// what runs beside them gives way.
    @Tag package static var realTime: Self
}
