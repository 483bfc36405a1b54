import Foundation
import KinemaStudio
import Testing

struct KeptSessionTests {
    @Test func aSessionComesBackFromItsJSONAsItWas() throws {
        var session = KeptSession(
            id: UUID(), date: Date(timeIntervalSince1970: 1000), mode: .count, source: "camera", duration: 3)
        session.repetitions = [.init(person: 1, start: 0.5, end: 1.5)]
        let data = try JSONEncoder().encode(session)
        #expect(try JSONDecoder().decode(KeptSession.self, from: data) == session)
    }
}
