extension KeptSession {
    /// A fault of form in a repetition.
    package struct Fault: Sendable, Equatable {
        package var code: String
        package var title: String
        package var joint: String?
        package var phase: String?
        package var measured: Double?
        package var expected: Double?

        package init(
            code: String, title: String, joint: String? = nil, phase: String? = nil, measured: Double? = nil,
            expected: Double? = nil
        ) {
            self.code = code
            self.title = title
            self.joint = joint
            self.phase = phase
            self.measured = measured
            self.expected = expected
        }
    }

    /// How long the parts of a repetition took, seconds.
    package struct Tempo: Sendable, Equatable, Codable {
        package var out: Double
        package var hold: Double
        package var back: Double

        package init(out: Double, hold: Double, back: Double) {
            self.out = out
            self.hold = hold
            self.back = back
        }
    }

    /// One repetition; times are seconds from the session's first frame.
    package struct Repetition: Sendable, Equatable, Codable {
        package var person: Int
        package var start: Double
        package var end: Double
        package var confidence: Double?
        /// How far the movement went: the share of a full repetition's range.
        package var depth: Double?
        package var tempo: Tempo?
        package var faults: [Fault]

        package init(
            person: Int, start: Double, end: Double, confidence: Double? = nil, depth: Double? = nil,
            tempo: Tempo? = nil, faults: [Fault] = []
        ) {
            self.person = person
            self.start = start
            self.end = end
            self.confidence = confidence
            self.depth = depth
            self.tempo = tempo
            self.faults = faults
        }
    }

    /// One throw of a bean bag; times are seconds from the session's first frame, the angle is in degrees.
    package struct Throw: Sendable, Equatable {
        package var type: String
        package var speedMps: Double?
        package var angle: Double?
        package var landing: String
        package var score: Int
        package var start: Double
        package var end: Double

        package init(
            type: String, speedMps: Double?, angle: Double?, landing: String, score: Int, start: Double, end: Double
        ) {
            self.type = type
            self.speedMps = speedMps
            self.angle = angle
            self.landing = landing
            self.score = score
            self.start = start
            self.end = end
        }

        /// Miles an hour: 3600 seconds by 1609.344 metres.
        package var speedMph: Double? { speedMps.map { $0 * 3600 / 1609.344 } }
    }

    /// One pinch; times are seconds from the session's first frame.
    package struct Pinch: Sendable, Equatable, Codable {
        package var hand: String
        package var start: Double
        package var end: Double

        package init(hand: String, start: Double, end: Double) {
            self.hand = hand
            self.start = start
            self.end = end
        }
    }

    /// A stretch of time with one action; times are seconds from the session's first frame.
    package struct Segment: Sendable, Equatable, Codable {
        package var start: Double
        package var end: Double
        package var label: String
        package var confidence: Double

        package init(start: Double, end: Double, label: String, confidence: Double) {
            self.start = start
            self.end = end
            self.label = label
            self.confidence = confidence
        }
    }
}
