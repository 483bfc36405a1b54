import COpenVINO
import KinemaCore

/// One run of a model at a time: its input bytes, its outputs, and the call.
// SAFETY: a request belongs to one caller at a time (RequestPool lends it). The input and output memory is the
// request's own and lives as long as it does; the tensors are freed in deinit, before the request.
final class InferenceRequestHandle {
    private let request: OpaquePointer
    private var tensors: [OpaquePointer] = []
    /// The input tensor's bytes: rows of RGB, top row first.
    let input: UnsafeMutableBufferPointer<UInt8>
    /// The outputs in the catalogue's order.
    private(set) var outputs: [TensorView] = []
    private let name: String

    init(_ compiled: OpaquePointer, _ description: ModelDescription) throws {
        name = description.name
        var made: OpaquePointer?
        guard kov_request_create(compiled, &made) == 0, let made else {
            throw KinemaError(.analysisFailed, "model \(description.name): \(OpenVINOHandle.lastError)")
        }
        var tensor: OpaquePointer?
        var view = kov_view()
        let expected = description.input.shape.reduce(1, *)
        guard kov_request_input(made, 0, &tensor, &view) == 0, let first = tensor, view.byte_size == expected,
            let data = view.data
        else {
            if let tensor { kov_tensor_free(tensor) }
            kov_request_free(made)
            throw Self.unexpected(description)
        }
        request = made
        tensors = [first]
        input = UnsafeMutableBufferPointer(start: data.assumingMemoryBound(to: UInt8.self), count: expected)
        for output in description.outputs {
            var tensor: OpaquePointer?
            var view = kov_view()
            let found = kov_request_output(request, output.name, &tensor, &view) == 0
            if let tensor { tensors.append(tensor) }
            let count = output.shape.reduce(1, *)
            guard found, let data = view.data, view.type == 4, view.byte_size == 4 * count else {
                throw Self.unexpected(description)
            }
            outputs.append(
                TensorView(UnsafeBufferPointer(start: data.assumingMemoryBound(to: Float.self), count: count)))
        }
    }

    deinit {
        tensors.forEach { kov_tensor_free($0) }
        kov_request_free(request)
    }

    /// Runs the model on what lies in `input`; `outputs` hold the result until the next run.
    func infer() throws {
        guard kov_request_infer(request) == 0 else {
            throw KinemaError(.analysisFailed, "model \(name): \(OpenVINOHandle.lastError)")
        }
    }

    private static func unexpected(_ description: ModelDescription) -> KinemaError {
        description.error("model \(description.name) has other shapes than expected")
    }
}
