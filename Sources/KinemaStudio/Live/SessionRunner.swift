import KinemaHistory
import KinemaHTTP
import Foundation
import Kinema
import KinemaCore
import KinemaMedia
import KinemaPhones
import KinemaToss

struct SessionState: Sendable, Equatable {
    enum Name: String, Sendable {
        case connecting, live, reconnecting, nobody, queued
        case stepBack = "step-back"
        case findingBoard = "finding-board"
        case keepStill = "keep-still"
        case placeBoard = "place-board"
        case boardOnly = "board-only"
        case calibrating, playing
        case gameOver = "game-over"
    }

    var name: Name
    var message: String
    /// More detail for programs.
    var detail: String?
    /// The place in the queue, from 1.
    var position: Int?

    static let live = SessionState(name: .live, message: "")
    static let connecting = SessionState(name: .connecting, message: "Opening the source")
    static func reconnecting(_ reason: String) -> SessionState {
        SessionState(name: .reconnecting, message: "Lost, retrying: \(reason)")
    }
    static func queued(_ position: Int) -> SessionState {
        SessionState(
            name: .queued, message: "Number \(position) in the queue; starts by itself", position: position)
    }
    static let nobody = SessionState(name: .nobody, message: "No one is in view")
    static let noHands = SessionState(
        name: .nobody, message: "Hold up a hand so that the camera sees it", detail: "hands")
    static let feetOutside = SessionState(
        name: .stepBack, message: "Step back so that your feet are in view", detail: "feet")
    static let headOutside = SessionState(
        name: .stepBack, message: "Step back so that your head shows", detail: "head")
    static let sideOutside = SessionState(
        name: .stepBack, message: "Move so that your whole body is in the frame", detail: "side")
    static let findingBoard = SessionState(name: .findingBoard, message: TossGuidance.locatingBoard.text)
    static let keepStill = SessionState(name: .keepStill, message: TossGuidance.keepStill.text)
    static let placeBoard = SessionState(name: .placeBoard, message: TossGuidance.placeBoard.text)
    static let boardOnly = SessionState(name: .boardOnly, message: TossGuidance.boardOnly.text)
    static let calibrating = SessionState(name: .calibrating, message: "Board detected; step in to throw")
    static let playing = SessionState(name: .playing, message: "Throw")
    static let gameOver = SessionState(name: .gameOver, message: TossGuidance.gameOver.text)
}

/// Runs one session: opens its source, analyses the frames of its channel, sends and stores the results.
final class SessionRunner {
    private let session: LiveSession
    private let service: LiveService
    private let outbox: Outbox
    private let isBehind: @Sendable () -> Bool
    private var analysis: (any FrameAnalysing)?
    private var sourceName: String
    private var upload: StudioUpload?
    private var decoder: ClientFrameDecoder
    private var preview: JPEGEncoder?
    private var poses: PoseRecording?
    private var joints = JointSeries()
    /// The end of the newest frame analysed, seconds.
    private var duration: TimeInterval = 0

    init(_ session: LiveSession, _ service: LiveService, isBehind: @escaping @Sendable () -> Bool) {
        (self.session, self.service, self.isBehind) = (session, service, isBehind)
        outbox = session.outbox
        sourceName = session.request.source.displayName
        decoder = ClientFrameDecoder(
            limits: service.configuration.limits, isolation: service.configuration.isolation,
            source: session.request.source.kind)
    }

    /// Runs the session to its end; then every frame is counted and `ended` is sent.
    func run() async {
        var reason = LiveSession.Ending.failed
        do {
            if session.request.keepPoses == true, storage != nil { poses = PoseRecording() }
            analysis = try service.makeAnalysis(session.request, service.configuration)
            outbox.post(.started(session, isStored: storage != nil))
            try await service.activeSessions.whileActive(session.request.source) {
                try await inTurn {
                    let source = try await LiveSource.open(
                        session, service.configuration, analysis?.neededFrames ?? .all)
                    sourceName = source.name ?? sourceName
                    upload = source.upload
                    var pipeline: PosePipeline?
                    if upload != nil, let video = source.video { pipeline = try await analysis?.pipeline(for: video) }
                    // Alongside other sessions it takes turns at the models.
                    let running = service.activeSessions.count - service.uploadTurns.waiting
                    pipeline?.jobs = running <= 1 ? service.configuration.uploadWorkers : 1
                    try await analyse(source, posedBy: pipeline)
                }
            }
            reason = session.ending ?? .finished
        } catch {
            // Ending a session cancels its waits.
            if let ending = session.ending {
                reason = ending
            } else {
                outbox.post(.error(error as? LiveProblem ?? LiveProblem(error)))
            }
        }
        session.end(reason)
        await conclude(reason)
    }

