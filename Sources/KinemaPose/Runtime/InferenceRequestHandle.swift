import COpenVINO
import KinemaCore

// SAFETY: a request belongs to one caller at a time (`CompiledModelHandle` lends it). The input and output memory
// belongs to the request and lives as long as it does. The tensors are freed in deinit, before the request.
package final class InferenceRequestHandle {
    private let request: OpaquePointer
    private var tensors: [OpaquePointer] = []
    /// The input tensor's bytes: RGB, top row first, or floats.
    let input: UnsafeMutableBufferPointer<UInt8>
    /// The output tensors in the description's order.
    private(set) var outputs: [TensorView] = []
    private let name: String
    /// The outputs' indices in a graph whose output shapes may change with each run.
    private let places: [Int]?

    init(_ compiled: OpaquePointer, _ description: ModelDescription) throws {
        name = description.name
        var created: OpaquePointer?
        guard kov_request_create(compiled, &created) == 0, let created else {
            throw KinemaError(.analysisFailed, "model \(description.name): \(OpenVINOHandle.lastError)")
        }
        var tensor: OpaquePointer?
        var view = kov_view()
        let expected = description.input.shape.reduce(description.takesFloats ? MemoryLayout<Float>.size : 1, *)
        guard kov_request_input(created, 0, &tensor, &view) == 0, let first = tensor, view.byte_size == expected,
            let data = view.data
        else {
            if let tensor { kov_tensor_free(tensor) }
            kov_request_free(created)
            throw Self.unexpectedShape(description)
        }
        request = created
        tensors = [first]
        input = UnsafeMutableBufferPointer(start: data.assumingMemoryBound(to: UInt8.self), count: expected)
        places = description.outputPlaces
        guard places == nil else { return }
        for output in description.outputs {
            var tensor: OpaquePointer?
            var view = kov_view()
            let found = kov_request_output(request, output.name, &tensor, &view) == 0
            if let tensor { tensors.append(tensor) }
            let count = output.shape.reduce(1, *)
            guard found, let data = view.data, view.type == 4, view.byte_size == 4 * count else {
                throw Self.unexpectedShape(description)
            }
            let values = UnsafeBufferPointer(start: data.assumingMemoryBound(to: Float.self), count: count)
            outputs.append(TensorView(values, shape: output.shape))
        }
    }

    deinit {
        tensors.forEach { kov_tensor_free($0) }
        kov_request_free(request)
    }

    /// Runs the model on `input`; `outputs` hold the result until the next run.
    package func infer() throws {
        guard StageTimes.measure(.infer, { kov_request_infer(request) }) == 0 else {
            throw KinemaError(.analysisFailed, "model \(name): \(OpenVINOHandle.lastError)")
        }
        if let places { try readOutputs(places) }
    }

    /// Writes the input of a model that takes floats, as many as its shape holds.
    func write(_ values: [Float]) {
        values.withUnsafeBytes { bytes in
            let fitting = UnsafeRawBufferPointer(rebasing: bytes.prefix(input.count))
            UnsafeMutableRawBufferPointer(input).copyMemory(from: fitting)
        }
    }

    private func readOutputs(_ places: [Int]) throws {
        tensors.dropFirst().forEach { kov_tensor_free($0) }
        tensors.removeLast(tensors.count - 1)
        outputs.removeAll(keepingCapacity: true)
        for place in places {
            var tensor: OpaquePointer?
            var view = kov_view()
            let found = kov_request_output_at(request, place, &tensor, &view) == 0
            if let tensor { tensors.append(tensor) }
            let dimensions = withUnsafeBytes(of: view.dims) { Array($0.bindMemory(to: Int64.self)) }
            let shape = dimensions.prefix(max(0, Int(view.rank))).map { Int($0) }
            let count = shape.reduce(1, *)
            let data = view.data?.assumingMemoryBound(to: Float.self)
            guard found, view.type == 4, view.byte_size == 4 * count, data != nil || count == 0 else {
                throw KinemaError(
                    .analysisFailed, "model \(name) gives an output of another type; choose another model")
            }
            let values = UnsafeBufferPointer(start: count > 0 ? data : nil, count: count)
            outputs.append(TensorView(values, shape: shape))
        }
    }

    private static func unexpectedShape(_ description: ModelDescription) -> KinemaError {
        description.error("model \(description.name) has an unexpected tensor shape")
    }
}

/// A view of an output tensor in the runtime's memory; it is valid until the request's next run.
struct TensorView {
    let shape: [Int]
    private let values: UnsafeBufferPointer<Float>

    // SAFETY: the memory belongs to the request, which outlives the closure it is passed to; views stay inside it. The
    // shape's product is the number of values.
    init(_ values: UnsafeBufferPointer<Float>, shape: [Int]) { (self.values, self.shape) = (values, shape) }

    var count: Int { values.count }

    /// A copy that outlives the request's next run.
    var array: ShapedArray<Float> { ShapedArray(scalars: values, shape: shape) }

    /// The value at an index within the tensor's shape, which is checked when the request is created or has run.
    subscript(index: Int) -> Float { values[index] }
}
