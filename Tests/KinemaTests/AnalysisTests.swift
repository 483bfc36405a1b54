import Foundation
import Kinema
import KinemaDraw
import KinemaMedia
import KinemaSynth
import KinemaTestSupport
import KinemaToss
import Testing

/// Every capability's analysis, fed with frames by hand: no file, no clock, no model.
struct AnalysisTests {
    /// A frame that shows these poses and hands; its picture is grey.
    private func frame(
        _ index: Int, poses: [Pose] = [], hands: [HumanHandPoseObservation] = [], size: (Int, Int) = (96, 54)
    ) -> PosedFrame {
        let id = TemporalSegmentIdentifier(source: "drawn", range: index..<index + 1, timescale: 30)
        let picture = Bitmap(width: size.0, height: size.1, red: 90, green: 90, blue: 90)
        return PosedFrame(frame: VideoFrame(bitmap: picture, id: id), poses: poses, hands: hands)
    }

    /// The exact poses of a rendered scene.
    private func frames(_ scene: SynthScene) -> [PosedFrame] {
        let truth = scene.truth()
        return (0..<truth.frameCount).map { index in
            let poses = truth.people.map { person in
                let joints = person.frames[index].keypoints.map { name, joint in
                    JointPoint(
                        JointKey(rawValue: name), location: CGPoint(x: joint.x, y: joint.y),
                        confidence: joint.visibility == .visible ? 0.95 : 0.4)
                }
                return Pose(
                    from: Dictionary(uniqueKeysWithValues: joints.map { ($0.key, $0) }), keypoints3D: [:],
                    id: person.id, confidence: 1)
            }
            return frame(index, poses: poses)
        }
    }

    /// Runs an analysis to the end; returns its events and its report.
    private func run<One: Analysis>(
        _ analysis: One, _ frames: [PosedFrame]
    ) throws -> (analysis: One, events: [AnalysisEvent], report: AnalysisReport<One.Result>) {
        var analysis = analysis
        var run = AnalysisRun(source: "drawn")
        run.neededSeconds = analysis.neededSeconds
        var events: [AnalysisEvent] = []
        for frame in frames {
            run.add(frame, until: frame.frame.id.rangeInSeconds.upperBound)
            events += try analysis.take(frame)
        }
        events += analysis.finish()
        return (analysis, events, AnalysisReport(run: run, result: analysis.result))
    }

    /// Checks that the JSON reads back as the same result and that the table has one cell a column.
    private func check<Result: AnalysisResult & Equatable>(_ report: AnalysisReport<Result>) throws {
        let read = try JSONDecoder().decode(Result.self, from: report.json())
        #expect(read == report.result)
        #expect(report.result.rows.allSatisfy { $0.count == Result.columns.count })
        #expect(report.csv.split(separator: "\n").count == report.result.rows.count + 1)
        #expect(report.text.hasPrefix("drawn: "))
    }