    /// Runs the body once it is an upload's turn, and reports its place in the queue until then; no other source waits.
    private func inTurn(_ body: () async throws -> Void) async throws {
        guard case .upload(let id) = session.request.source else { return try await body() }
        let use = service.keepInUse(id)
        defer { use.cancel() }
        try await service.uploadTurns.withPermit(place: { [session] in session.report(.queued($0)) }, body)
    }

    /// Analyses the source's frames until it or the session ends.
    private func analyse(_ source: LiveSource, posedBy pipeline: PosePipeline?) async throws {
        let products = try UploadProducts(source, session.request)
        let (frames, models) = (session.frames, service.models)
        async let _: Void = source.feed(frames, posedBy: pipeline, models)
        do {
            for try await frame in frames {
                if case .posed(let seen) = frame.content, !seen.isAnalysed {
                    try products?.add(skipped: seen)
                    continue
                }
                let isShown = products?.reportProgress(frame, to: outbox) ?? true
                guard let (findings, picture) = try await analyse(frame, isShown: isShown) else { continue }
                try products?.add(findings, picture)
            }
        } catch is CancellationError where session.ending != nil {
            // The files of an upload are still completed.
        }
        try products?.finish(reportingTo: session.ending == nil ? outbox : nil)
    }

    /// Analyses the newest waiting frame and sends the results; nil if it is unreadable. Throws to end the session.
    private func analyse(_ waiting: LiveFrame, isShown: Bool) async throws -> (LiveFindings, VideoFrame)? {
        do {
            return try await service.models.withPermit {
                let frame = session.frames.newest(insteadOf: waiting)
                let picture = try decoder.picture(of: frame)
                let findings = try findings(in: picture, of: frame)
                try send(findings, picture, frame, withResult: isShown)
                try analysis?.catchUp()
                return (findings, picture)
            }
        } catch {
            session.frames.reject()
            guard let problem = error as? LiveProblem, problem.code.concernsOneFrame else { throw error }
            outbox.post(.error(problem))
            return nil
        }
    }

    private func findings(in picture: VideoFrame, of frame: LiveFrame) throws -> LiveFindings {
        for command in session.takeCommands() { analysis?.apply(command) }
        let taken =
            if case .posed(let seen) = frame.content { try analysis?.take(seen) } else { try analysis?.take(picture) }
        let findings = taken ?? LiveFindings()
        duration = max(duration, picture.id.rangeInSeconds.upperBound)
        if poses?.add(findings, picture) == true {
            joints.add(findings.poses, at: picture.time, shape: Double(picture.width) / Double(max(1, picture.height)))
        }
        return findings
    }

    private func send(_ findings: LiveFindings, _ picture: VideoFrame, _ frame: LiveFrame, withResult: Bool) throws {
        // A client that is behind gets no results; its next one has all changes.
        let isKeepingUp = outbox.isKeepingUp && !isBehind()
        if let state = findings.state { session.report(state) }
        session.place.update(
            analysis?.standing, time: picture.time,
            milliseconds: (ContinuousClock.now - frame.arrival) / .milliseconds(1),
            width: picture.width, height: picture.height)
        for event in findings.events { SocketMessage.event(event).map { outbox.post($0) } }
        guard isKeepingUp, withResult else { return }
        if !session.request.source.isClient { try sendPreview(of: picture, sequence: frame.sequence) }
        let result = SocketMessage.result(findings, picture, frame, session.frames.tally) { analysis?.write(to: &$0) }
        outbox.post(result, isResult: true)
    }

    private func sendPreview(of picture: VideoFrame, sequence: UInt32) throws {
        let encoder = try preview ?? JPEGEncoder()
        preview = encoder
        let (bytes, width, height) = try encoder.jpeg(picture)
        let frame = FrameMessage(
            sequence: sequence, time: picture.time, width: width, height: height, picture: .jpeg(bytes))
        outbox.post(.binary(frame.bytes))
    }

    // MARK: The end

    /// Nil if this session is not to be stored.
    private var storage: (@Sendable (StoredSession, StoredSession?) async throws -> Bool)? {
        session.request.keep == false ? nil : service.configuration.history
    }

