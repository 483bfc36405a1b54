import ArgumentParser
import Foundation
import Kinema

/// `kinema-bench screens`: what the screen of Apple's counting sample shows of labelled recordings.
struct ScreensCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "screens",
        abstract: "Counts labelled recordings as Apple's counting sample does and prints what its screen shows.",
        discussion: """
            After each name come the label, the counts shown before each reset to 0 and at the end (their sum is compared with \
            the label), and how many updates during the labelled time are within one of the label's share of that time, \
            including previous sets.
            """)

    @Argument(help: "A CSV file of labels: file, reps, reps_low, reps_high, start, end.")
    var labels: String

    @Option(help: "Read only every Nth row.")
    var every = 1

    /// What the screen showed: seconds, the count, and the sum of the previous sets.
    private typealias Shown = (time: Double, count: Float, before: Int)

    func run() async throws {
        let rows = try String(contentsOf: URL(filePath: labels), encoding: .utf8).split(whereSeparator: \.isNewline)
            .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        guard let header = rows.first else { return }
        var (right, updates, near, clips, followed) = (0, 0, 0, 0, 0)
        for row in rows.dropFirst().enumerated().filter({ $0.offset % every == 0 }).map(\.element) {
            func cell(_ name: String) -> String { header.firstIndex(of: name).map { row[$0] } ?? "" }
            let name = cell("file")
            guard let truth = Int(cell("reps")) else { continue }
            let file = URL(filePath: labels).deletingLastPathComponent().appending(path: name)
            let range = (Int(cell("reps_low")) ?? truth)...(Int(cell("reps_high")) ?? truth)
            let shown = try await shown(of: file)
            let span = (Double(cell("start")) ?? 0)...(Double(cell("end")) ?? 0)
            let during = shown.dropLast().filter { span.contains($0.time) && truth > 0 }.map { one in
                let done = Double(truth) * (one.time - span.lowerBound) / (span.upperBound - span.lowerBound)
                let total = one.before + Int(one.count.rounded())
                return total >= Int(done) - 1 && total <= Int(done) + 1 + range.upperBound - truth
            }
            let total = shown.last.map { $0.before + Int($0.count.rounded()) } ?? 0
            let sets = zip(shown, shown.dropFirst()).filter { $1.before > $0.before }.map { Int($0.0.count.rounded()) }
            let last = shown.last.map { Int($0.count.rounded()) } ?? 0
            clips += 1
            updates += during.count
            near += during.count(where: \.self)
            if range.contains(total) { right += 1 }
            if during.allSatisfy(\.self) { followed += 1 }
            let columns = [
                name, "\(range.lowerBound)-\(range.upperBound)",
                (sets + [last]).map(String.init).joined(separator: "+"),
                "\(during.count(where: \.self))/\(during.count)", range.contains(total) ? "" : "wrong",
            ]
            print(columns.map { $0.padding(toLength: max(22, $0.count), withPad: " ", startingAt: 0) }.joined())
        }
        print(
            "\(clips) recordings: right at the end \(right), within one throughout \(followed), updates within one "
                + "\(near)/\(updates)")
    }

    private func shown(of file: URL) async throws -> [Shown] {
        let pipeline = Downsampler(factor: 1)
            .appending(PoseSelector(strategy: .maximumBoundingBoxArea))
            .appending(JointsSelector(ignoredJoints: [.nose, .leftEye, .leftEar, .rightEye, .rightEar]))
            .appending(SlidingWindowTransformer<Pose>(stride: 5, length: 90))
            .appending(HumanBodyActionCounter())
        let poses = try await HumanBodyPoseExtractor().adaptedAsTemporal()(VideoReader.read(contentsOf: file))
        var (shown, count, last, before): ([Shown], Float, Float, Int) = ([], 0, 0, 0)
        for try await total in try await pipeline(poses) {
            let increment = total.feature - last
            last = total.feature
            if increment <= 0.001 {
                before += Int(count.rounded())
                count = 0
            } else {
                count += increment
            }
            shown.append((total.id.rangeInSeconds.upperBound, count, before))
        }
        return shown
    }
}