    @Test func `counting reports each repetition once, in order, and sums them up`() throws {
        let (analysis, events, report) = try run(CountAnalysis(), frames(.demo))
        let told = events.compactMap { if case .repetition(let one) = $0 { one } else { nil } }
        #expect(told.map(\.number) == Array(1...8))
        let all = try #require(report.result.people.first?.repetitions)
        #expect(all.map(\.number) == told.map(\.number))
        // The whole recording shows better where each begins than its beginning did.
        #expect(zip(told, all).allSatisfy { $0.start < $1.end && $0.end > $1.start })
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.end <= $1.start + 0.05 })
        #expect(zip(told, told.dropFirst()).allSatisfy { $0.known <= $1.known })
        #expect(analysis.summary == "8 repetitions" && report.result.count == 8)
        try check(report)
        let line = try #require(events.first.map { try String(decoding: $0.json(), as: UTF8.self) })
        #expect(line.hasPrefix(#"{"repetition":{"#) && line.contains(#""number":1"#))
    }

    @Test func `coaching names the exercise and rates every repetition`() throws {
        var configuration = CoachAnalysis.Configuration()
        configuration.exercise = ExerciseLibrary.exercise(named: "jumping_jack")
        let (analysis, events, report) = try run(CoachAnalysis(configuration), frames(.demo))
        #expect(events.count == 8 && report.result.count == 8 && report.result.exercise == "jumping_jack")
        #expect(analysis.summary == "Jumping jack: 8 repetitions")
        try check(report)
    }

    @Test func `people may have any numbers, of which the least leads where all else is the same`() throws {
        let twins = frames(.demo).prefix(30).map { one in
            let poses = one.poses.flatMap { pose in
                [Int.max, .min].map { id -> Pose in
                    var pose = pose
                    pose.id = id
                    return pose
                }
            }
            return PosedFrame(frame: one.frame, poses: poses, hands: [])
        }
        let measure = MeasureAnalysis(MeasureAnalysis.Configuration(MeasureOptions(height: 1.75)))
        #expect(try run(measure, twins).report.result.person == Int.min)
        var everyone = CoachAnalysis.Configuration()
        everyone.scope = .all
        #expect(try run(CoachAnalysis(everyone), twins).analysis.leaderID == Int.min)
    }

    private func expectTooShort<One: Analysis>(
        _ analysis: One, _ frames: [PosedFrame], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let short = try run(analysis, Array(frames.prefix(3))).report
        let message = try #require(short.shortage?.message, sourceLocation: sourceLocation)
        #expect(message.contains("0.10 s (3 frames), at least"), "\(message)", sourceLocation: sourceLocation)
        let json = String(decoding: try short.json(), as: UTF8.self)
        #expect(
            json.contains(#""too_short":{"needed":"#) && json.contains(#""seconds":0.1}"#), "\(json)",
            sourceLocation: sourceLocation)
        #expect(short.result.rows.isEmpty, sourceLocation: sourceLocation)
        // A single frame lasts no time, also a picture's, whose time is a second.
        let one = try run(analysis, Array(frames.prefix(1))).report
        #expect(one.shortage?.message.contains("0.00 s (1 frame)") == true, sourceLocation: sourceLocation)
        let long = try run(analysis, frames).report
        #expect(long.shortage == nil, sourceLocation: sourceLocation)
        #expect(!String(decoding: try long.json(), as: UTF8.self).contains("too_short"), sourceLocation: sourceLocation)
    }

    @Test func `what saw too little says so, and how much it needs`() throws {
        let people = frames(.demo)
        try expectTooShort(CountAnalysis(), people)
        try expectTooShort(CoachAnalysis(), people)
        try expectTooShort(TossAnalysis(), people)
        try expectTooShort(DrawAnalysis(), hands(pinchedFrom: 20, to: 60, of: 90))
        // Nobody at all is another matter.
        let nobody = (0..<3).map { frame($0) }
        #expect(try run(CountAnalysis(), nobody).report.shortage == nil)
        #expect(try run(PoseAnalysis(), Array(people.prefix(1))).report.shortage == nil)
    }

    @Test func `a game of toss reports its state, board, player and path, and when they change`() throws {
        let scene = SynthScene.toss(seed: 2, throwCount: 1)
        let toss = try #require(scene.tossTruth)
        var configuration = TossAnalysis.Configuration()
        configuration.board = NormalizedBox("0.7,0.2,0.2,0.1")
        var analysis = TossAnalysis(configuration)
        #expect(analysis.state == .inactive && analysis.guidance == .locatingBoard && analysis.board == nil)
        var (states, throwsBegun, paths) = ([GameState](), 0, 0)
        for (index, seen) in frames(scene).enumerated() {
            // The bag alone on grey, where it is in truth.
            var picture = Bitmap(width: 320, height: 180, red: 90, green: 90, blue: 90)
            let time = scene.frameRate.seconds(atFrame: index)
            if let bag = toss.flights[0].bag.first(where: { abs($0[0] - time) < 1e-3 }) {
                try picture.draw {
                    $0.disc(at: CGPoint(x: bag[1] * 320, y: (1 - bag[2]) * 180), radius: 4, color: .white)
                }
            }
            _ = try analysis.take(
                PosedFrame(frame: VideoFrame(bitmap: picture, id: seen.frame.id), poses: seen.poses, hands: []))
            for case .stateChanged(let from, let to) in analysis.events {
                #expect(from == states.last ?? .inactive)
                states.append(to)
            }
            throwsBegun += analysis.events.count { $0 == .throwBegan }
            if !analysis.path.isEmpty { paths += 1 }
            if paths > 5 { break }
        }
        let order: [GameState] = [
            .setupCamera, .detectingBoard, .detectedBoard, .detectingPlayer, .detectedPlayer, .trackThrows,
        ]
        #expect(Array(states.prefix(6)) == order && throwsBegun >= 1 && paths > 5, "\(states) \(throwsBegun) \(paths)")
        #expect(analysis.board?.corners.count == 4 && analysis.player?.box.isEmpty == false)
    }

    @Test func `poses are summed up by person`() throws {
        let all = frames(.demo)
        let (_, events, report) = try run(PoseAnalysis(), all)
        #expect(events.isEmpty)
        let person = try #require(report.result.people.first)
        #expect(report.result.people.count == 1 && person.frames == all.count && person.start == 0)
        try check(report)
    }

    @Test func `drawing reports a pinch when it ends and keeps its line`() throws {
        let (analysis, events, report) = try run(DrawAnalysis(), hands(pinchedFrom: 20, to: 60, of: 90))
        let pinches = events.compactMap { if case .pinch(let one) = $0 { one } else { nil } }
        #expect(pinches.count == 1 && report.result.strokes.count == 1)
        let pinch = try #require(pinches.first)
        #expect(abs(pinch.start - 20 / 30.0) < 0.15 && abs(pinch.end - 60 / 30.0) < 0.15 && pinch.hand == "right")
        #expect(analysis.summary == "1 pinch")
        try check(report)
    }

    @Test func `both fingertips have rings in the colour of the state`() throws {
        var analysis = DrawAnalysis()
        for frame in hands(pinchedFrom: 20, to: 60, of: 90) {
            _ = analysis.take(frame)
            let state = try #require(analysis.states.first)
            let hand = try #require(frame.hands.first?.pose)
            let rings = analysis.layers.compactMap { if case .drawing(let one) = $0 { one.marks } else { nil } }
            let marks = try #require(rings.first)
            let tips = [JointKey.thumbTip, .indexTip].compactMap { hand.keypoints[$0]?.location }
            #expect(marks.count == 2)
            #expect(zip(marks, tips).allSatisfy { hypot($0.point.x - $1.x, $0.point.y - $1.y) < 1e-9 })
            let color: Color =
                switch state.state {
                case .pinched: Color(hex: 0x1FD6A0)
                case .possiblePinch, .possibleApart: Color(hex: 0xFFA81E)
                case .apart, .unknown: .fault
                }
            #expect(marks.allSatisfy { $0.color == color })
        }
    }

    @Test func `only what is asked for is explained`() throws {
        let frames = hands(pinchedFrom: 20, to: 60, of: 90)
        #expect(try run(DrawAnalysis(), frames).analysis.explanations.isEmpty)
        var configuration = DrawAnalysis.Configuration()
        configuration.explains = true
        let explained = try run(DrawAnalysis(configuration), frames).analysis.explanations
        #expect(explained.map(\.frame) == Array(0..<90))
        #expect(explained.filter { $0.state == .pinched }.count > 30)
        configuration.rule = .strict
        #expect(try run(DrawAnalysis(configuration), frames).analysis.explanations.isEmpty)
    }

    @Test func `flights are reported when they are over`() throws {
        let scene = SynthScene.throwing(seed: 10, size: (640, 360))
        let frames = (0..<scene.frameCount).map {
            PosedFrame(frame: scene.videoFrame($0, source: "drawn"), poses: [], hands: [])
        }
        let (_, events, report) = try run(TrajectoryAnalysis(), frames)
        #expect(!events.isEmpty && events.count == report.result.trajectories.count)
        try check(report)
    }

    @Test func `without a frame every analysis has an empty result`() throws {
        let count = try run(CountAnalysis(), []).report
        try check(count)
        #expect(count.text.contains("0 repetitions") && count.text.contains("no person found"))
        try check(try run(CoachAnalysis(), []).report)
        try check(try run(DrawAnalysis(), []).report)
        try check(try run(PoseAnalysis(), []).report)
        try check(try run(TrajectoryAnalysis(), []).report)
        try check(try run(TossAnalysis(), []).report)
        try check(try run(ArrivalsAnalysis(), []).report)
    }

    @Test func `a crowd is to be read with auto, or with the model itself where auto does not choose it`() {
        let people = (1...3).map { Pose(from: [:], keypoints3D: [:], id: $0, confidence: 1) }
        for (namesModel, option) in [(false, "--model auto"), (true, "--model tinypose-256x192")] {
            var check = CrowdCheck(namesModel: namesModel)
            #expect(check.note == nil)
            check.take(frame(0, poses: people))
            #expect(check.note?.contains("up to 3 people at once") == true)
            #expect(check.note?.contains(option) == true, "\(check.note ?? "")")
        }
    }

    @Test func `the overlay of a frame shows the skeleton and the count`() throws {
        var analysis = CountAnalysis()
        for frame in frames(.demo) { _ = analysis.take(frame) }
        let bare = Bitmap(width: 960, height: 540, red: 90, green: 90, blue: 90)
        var drawn = bare
        try OverlayRenderer().draw(analysis.layers, on: &drawn)
        let changed = zip(bare.pixels, drawn.pixels).count { $0 != $1 }
        #expect(changed > 20_000)
    }

    /// A right hand that moves to the right, its thumb and index tips together between two frames.
    private func hands(pinchedFrom start: Int, to end: Int, of count: Int) -> [PosedFrame] {
        (0..<count).map { index in
            let isPinched = (start..<end).contains(index)
            let x = 0.3 + 0.004 * Double(index)
            let fingers: [(String, Double)] = [
                ("thumb", -0.06), ("index", -0.03), ("middle", 0), ("ring", 0.03), ("little", 0.06),
            ]
            var joints: [JointKey: (CGPoint, SIMD3<Float>)] = [.wrist: (CGPoint(x: x, y: 0.3), SIMD3(0, -0.09, 0))]
            for (finger, offset) in fingers {
                let names =
                    finger == "thumb" ? ["CMC", "MP", "IP", "Tip"] : ["MCP", "PIP", "DIP", "Tip"]
                for (step, name) in names.enumerated() {
                    let (dx, dy) = (offset, 0.08 + 0.05 * Double(step))
                    joints[JointKey(rawValue: finger + name)] = (
                        CGPoint(x: x + dx, y: 0.3 + dy * 1.4), SIMD3(Float(dx), Float(dy) - 0.09, 0)
                    )
                }
            }
            let meeting = joints[.indexTip] ?? (.zero, .zero)
            joints[.thumbTip] =
                isPinched
                ? (CGPoint(x: meeting.0.x - 0.003, y: meeting.0.y), meeting.1 - SIMD3(0.003, 0, 0))
                : (CGPoint(x: x - 0.14, y: 0.42), SIMD3(-0.1, 0.0, 0))
            let pose = Pose(
                from: Dictionary(
                    uniqueKeysWithValues: joints.map {
                        ($0.key, JointPoint($0.key, location: $0.value.0, confidence: 0.95))
                    }),
                keypoints3D: Dictionary(
                    uniqueKeysWithValues: joints.map {
                        ($0.key, JointPoint3D($0.key, position: $0.value.1, confidence: 0.95))
                    }), id: 1, confidence: 0.95)
            return frame(index, hands: [HumanHandPoseObservation(pose, chirality: .right)])
        }
    }
}
