package import Foundation
package import KinemaCore

/// An ONNX model that takes numbers instead of a picture: its metadata, inputs and outputs.
package struct ONNXModel: Sendable, Hashable {
    package let header: ONNXHeader
    package let graph: ModelGraph

    /// The largest shape of an input, in numbers: ten thousand frames of a hundred joints of several people.
    package static let largestInput = 1 << 24

    /// Reads a file of at most `limit` bytes; throws `.unreadableInput` for an unusable file, `.missingComponent`
    /// without the inference library.
    package init(contentsOf url: URL, limit: Int) throws(KinemaError) {
        let bytes = try BoundedFile.read(url, limit: limit, remedy: "name an .onnx file")
        guard !bytes.isEmpty else { throw KinemaError(.unreadableInput, "is empty; copy it again", file: url.path) }
        header = try ONNXHeader(bytes, file: url.path)
        graph = try ModelGraph(contentsOf: url)
    }

    package func runner(shape: [Int]) throws(KinemaError) -> Runner {
        guard shape.count <= 8, shape.allSatisfy({ $0 > 0 }), shape.reduce(1, *) <= Self.largestInput,
            let input = graph.inputs.first
        else {
            throw KinemaError(.unreadableInput, "takes \(shape) numbers, which are too many", file: graph.file.path)
        }
        let description = ModelDescription(
            name: "classifier", purpose: "names actions", file: graph.file.lastPathComponent, licence: "", origin: "",
            sha256: graph.sha256, input: .init(name: input.name, shape: shape, meaning: "numbers"),
            outputs: graph.outputs.map { .init(name: $0.name, shape: $0.shape, meaning: "numbers") }, mean: [0],
            scale: [1], location: graph.file, hasFloatOutputs: true, takesFloats: true,
            isDynamic: input.shape.contains(-1), outputPlaces: Array(graph.outputs.indices))
        do {
            return Runner(model: try ModelStore.shared.model(description, precision: .f32))
        } catch {
            throw error as? KinemaError
                ?? KinemaError(.unreadableInput, "cannot be compiled; choose another model", file: graph.file.path)
        }
    }

    package struct Runner: Sendable {
        fileprivate let model: CompiledModelHandle

        package func outputs(for input: [Float]) throws -> [ShapedArray<Float>] {
            try model.withRequest { request in
                request.write(input)
                try request.infer()
                return request.outputs.map(\.array)
            }
        }
    }
}
