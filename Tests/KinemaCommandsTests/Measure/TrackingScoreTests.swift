import Foundation
import Kinema
import KinemaSynth
import KinemaTestSupport
import Testing

@testable import KinemaCommands

/// Frames are drawn as rows: each true person's letter, and the number found there or a dot.
struct TrackingScoreTests {
    /// `a1 b. +9` is person a found as 1, person b missed, and a 9 where nobody is.
    private func score(_ rows: [String], similarity: Double = 1) -> TrackingScore {
        var score = TrackingScore()
        for row in rows {
            var frame = TrackingScore.Frame(truth: [], found: [], similarity: [])
            let cells = row.split(separator: " ").map(Array.init)
            for cell in cells where cell[0] != "+" { frame.truth.append(Int(cell[0].asciiValue ?? 0) - 97) }
            for cell in cells where cell[1] != "." { frame.found.append(cell[1].wholeNumberValue ?? 0) }
            for cell in cells where cell[0] != "+" {
                frame.similarity.append(frame.found.map { cell[1].wholeNumberValue == $0 ? similarity : 0 })
            }
            score.add(frame)
        }
        return score
    }

    @Test func `who is found all the time under one number scores 1`() {
        let measures = score(["a1 b2", "a1 b2", "a1 b2"]).evaluate().measures
        #expect(abs(measures.hota - 1) < 1e-12 && measures.idf1 == 1 && measures.mota == 1)
        #expect(measures.switches == 0 && measures.fragments == 0 && measures.detectionF1 == 1)
    }

    @Test func `two who swap numbers half way are two switches and half of the identities`() throws {
        let (measures, people) = score(["a1 b2", "a1 b2", "a2 b1", "a2 b1"]).evaluate()
        #expect(measures.switches == 2 && measures.matches == 8 && measures.idf1 == 0.5)
        #expect(measures.mota == 0.75)
        // Each of 8 hits belongs to a pair that shares 2 of 6 frames; everyone is detected.
        #expect(abs(measures.assA - 1.0 / 3) < 1e-12 && abs(measures.hota - (1.0 / 3).squareRoot()) < 1e-12)
        #expect(people[0]?.ids == [1, 2] && people[0]?.switches == 1)
    }

    @Test func `a gap is a fragment, a miss and a false one are errors`() {
        let (measures, people) = score(["a1", "a.", "a1 +9", "a1"]).evaluate()
        #expect(measures.fragments == 0, "a frame without anyone found ends no track, as in TrackEval")
        #expect(measures.misses == 1 && measures.surplus == 1 && measures.mota == 0.5)
        #expect(measures.idf1 == 0.75 && people[0]?.matched == 3)
        let together = score(["a1 b2", "a. b2", "a1 b2"]).evaluate().measures
        #expect(together.fragments == 1 && together.switches == 0)
    }

    @Test func `HOTA counts a pair at the thresholds its similarity reaches`() {
        let measures = score(["a1", "a1"], similarity: 0.62).evaluate().measures
        #expect(abs(measures.hota - 12.0 / 19) < 1e-12, "0.05 to 0.60")
        #expect(score(["a1", "a1"], similarity: 0.45).evaluate().measures.idf1 == 0)
    }

    /// The sequence is made by a rule; the values are TrackEval 1.3.0's for it.
    @Test func `a long mixed sequence has TrackEval's values`() {
        var score = TrackingScore()
        for frame in 0..<60 {
            let truth: [Int] = (0..<5).filter { (frame + 3 * $0) % 11 != 0 }
            let found: [Int] = (0..<6).filter { (frame * 7 + $0 * 5) % 13 > 1 }
            let similarity = truth.map { person -> [Double] in
                let own = (person + (frame > 20 + 6 * person ? 1 : 0)) % 6
                return found.map { number -> Double in
                    let chance: Int = (frame * 31 + person * 17 + number * 7) % 50
                    return Double(chance + (own == number ? 50 : 0)) / 100
                }
            }
            score.add(.init(truth: truth, found: found, similarity: similarity))
        }
        let measures = score.evaluate().measures
        #expect(abs(measures.hota - reference.hota) < 1e-6, "\(measures)")
        #expect(abs(measures.detA - reference.detA) < 1e-6 && abs(measures.assA - reference.assA) < 1e-6)
        #expect(abs(measures.idf1 - reference.idf1) < 1e-6 && abs(measures.mota - reference.mota) < 1e-6)
        #expect(measures.switches == reference.switches && measures.fragments == reference.fragments)
    }

    private let reference = (
        hota: 0.33416752, detA: 0.52615176, assA: 0.21482858, idf1: 0.44020797, mota: 0.46520147, switches: 5,
        fragments: 57
    )
}

