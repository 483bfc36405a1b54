/// An exercise; a repetition goes from the start posture to the far end of the movement and back.
package enum Movement: String, CaseIterable, Codable, Sendable {
    case jumpingJack, squat, pushUp, bicepsCurl, frontRaise, lateralRaise, shoulderPress, lunge, deadlift
    /// The trunk bent to the right with the left arm overhead, then up.
    case sideBend
    /// The left knee up to hip height, then down.
    case kneeRaise
    /// The straight left leg out to the side, then back.
    case sideLegRaise
    /// The trunk turned to the left with both arms ahead, then back.
    case torsoTwist
    case burpee, sitUp, legRaise, bridge
    /// The hands overhead, lowered behind the head and back.
    case overheadExtension
    /// The trunk leant forward, the hands pulled to the waist, then lowered.
    case bentOverRow
    /// The left heel up to the seat, then down.
    case legCurl

    /// The movements of random scenes; another one would change every scene of a seed.
    static let ofRandomScenes: [Movement] = allCases.filter {
        ![.overheadExtension, .bentOverRow, .legCurl].contains($0)
    }

    /// The usual duration of a repetition, in seconds.
    var tempo: ClosedRange<Double> {
        switch self {
        case .jumpingJack: 0.9...1.4
        case .squat: 1.8...3.2
        case .pushUp: 1.3...2.4
        case .bicepsCurl, .frontRaise, .lateralRaise, .shoulderPress, .sideBend, .torsoTwist, .overheadExtension,
            .bentOverRow:
            1.4...2.6
        case .kneeRaise, .sideLegRaise, .legCurl: 1...2
        case .lunge, .deadlift, .sitUp, .legRaise, .bridge: 1.8...3.2
        case .burpee: 2.6...4
        }
    }

    /// The duration of a repetition from the fastest to the slowest that people do, in seconds.
    var paces: ClosedRange<Double> {
        switch self {
        case .jumpingJack: 0.55...2
        case .kneeRaise: 0.5...2.5
        case .sideLegRaise, .legCurl: 0.7...4
        case .bicepsCurl, .frontRaise, .lateralRaise, .shoulderPress, .torsoTwist, .overheadExtension, .bentOverRow:
            0.8...5.5
        case .pushUp, .sideBend: 0.8...5
        case .squat, .bridge: 1...6
        case .lunge, .sitUp, .legRaise, .deadlift: 1.3...6
        case .burpee: 2...5
        }
    }

    var isOnFloor: Bool { [.pushUp, .sitUp, .legRaise, .bridge].contains(self) }

    var hasDumbbells: Bool {
        [.bicepsCurl, .frontRaise, .lateralRaise, .shoulderPress, .deadlift, .bentOverRow].contains(self)
    }

    var views: [SynthCamera.View] {
        switch self {
        case .pushUp, .sitUp, .legRaise, .bridge: [.side, .sideLeft]
        case .deadlift, .burpee: [.side, .sideLeft, .threeQuarter]
        case .squat, .shoulderPress: SynthCamera.View.allCases
        case .lunge, .bentOverRow, .legCurl: [.side, .sideLeft, .threeQuarter, .high]
        case .sideBend, .sideLegRaise: [.front, .back, .high, .low]
        case .torsoTwist: [.front, .high, .threeQuarter]
        case .kneeRaise, .bicepsCurl, .frontRaise: [.front, .side, .sideLeft, .threeQuarter, .high, .low]
        case .jumpingJack, .lateralRaise, .overheadExtension: [.front, .threeQuarter, .high, .low]
        }
    }

    /// The posture at a depth: 0 is the start posture, 1 the far end.
    func posture(depth: Double, body: Body) -> Posture {
        switch self {
        case .jumpingJack: jumpingJack(depth, body)
        case .squat: squat(depth, body)
        case .pushUp: PushUp(body: body).posture(depth: depth)
        case .bicepsCurl: curl(depth, body)
        case .frontRaise: raise(depth, body, plane: degrees(84))
        case .lateralRaise: raise(depth, body, plane: degrees(8))
        case .shoulderPress: shoulderPress(depth, body)
        case .lunge: lunge(depth, body)
        case .deadlift: deadlift(depth, body)
        case .sideBend: sideBend(depth, body)
        case .kneeRaise: kneeRaise(depth, body)
        case .sideLegRaise: sideLegRaise(depth, body)
        case .torsoTwist: torsoTwist(depth, body)
        case .burpee: burpee(depth, body)
        case .sitUp: sitUp(depth, body)
        case .legRaise: legRaise(depth, body)
        case .bridge: bridge(depth, body)
        case .overheadExtension: overheadExtension(depth, body)
        case .bentOverRow: bentOverRow(depth, body)
        case .legCurl: legCurl(depth, body)
        }
    }
}
