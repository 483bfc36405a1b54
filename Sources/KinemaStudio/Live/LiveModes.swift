import KinemaHistory
import Foundation
import Kinema
import KinemaDraw
import KinemaMedia
import KinemaPhones
import KinemaToss

/// An analysis in the studio, with its results on the wire and in the history.
protocol LiveMode: Sendable {
    associatedtype Chosen: Analysis
    /// The library's own analysis, which the command runs too.
    var analysis: Chosen { get set }
    var subject: FramingCheck.Subject { get }
    /// The mode's own state; nil if only the framing counts.
    var state: SessionState? { get }
    var faults: [Int: Set<JointKey>] { get }

    mutating func take(_ seen: PosedFrame) throws -> [AnalysisEvent]
    mutating func apply(_ command: DrawingCommand)
    mutating func update()
    mutating func write(to json: inout JSONText)
    func summarise(_ session: inout StoredSession)
    /// For the page that shows all sessions; nil if nothing is counted.
    var standing: SessionStanding? { get }
}

extension LiveMode {
    var subject: FramingCheck.Subject { .somebody }
    var state: SessionState? { nil }
    var faults: [Int: Set<JointKey>] { [:] }
    mutating func apply(_ command: DrawingCommand) {}
    mutating func update() {}
    mutating func write(to json: inout JSONText) {}
    func summarise(_ session: inout StoredSession) {}
    var standing: SessionStanding? { nil }

    var pipeline: PosePipeline { analysis.pipeline }
    var layers: [OverlayLayer] { analysis.layers }
    var neededFrames: FrameSelection { analysis.framesToRead }

    mutating func take(_ seen: PosedFrame) throws -> [AnalysisEvent] {
        let events = try analysis.take(seen)
        update()
        return events
    }

    mutating func finish() -> [AnalysisEvent] { analysis.finish() }
}

extension StartRequest {
    var scope: PersonScope { people == .all ? .all : .prominent }
}

extension PosePipeline {
    /// Bodies of a live stream: no frame waits for the next.
    static func live(people: StartRequest.People, precision: ModelStore.Precision) -> PosePipeline {
        // Each person costs an inference in every frame; finding the prominent one among others takes few of them.
        let options = BodyPoseOptions(maximumPeople: people == .all ? 8 : 3, precision: precision)
        return PosePipeline(options: options, mode: .live)
    }

    /// Hands of a live stream, unsmoothed, since smoothing would delay the touch of the fingertips.
    static func liveHands(_ options: HandPoseOptions) -> PosePipeline {
        var pipeline = PosePipeline.handsOnly(options, smooths: false)
        pipeline.mode = .live
        return pipeline
    }
}

struct CountMode: LiveMode {
    var analysis: CountAnalysis
    let subject = FramingCheck.Subject.wholeBody

    init(_ request: StartRequest, precision: ModelStore.Precision) {
        var configuration = CountAnalysis.Configuration()
        configuration.pipeline = .live(people: request.people ?? .prominent, precision: precision)
        configuration.scope = request.scope
        // An upload is a recording whose count is asked for; a camera mostly sees nothing to count.
        configuration.expecting = if case .upload = request.source { .exercise } else { .anything }
        analysis = CountAnalysis(configuration)
    }

    func write(to json: inout JSONText) {
        json.object("count") { json in
            json.field("count", analysis.count)
            let people = analysis.result.people
            let shown = people.filter { $0.count > 0 || analysis.signal(of: $0.id) != nil }
            json.objects("people", shown) { entry, person in
                entry.field("id", person.id)
                entry.field("count", person.count)
            }
            let leader = people.max { ($0.count, $1.id) < ($1.count, $0.id) }
            json.field("phase", leader.flatMap { analysis.phase(of: $0.id)?.rawValue })
            json.field("signal", leader.flatMap { analysis.signal(of: $0.id) }, decimals: 3)
        }
    }

    var standing: SessionStanding? { SessionStanding(count: analysis.count) }

    func summarise(_ session: inout StoredSession) {
        let people = analysis.result.people
        session.count = analysis.count
        session.people = max(session.people, people.count { $0.count > 0 })
        session.repetitions = people.flatMap(\.repetitions).sorted { $0.start < $1.start }.map { .counted($0) }
    }
}

struct CoachMode: LiveMode {
    var analysis: CoachAnalysis
    /// Recognises what is done while a certain exercise is expected.
    private var recogniser: CoachAnalysis?
    let subject = FramingCheck.Subject.wholeBody