/// Truths from outside, and reports against them.
struct TrackReportTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func truth(_ text: String) throws -> TrackTruth {
        let url = folder.file("gt.txt")
        try Data(text.utf8).write(to: url)
        return try TrackTruth(contentsOf: url)
    }

    /// A pose whose joints span a box in pixels of a 100x100 picture, from the upper left.
    private func pose(_ id: Int, x: Double, y: Double, width: Double, height: Double) -> Pose {
        var pose = Pose(from: [:])
        pose.id = id
        for (key, dx, dy) in [(JointKey.nose, 0.0, 0.0), (.leftAnkle, 1.0, 1.0)] {
            let place = CGPoint(x: (x + dx * width) / 100, y: 1 - (y + dy * height) / 100)
            pose.keypoints[key] = JointPoint(key, location: place, confidence: 0.9)
        }
        return pose
    }

    @Test func `boxes of MOTChallenge are read from 1 and distractors take whoever is found there`() throws {
        let truth = try truth("1,4,11,21,20,60,1,1,1\n1,5,61,21,20,60,0,8,0.1\n2,4,11,21,20,60,1,1,1\n")
        let entries = truth.entries(0, width: 100, height: 100)
        #expect(entries.map(\.id) == [4, 5] && entries.map(\.isIgnored) == [false, true])
        #expect(entries[0].box.minX == 0.1 && abs(entries[0].box.minY - 0.2) < 1e-12)
        // Joints of 52 pixels' height have an outline of about 60.
        let people = [pose(1, x: 14, y: 25, width: 12, height: 52), pose(2, x: 64, y: 25, width: 12, height: 52)]
        let frame = TrackReport.judged(entries, people, .box, 100, 100)
        #expect(frame.truth == [4] && frame.found == [1])
        #expect((frame.similarity.first?.first ?? 0) > 0.8)
    }

    @Test func `a report without truth has each number's times and gaps`() throws {
        var report = TrackReport(truth: nil)
        for index in [0, 1, 2, 5, 6] {
            report.add(
                ExportedFrame(
                    index: index, time: Double(index) / 10, width: 100, height: 100,
                    poses: [pose(123, x: 10, y: 10, width: 10, height: 40)]))
        }
        try report.write(to: folder.file("report.json"), source: "clip.mp4")
        let value = try JSONSerialization.jsonObject(with: Data(contentsOf: folder.file("report.json")))
        let json = try #require(value as? [String: Any])
        let track = try #require((json["tracks"] as? [[String: Any]])?.first)
        #expect(track["id"] as? Int == 123 && track["frames"] as? Int == 5 && track["gaps"] as? Int == 1)
        #expect(abs((track["coverage"] as? Double ?? 0) - 5.0 / 7) < 1e-12 && json["truth"] == nil)
        #expect(abs((track["longestGap"] as? Double ?? 0) - 0.3) < 1e-12)
    }

    @Test(arguments: ["", "{}", "1,2,3", "a,b,c,d,e,f", "0,1,1,1,5,5", "1,1,nan,1,5,5", "1,1,1e30,1,5,5"])
    func `a broken truth is refused in one line`(text: String) throws {
        let error = #expect(throws: KinemaError.self) { try truth(text) }
        #expect(error?.code == .unreadableInput && error?.description.contains("\n") == false)
    }

    @Test func `a crowd is rendered, followed and scored by the command`() async throws {
        let clip = folder.file("crowd.mp4")
        let rendered = try await Program.run(
            "synth", "--scene", "crowd", "--people", "2", "--seconds", "1", "--size", "480x270", "--frame-rate", "10",
            "-o", clip.path)
        try #require(rendered.status == 0, "\(rendered.complaint)")
        let run = try await Program.run(
            "pose", clip.path, "--track-report", folder.file("report.json").path, "--track-truth",
            folder.file("crowd.json").path)
        #expect(run.status == 0, "\(run.complaint)")
        let value = try JSONSerialization.jsonObject(with: Data(contentsOf: folder.file("report.json")))
        let json = try #require(value as? [String: Any])
        let measures = try #require(json["truth"] as? [[String: Any]])
        #expect(measures.map { $0["similarity"] as? String } == ["OKS", "IoU"])
        #expect(measures.allSatisfy { (0...1).contains($0["HOTA"] as? Double ?? -1) })
        let wrong = try await Program.run("pose", clip.path, "--track-truth", folder.file("crowd.json").path)
        #expect(wrong.status == 64 && wrong.complaints.count == 1, "\(wrong.complaint)")
    }
}