    /// Sends the final events, stores the session if anything happened in it, and sends `ended`.
    private func conclude(_ reason: LiveSession.Ending) async {
        for event in analysis?.finish() ?? [] { SocketMessage.event(event).map { outbox.post($0) } }
        var summary = StoredSession(
            id: session.id, date: session.date, mode: session.request.mode, source: sourceName, duration: duration)
        analysis?.summarise(&summary)
        if let note = analysis?.crowdNote { outbox.post(.error(LiveProblem(.crowd, note))) }
        (summary.plan, summary.details) = (session.request.plan, session.request.details)
        if let set = session.place.set {
            // What people say of a set is said of the session that counts it.
            summary.view = SessionView(of: set.session, offset: set.offset)
            (summary.plan, summary.details) = (nil, nil)
        }
        // A video may be of any day.
        if !session.request.source.isUpload, let details = summary.details, details.workout == nil {
            let known = try? await service.configuration.workout(details.person, session.date)
            summary.details?.workout = known ?? UUID()
        }
        summary.poses = poses?.linesOfSomeone
        complete(&summary, joints)
        var (isStored, isContinued) = (false, false)
        if let storage {
            do {
                (isStored, isContinued) = try await keep(&summary, storage)
                if isStored, session.request.keepVideo == true, let upload {
                    let film = session.request.hide == nil ? upload.video : upload.hidden
                    summary.video = try await service.configuration.keepVideo?(
                        summary.id, film, session.request.hide != nil)
                }
            } catch {
                let reason = (error as? KinemaError)?.message ?? "the history cannot be written"
                let message = isStored ? "the session is kept without its video: \(reason)" : reason
                outbox.post(.error(LiveProblem(.notKept, message)))
            }
        }
        session.place.end(summary.id)
        outbox.post(.ended(summary, reason, session.frames.tally, isStored: isStored, isContinued: isContinued))
    }

    private func complete(_ summary: inout StoredSession, _ joints: JointSeries?) {
        summary.turn = TurnSkeleton(summary)
        summary.measured = nil
        if summary.hasPoses, let joints {
            let exercises = service.configuration.offeredExercises
            let exercise = summary.exerciseName.flatMap { ExerciseLibrary.exercise(named: $0, in: exercises) }
            summary.measured = SetMeasurement(summary, joints, exercise)
        }
        if summary.trim() {
            outbox.post(.error(LiveProblem(.notKept, "the session is too long; only the first results are kept")))
        }
    }

    /// Other parts of a set that may be stored between reading and writing.
    private static let mostParts = 8

    /// Stores the session if anything happened in it, merged with the stored part of its set: the one before the lost
    /// connection, or the one after it if that ended first.
    private func keep(
        _ summary: inout StoredSession, _ storage: @Sendable (StoredSession, StoredSession?) async throws -> Bool
    ) async throws -> (isStored: Bool, isContinued: Bool) {
        for _ in 0..<Self.mostParts {
            let found: StoredSession?
            // A stored session that cannot be read is left alone, like another set.
            do { found = try await service.configuration.remembered(summary.id) } catch { break }
            guard let stored = found else {
                guard summary.isWorthStoring else { return (false, false) }
                if try await storage(summary, nil) { return (true, false) }
                continue
            }
            guard stored.goesOn(with: session.request, at: summary.date, lasting: summary.duration) else { break }
            var whole = stored.joined(with: summary)
            complete(&whole, whole.poses.flatMap(JointSeries.init))
            if try await storage(whole, stored) {
                summary = whole
                return (true, true)
            }
        }
        summary.id = UUID()
        guard summary.isWorthStoring else { return (false, false) }
        return (try await storage(summary, nil), false)
    }
}

/// One set whose connection was lost: two sessions of the service, one in the history.
extension StoredSession {
    /// Seconds; after a longer break it is another set.
    private static let longestBreak = 600.0

    /// Whether a session of this request, which began at a time and lasted `seconds`, is part of the same set: after
    /// this one, or before it if the lost connection timed out last.
    func goesOn(with request: StartRequest, at moment: Date, lasting seconds: Double = 0) -> Bool {
        let distance = moment.timeIntervalSince(date)
        let pause = distance < 0 ? -distance - seconds : distance - duration
        let isSameExercise = exercise == nil || [nil, "auto", exercise].contains(request.exercise)
        return mode == request.mode && [.count, .coach].contains(mode) && isSameExercise && plan == request.plan
            && details?.person == request.details?.person
            && (-Self.longestBreak...Self.longestBreak).contains(pause)
    }
}
