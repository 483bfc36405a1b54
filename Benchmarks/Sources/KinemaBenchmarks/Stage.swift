import Benchmark
import Foundation

/// A single stage of the analysis of a frame.
struct Stage: Sendable {
    /// Runs all operations of one iteration; returns the number of results, so that no work is optimised away.
    typealias Iteration = () throws -> Int

    var name: String
    /// The unit of one operation, such as "a frame".
    var unit: String
    /// The number of operations per iteration.
    var operations: Int
    /// Prepares the stage; not measured.
    var prepare: @Sendable () throws -> Iteration

    /// All stages, in the order in which a frame passes them.
    static let all = sampling + people + flights + pictures + counting + output
}

/// A stage for the benchmark library; prepared when it first runs.
final class StageBenchmark: AnyBenchmark {
    let name: String
    let settings: [any BenchmarkSetting] = []
    private let stage: Stage
    private var iteration: Stage.Iteration?
    private var found = 0

    init(_ stage: Stage) {
        self.stage = stage
        name = stage.name
    }

    func setUp() {
        guard iteration == nil else { return }
        do {
            iteration = try stage.prepare()
        } catch {
            fail("cannot be prepared: \(error)")
        }
    }

    func run(_ state: inout BenchmarkState) throws {
        found += try iteration?() ?? 0
    }

    func tearDown() {
        if found == 0 { fail("found nothing, so it measures nothing") }
    }

    private func fail(_ what: String) -> Never {
        FileHandle.standardError.write(Data("\(name): \(what)\n".utf8))
        exit(1)
    }
}
