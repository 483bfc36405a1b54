package import Foundation
package import Kinema

/// One stored set, drawing or game. Its JSON has the same keys in the command, over HTTP and on the socket.
package struct StoredSession: Sendable, Equatable, Identifiable {
    package enum Mode: String, Sendable, Codable, CaseIterable {
        case poses, count, coach, draw, toss, classify
    }

    package enum Repetition: Sendable, Equatable {
        case counted(CountedRepetition)
        case coached(CoachedResult)
    }

    /// A held position; times are seconds from the session's first frame.
    package struct Hold: Sendable, Equatable, Codable {
        package var id: Int
        package var start: Double, end: Double
        package var faults: [FaultResult]

        package init(id: Int, start: Double, end: Double, faults: [FaultResult]) {
            (self.id, self.start, self.end, self.faults) = (id, start, end, faults)
        }
    }

    package var id: UUID
    /// The start, to the millisecond.
    package var date: Date
    package var mode: Mode
    /// A name for people: "camera", a file's name; never a path.
    package var source: String
    package var duration: Double
    /// The exercise that was coached or recognised.
    package var exercise: String?
    package var count = 0
    package var people = 0
    package var repetitions: [Repetition] = []
    package var holds: [Hold] = []
    package var throwsMade: [ThrowResult] = []
    /// The game's board and averages; nil without throws and for games of older versions.
    package var game: TossSummary?
    package var pinches: [PinchResult] = []
    package var segments: [SegmentResult] = []
    /// SVG.
    package var drawing: String?
    /// JSON Lines; nil unless requested.
    package var poses: Data? { didSet { hasPoses = poses != nil } }
    /// Whether poses are stored, even if they are not loaded.
    package internal(set) var hasPoses = false
    /// The true repetitions in order of time; nil if not corrected.
    package var corrections: [CorrectedRepetition]?
    package var marks: [SessionMark] = []
    package var video: SessionVideo?
    package var note = ""
    package var plan: SessionPlan?
    package var details: SessionDetails?
    /// Nil unless another session has the count of this set.
    package var view: SessionView?
    /// The name of the model that read an upload.
    package var model: String?
    /// Nil without poses.
    package var turn: TurnSkeleton?
    /// What could not be judged of a shown exercise, in words for people.
    package var unjudged: [String] = []
    /// Computed from the poses, and never read from a file; nil without any.
    package var measured: SetMeasurement?

    package init(id: UUID = UUID(), date: Date, mode: Mode, source: String, duration: Double = 0) {
        self.id = id
        // The precision of the database and of ISO 8601, so that a date is read as it was written.
        self.date = Date(timeIntervalSinceReferenceDate: (date.timeIntervalSinceReferenceDate * 1000).rounded() / 1000)
        self.mode = mode
        self.source = PlainText.name(source)
        self.duration = duration
    }

    /// Whether anything happened in it.
    package var isWorthStoring: Bool {
        count > 0 || segments.contains { $0.label != nil } || !pinches.isEmpty || !throwsMade.isEmpty
            || !repetitions.isEmpty || drawing != nil || hasPoses
    }

    /// As the history reads it for lists.
    var withoutPoses: StoredSession {
        var copy = self
        copy.poses = nil
        copy.hasPoses = hasPoses
        return copy
    }

    package var exports: [SessionFormat] {
        SessionFormat.allCases.filter { format in
            switch format {
            case .json: true
            case .jsonl, .csv, .svg, .png: hasEvents
            case .poseLines, .poseTable, .trc, .mot, .coco, .openpose: hasPoses
            case .labels: corrections != nil || !marks.isEmpty
            case .labelArchive: hasPoses && (corrections != nil || !marks.isEmpty)
            }
        }
    }

    private var hasEvents: Bool {
        !repetitions.isEmpty || !holds.isEmpty || !throwsMade.isEmpty || !pinches.isEmpty || !segments.isEmpty
            || corrections != nil || !marks.isEmpty
    }

    package var faults: [FaultResult] { repetitions.flatMap(\.faults) + holds.flatMap(\.faults) }
}

extension StoredSession.Repetition: Codable {
    package var id: Int { coached?.id ?? counted?.id ?? 0 }
    package var start: Double { coached?.start ?? counted?.start ?? 0 }
    package var end: Double { coached?.end ?? counted?.end ?? 0 }
    package var faults: [FaultResult] { coached?.faults ?? [] }
    /// 0...1; nil for a coached repetition.
    package var confidence: Double? { counted?.confidence }
    /// The share of a full repetition's range; nil if only counted.
    package var depth: Double? { coached?.depth }
    /// The symmetry of both sides, 0...1; nil if only counted, or unknown.
    package var symmetry: Double? { coached?.symmetry }
    /// How similar it is to a shown exercise, 0...100; nil for other exercises.
    package var likeness: Double? { coached?.likeness }
    /// The side that moved; nil if both did, or only counted.
    package var side: String? { coached?.side }
    /// Nil if only counted.
    package var tempo: CoachedResult.Tempo? { coached?.tempo }

    private var counted: CountedRepetition? { if case .counted(let one) = self { one } else { nil } }
    private var coached: CoachedResult? { if case .coached(let one) = self { one } else { nil } }

    private enum Key: CodingKey { case tempo }

