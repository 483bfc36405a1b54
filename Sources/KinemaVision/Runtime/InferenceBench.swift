/// Runs a landmark model over and over on one input: what inference costs and nothing else.
package struct InferenceBench: Sendable {
    private let model: CompiledModelHandle

    /// Compiles the model as the pipeline does.
    package init(_ description: ModelDescription, precision: ModelStore.Precision) throws {
        model = try ModelStore.shared.model(description, precision: precision)
    }

    /// The arithmetic in use, as OpenVINO names it.
    package var precision: String { model.property("INFERENCE_PRECISION_HINT") }

    /// Runs the model so many times.
    package func run(_ count: Int) throws {
        try model.withRequest { request in
            for _ in 0..<count { try request.infer() }
        }
    }
}
