import KinemaPose

struct InferenceBench: Sendable {
    let model: CompiledModelHandle

    func cost(_ count: Int) async throws -> (cpu: Double, wall: Double) {
        try await run(20)
        let all = try await ProcessorTime.cost { try await run(count) }
        return (all.cpu / Double(count), all.wall / Double(count))
    }

    /// The arithmetic precision in use, by OpenVINO's name.
    var precision: String { model.property("INFERENCE_PRECISION_HINT") }

    /// Runs the model `count` times, two at once, as in the pipeline.
    private func run(_ count: Int) async throws {
        try await withThrowingTaskGroup { group in
            for share in [count / 2, count - count / 2] {
                group.addTask {
                    try model.withRequest { request in
                        for _ in 0..<share { try request.infer() }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