    init(_ request: StartRequest, exercise: Exercise?, among exercises: [Exercise], precision: ModelStore.Precision) {
        var configuration = CoachAnalysis.Configuration()
        configuration.exercises = exercises
        configuration.pipeline = .live(people: request.people ?? .prominent, precision: precision)
        configuration.scope = request.scope
        configuration.exercise = exercise
        analysis = CoachAnalysis(configuration)
        // A shown exercise may be a variant of a built-in one.
        guard exercise?.motion != nil else { return }
        configuration.exercise = nil
        configuration.exercises = exercises.filter { $0.motion != nil }
        recogniser = CoachAnalysis(configuration)
    }

    mutating func take(_ seen: PosedFrame) throws -> [AnalysisEvent] {
        _ = recogniser?.take(seen)
        return analysis.take(seen)
    }

    /// Repetitions more than of the expected exercise from which another one is named.
    private static let clearlyMore = 2

    /// The exercise that is done in place of the expected one; nil if that is done.
    private var other: ExerciseCoach? {
        guard let leader = recogniser?.leader, leader.exercise?.name != analysis.leader?.exercise?.name,
            leader.count >= (analysis.leader?.count ?? 0) + Self.clearlyMore
        else { return nil }
        return leader
    }

    var faults: [Int: Set<JointKey>] { analysis.faults }

    var standing: SessionStanding? {
        let leader = analysis.leader
        return SessionStanding(
            count: leader?.count ?? 0, exercise: leader?.exercise?.name, title: leader?.exercise?.title,
            held: leader?.heldSeconds ?? 0, cues: analysis.cues.map { FaultResult($0).code })
    }

    func write(to json: inout JSONText) {
        let leader = analysis.leader
        json.object("coach") { json in
            json.field("exercise", leader?.exercise?.name)
            json.field("title", leader?.exercise?.title)
            json.field("count", leader?.count ?? 0)
            json.field("phase", leader?.phase ?? "watching")
            json.field("held", leader?.heldSeconds ?? 0, decimals: 1)
            json.field("cues", encoded: analysis.cues.map(FaultResult.init))
            json.field("signal", analysis.signal, decimals: 3)
            json.field("id", analysis.leaderID)
            if let other {
                json.object("other") { entry in
                    entry.field("exercise", other.exercise?.name)
                    entry.field("count", other.count)
                }
            }
            if let leader { json.movement(of: leader) }
            json.objects("people", analysis.people) { entry, person in
                entry.field("id", person.id)
                entry.field("count", person.coach.count)
                entry.field("exercise", person.coach.exercise?.name)
                entry.field("title", person.coach.exercise?.title)
            }
        }
    }

    func summarise(_ session: inout StoredSession) {
        let result = analysis.result
        let people = result.people.filter { !$0.repetitions.isEmpty || !$0.holds.isEmpty }
        session.exercise = analysis.leader?.exercise?.name
        session.people = max(session.people, people.count)
        session.repetitions = result.repetitions.map { .coached($0) }
        session.unjudged = analysis.leader?.unjudged ?? []
        session.holds = people.flatMap { person in
            person.holds.map { .init(id: person.id, start: $0.start, end: $0.end, faults: $0.faults) }
        }
        // A position held counts as one repetition.
        session.count = session.repetitions.count + session.holds.count
    }
}

struct ClassifyMode: LiveMode {
    var analysis: ClassifyAnalysis

    /// The absence that ends a bout of an action, seconds.
    static let pause: TimeInterval = 20

    init(_ request: StartRequest, model: any ActionClassifier, precision: ModelStore.Precision) {
        var configuration = ClassifyAnalysis.Configuration(classifier: model)
        configuration.pipeline =
            model.subject == .hand
            ? .liveHands(HandPoseOptions(maximumHandCount: 1, precision: precision))
            : .live(people: request.people ?? .prominent, precision: precision)
        configuration.pause = Self.pause
        analysis = ClassifyAnalysis(configuration)
    }

    var subject: FramingCheck.Subject { analysis.configuration.classifier.subject == .hand ? .hands : .somebody }

    func write(to json: inout JSONText) {
        let prediction = analysis.prediction
        json.object("classify") { json in
            json.field("label", prediction?.label)
            json.field("confidence", prediction?.confidence, decimals: 4)
            json.object("probabilities") { list in
                for (label, value) in (prediction?.labelProbabilities ?? [:]).sorted(by: { $0.key < $1.key }) {
                    list.field(label, value, decimals: 4)
                }
            }
        }
    }

    func summarise(_ session: inout StoredSession) {
        session.segments = analysis.result.segments
        session.count = session.segments.count { $0.label != nil }
    }
}

