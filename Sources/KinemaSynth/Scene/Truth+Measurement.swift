extension Truth {
    /// What can be measured in a rendered scene of one person seen from the side.
    package struct Measurement: Codable, Sendable, Equatable {
        package struct Event: Codable, Sendable, Equatable {
            /// contact, toe-off, take-off, landing, stand (upright after a rise) or sit (on the stool again).
            package var kind: String
            /// left or right, for contacts and toe-offs.
            package var side: String?
            /// In seconds.
            package var time: Double
        }

        /// From the contact of one foot to that of the other, by whose side it goes.
        package struct Step: Codable, Sendable, Equatable {
            package var side: String
            /// In seconds.
            package var start, end: Double
            /// Between the heels, in metres.
            package var length: Double
        }

        package struct Jump: Codable, Sendable, Equatable {
            /// In seconds.
            package var takeOff, landing: Double
            /// From take-off to the highest point, in metres.
            package var height: Double
        }

        package struct Rise: Codable, Sendable, Equatable {
            /// The times of leaving the stool, being upright, leaving that and sitting again, in seconds.
            package var start, standing, sinking, seated: Double
        }

        package var test: String
        /// The standing height, in metres.
        package var height: Double
        /// The height of the picture at the person's distance, in metres.
        package var metresPerUnit: Double
        /// The rise of the floor to the right of the picture under the person, in degrees.
        package var floorAngle: Double
        /// Where the person goes in the picture: left, right or none.
        package var direction: String
        package var events: [Event]
        package var steps: [Step]
        package var jumps: [Jump]
        package var rises: [Rise]
        /// The middle of the hips in each frame: metres to the right along the floor, and above it.
        package var path: [[Double]]
    }
}

extension SynthScene {
    /// The truth of a scene to measure; nil for others.
    func measurementTruth() -> Truth.Measurement? {
        guard let test, let person = people.first else { return nil }
        let body = person.performance.body
        let projection = projection(at: 0)
        let roots = (0..<frameCount).map { person.performance.armature(at: frameRate.seconds(atFrame: $0)).root }
        let depth = roots.reduce(0) { $0 + projection.cameraSpace($1).z } / Double(frameCount)
        let right = projection.right.level.unit
        let path = roots.map { [$0.dot(right), $0.y] }
        let ends = [-1.0, 1].map { projection.cameraSpace(roots[0].level + right * $0) }.map { $0 / $0.z }
        let travel = path[frameCount - 1][0] - path[0][0]
        return Truth.Measurement(
            test: test.name, height: body.standingHeight,
            metresPerUnit: depth * Double(settings.height) / projection.focal,
            floorAngle: arcTangent(ends[1].y - ends[0].y, ends[1].x - ends[0].x) * 180 / Double.pi,
            direction: abs(travel) < 0.5 ? "none" : travel > 0 ? "right" : "left", events: test.events,
            steps: test.steps, jumps: test.jumps, rises: test.rises, path: path)
    }
}

extension MovementTest {
    var name: String {
        switch self {
        case .gait(let stride, _): stride.isRunning ? "run" : "walk"
        case .jumps: "jump"
        case .sitToStand: "sit-to-stand"
        case .ranges: "range-of-motion"
        case .rest: "rest"
        case .turntable: "turntable"
        }
    }

    private var contacts: [(side: String, time: Double, heel: Double)] {
        guard case .gait(let stride, let seconds) = self else { return [] }
        var contacts: [(side: String, time: Double, heel: Double)] = []
        for (side, isLeft) in [("left", true), ("right", false)] {
            for index in -1...Int(seconds / stride.period) + 1 {
                let contact = stride.contact(index, isLeft: isLeft)
                contacts.append((side, contact.time, contact.heel))
            }
        }
        return contacts.filter { (0...seconds).contains($0.time) }.sorted { $0.time < $1.time }
    }

    var events: [Truth.Measurement.Event] {
        var events = contacts.map { Truth.Measurement.Event(kind: "contact", side: $0.side, time: $0.time) }
        if case .gait(let stride, let seconds) = self {
            for isLeft in [true, false] {
                for index in -1...Int(seconds / stride.period) + 1 {
                    let time = stride.toeOff(index, isLeft: isLeft)
                    guard (0...seconds).contains(time) else { continue }
                    events.append(.init(kind: "toe-off", side: isLeft ? "left" : "right", time: time))
                }
            }
        }
        for jump in jumps {
            events += [.init(kind: "take-off", time: jump.takeOff), .init(kind: "landing", time: jump.landing)]
        }
        for rise in rises {
            events += [.init(kind: "stand", time: rise.standing), .init(kind: "sit", time: rise.seated)]
        }
        return events.sorted { $0.time < $1.time }
    }

    var steps: [Truth.Measurement.Step] {
        zip(contacts, contacts.dropFirst()).map { one, next in
            Truth.Measurement.Step(side: next.side, start: one.time, end: next.time, length: next.heel - one.heel)
        }
    }
}