    package init(from decoder: any Decoder) throws {
        let isCoached = try decoder.container(keyedBy: Key.self).contains(.tempo)
        self = isCoached ? .coached(try CoachedResult(from: decoder)) : .counted(try CountedRepetition(from: decoder))
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .counted(let one): try one.encode(to: encoder)
        case .coached(let one): try one.encode(to: encoder)
        }
    }
}

extension FaultResult {
    package var title: String { FaultCode(rawValue: code)?.title ?? code }
}

extension StoredSession: Codable {
    private enum Key: String, CodingKey {
        case id, date, mode, source, duration, exercise, count, people, repetitions, holds, pinches, segments, drawing
        case game, hasPoses, exports, corrections, correctedCount, marks, video, note, plan
        case details, turn, model, measured, unjudged, view
        case throwsMade = "throws"
    }

    /// UTC with milliseconds.
    static let dateFormat = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// A date in that form, which truncates to milliseconds; a stored date may be slightly below one.
    package static func text(_ date: Date) -> String { dateFormat.format(date.addingTimeInterval(0.000_1)) }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let text = try values.decode(String.self, forKey: .date)
        guard let date = try? Self.dateFormat.parse(text) else {
            throw DecodingError.dataCorruptedError(forKey: .date, in: values, debugDescription: "no ISO 8601: \(text)")
        }
        self.init(
            id: try values.decode(UUID.self, forKey: .id), date: date,
            mode: try values.decode(Mode.self, forKey: .mode), source: try values.decode(String.self, forKey: .source),
            duration: try values.decode(Double.self, forKey: .duration))
        exercise = try values.decodeIfPresent(String.self, forKey: .exercise)
        count = try values.decode(Int.self, forKey: .count)
        people = try values.decode(Int.self, forKey: .people)
        repetitions = try values.decodeIfPresent([Repetition].self, forKey: .repetitions) ?? []
        holds = try values.decodeIfPresent([Hold].self, forKey: .holds) ?? []
        throwsMade = try values.decodeIfPresent([ThrowResult].self, forKey: .throwsMade) ?? []
        game = try values.decodeIfPresent(TossSummary.self, forKey: .game)
        pinches = try values.decodeIfPresent([PinchResult].self, forKey: .pinches) ?? []
        segments = try values.decodeIfPresent([SegmentResult].self, forKey: .segments) ?? []
        drawing = try values.decodeIfPresent(String.self, forKey: .drawing)
        hasPoses = try values.decode(Bool.self, forKey: .hasPoses)
        corrections = try values.decodeIfPresent([CorrectedRepetition].self, forKey: .corrections)
        marks = try values.decodeIfPresent([SessionMark].self, forKey: .marks) ?? []
        video = try values.decodeIfPresent(SessionVideo.self, forKey: .video)
        note = try values.decodeIfPresent(String.self, forKey: .note) ?? ""
        plan = try values.decodeIfPresent(SessionPlan.self, forKey: .plan)
        details = try values.decodeIfPresent(SessionDetails.self, forKey: .details)
        view = try values.decodeIfPresent(SessionView.self, forKey: .view)
        turn = try values.decodeIfPresent(TurnSkeleton.self, forKey: .turn)
        model = try values.decodeIfPresent(String.self, forKey: .model)
        unjudged = try values.decodeIfPresent([String].self, forKey: .unjudged) ?? []
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(id, forKey: .id)
        try values.encode(Self.text(date), forKey: .date)
        try values.encode(mode, forKey: .mode)
        try values.encode(source, forKey: .source)
        try values.encode(duration, forKey: .duration)
        try values.encodeIfPresent(exercise, forKey: .exercise)
        try values.encode(count, forKey: .count)
        try values.encode(people, forKey: .people)
        try values.encode(repetitions, forKey: .repetitions)
        try values.encode(holds, forKey: .holds)
        try values.encode(throwsMade, forKey: .throwsMade)
        try values.encodeIfPresent(game, forKey: .game)
        try values.encode(pinches, forKey: .pinches)
        try values.encode(segments, forKey: .segments)
        try values.encodeIfPresent(drawing, forKey: .drawing)
        try values.encode(hasPoses, forKey: .hasPoses)
        try values.encodeIfPresent(corrections, forKey: .corrections)
        try values.encodeIfPresent(corrections?.count, forKey: .correctedCount)
        try values.encode(marks, forKey: .marks)
        try values.encodeIfPresent(video, forKey: .video)
        if !note.isEmpty { try values.encode(note, forKey: .note) }
        try values.encodeIfPresent(plan, forKey: .plan)
        try values.encodeIfPresent(details, forKey: .details)
        try values.encodeIfPresent(view, forKey: .view)
        try values.encodeIfPresent(turn, forKey: .turn)
        try values.encodeIfPresent(model, forKey: .model)
        try values.encodeIfPresent(measured, forKey: .measured)
        if !unjudged.isEmpty { try values.encode(unjudged, forKey: .unjudged) }
        try values.encode(exports.map(\.rawValue), forKey: .exports)
    }

    package func json() throws -> Data { try Self.json(self) }

    /// JSON in one line with sorted keys, in which no name acts on a terminal.
    package static func json(_ value: some Encodable) throws -> Data {
        return Data(JSONText.visible(try JSONEncoder.ordered.encode(value)))
    }
}
