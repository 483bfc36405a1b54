/// Runs a landmark model over and over on one input: what inference costs and nothing else.
package struct InferenceBench: Sendable {
    private let model: CompiledModelHandle

    /// Compiles the model as the pipeline does.
    package init(_ description: ModelDescription, precision: ModelStore.Precision) throws {
        model = try ModelStore.shared.model(description, precision: precision)
    }

    /// The arithmetic in use, as OpenVINO names it.
    package var precision: String { model.property("INFERENCE_PRECISION_HINT") }

    /// Runs the model so many times, two at once as the pipeline does.
    package func run(_ count: Int) async throws {
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