struct DrawMode: LiveMode {
    var analysis: DrawAnalysis
    let subject = FramingCheck.Subject.hands
    private var colour = DrawingColour.usual
    private var lines = DrawnLines()
    private var aspectRatio = 1.0

    init(aspectRatio: Double, precision: ModelStore.Precision) {
        self.aspectRatio = aspectRatio
        var configuration = DrawAnalysis.Configuration()
        configuration.pipeline = .liveHands(HandPoseOptions(precision: precision, readsCloseUp: true))
        analysis = DrawAnalysis(configuration)
    }

    mutating func update() { lines.update(analysis.drawing?.strokes ?? [], colour: colour) }

    mutating func apply(_ command: DrawingCommand) {
        switch command {
        case .undo: analysis.apply(.undo)
        case .clear:
            analysis.apply(.clear)
            lines.isCleared = true
        case .colour(let colour): self.colour = colour
        }
        update()
    }

    mutating func write(to json: inout JSONText) {
        let pinching = analysis.hands.filter { $0.state == .pinched || $0.state == .possibleApart }
        json.object("draw") { json in
            json.field("pinching", strings: pinching.map { $0.side?.rawValue ?? "unknown" })
            json.objects("tips", analysis.states) { entry, hand in
                entry.field("state", hand.state.rawValue)
                entry.points("tips", [hand.thumbTip, hand.indexTip])
            }
            lines.write(to: &json)
        }
    }

    func summarise(_ session: inout StoredSession) {
        let strokes = analysis.drawing?.strokes ?? []
        session.pinches = analysis.result.pinches
        session.count = strokes.count
        guard session.count > 0 else { return }
        var picture = AirDrawing(strokes)
        picture.colors = strokes.map { Color(hex: lines.colour(of: $0).number) }
        // In the size of the usual picture; lines have no pixels of their own.
        session.drawing = try? picture.svg(width: Int((480 * aspectRatio).rounded()), height: 480)
    }
}

struct PosesMode: LiveMode {
    var analysis: PoseAnalysis
    let subject: FramingCheck.Subject

    init(_ request: StartRequest, precision: ModelStore.Precision) {
        var pipeline = PosePipeline.live(people: request.people ?? .all, precision: precision)
        if request.hands == true { pipeline.hands = HandPoseOptions(precision: precision) }
        analysis = PoseAnalysis(pipeline: pipeline)
        subject = request.wholeBody == true ? .wholeBody : .somebody
    }
}

struct TossMode: LiveMode {
    var analysis: TossAnalysis

    init(
        _ request: StartRequest, board: NormalizedBox?, throwClassifier: (any ThrowTypeClassifier)?,
        precision: ModelStore.Precision
    ) {
        var configuration = TossAnalysis.Configuration(
            pipeline: .live(people: request.people ?? .prominent, precision: precision))
        configuration.board = board
        configuration.rules.direction = request.direction ?? configuration.rules.direction
        configuration.rules.maxThrows = request.`throws`?.count ?? configuration.rules.maxThrows
        configuration.throwClassifier = throwClassifier ?? configuration.throwClassifier
        analysis = TossAnalysis(configuration)
    }

    var state: SessionState? {
        switch analysis.guidance {
        case .locatingBoard: .findingBoard
        case .keepStill: .keepStill
        case .placeBoard: .placeBoard
        case .boardOnly: .boardOnly
        case .stepIn, .go: .calibrating
        case .play: .playing
        case .gameOver: .gameOver
        }
    }

    func write(to json: inout JSONText) {
        let summary = analysis.result.summary
        json.object("toss") { json in
            json.field("state", analysis.state.rawValue)
            json.field("board", encoded: summary.board)
            json.field("line", encoded: summary.line)
            json.box("guide", analysis.guide)
            json.key("player")
            if let player = analysis.player {
                json.object { json in
                    json.field("id", player.id)
                    json.box("box", player.box)
                    json.field("distance_m", player.distance, decimals: 2)
                    json.field("distance_ft", player.distance.map { $0 * TossRules.feet }, decimals: 1)
                }
            } else {
                json.null()
            }
            json.points("path", analysis.path)
            json.field("count", analysis.throwCount)
            let most = analysis.configuration.rules.maxThrows
            json.field("most", most == .max ? nil : most)
            json.field("total", summary.total)
            if analysis.state == .showSummary { json.field("game", encoded: summary) }
        }
    }

    var standing: SessionStanding? { SessionStanding(count: analysis.throwCount) }

    func summarise(_ session: inout StoredSession) {
        session.throwsMade = analysis.result.throwList
        session.game = session.throwsMade.isEmpty ? nil : analysis.result.summary
        session.count = session.throwsMade.count
    }
}
