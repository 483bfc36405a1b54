import COpenVINO
import Foundation
import KinemaCore

// SAFETY: OpenVINO writes at most as many ports as the arrays hold; their names end with a zero byte within 128 bytes.

extension ModelGraph {
    static func ports(of file: URL) throws(KinemaError) -> (inputs: [Port], outputs: [Port]) {
        let runtime: OpenVINOHandle
        do {
            runtime = try OpenVINOHandle.shared(.f32, .throughput)
        } catch {
            throw error as? KinemaError
                ?? KinemaError(.missingComponent, "OpenVINO does not start; \(KinemaHome.remedy)")
        }
        var inputs = [kov_port](repeating: kov_port(), count: 8)
        var outputs = [kov_port](repeating: kov_port(), count: 32)
        var (inputCount, outputCount) = (inputs.count, outputs.count)
        guard kov_inspect(runtime.core, file.path, &inputs, &inputCount, &outputs, &outputCount) == 0 else {
            let reason = PlainText.prefix(PlainText.oneLine(OpenVINOHandle.lastError), bytes: 200)
            throw KinemaError.unreadable(
                "is damaged or not a model that OpenVINO reads (\(reason)); copy it again", file.path)
        }
        guard inputCount <= inputs.count, outputCount <= outputs.count else {
            throw KinemaError.unreadable(
                "has \(inputCount) inputs and \(outputCount) outputs, so it is not a pose model", file.path)
        }
        return (inputs.prefix(inputCount).map(Port.init), outputs.prefix(outputCount).map(Port.init))
    }
}

extension ModelGraph.Port {
    fileprivate init(_ port: kov_port) {
        let name = withUnsafeBytes(of: port.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let dimensions = withUnsafeBytes(of: port.dims) { Array($0.bindMemory(to: Int64.self)) }
        // A size larger than any picture's counts as unknown; the runtime checks the real one.
        let shape = dimensions.prefix(max(0, Int(port.rank))).map { (0...(1 << 30)).contains($0) ? Int($0) : -1 }
        // The order of OpenVINO's element types.
        let types = [
            "dynamic", "boolean", "bf16", "f16", "f32", "f64", "i4", "i8", "i16", "i32", "i64", "u1", "u2", "u3", "u4",
            "u6", "u8", "u16", "u32", "u64",
        ]
        let type = types.indices.contains(Int(port.type)) ? types[Int(port.type)] : "other"
        self.init(name: PlainText.oneLine(name), shape: shape, type: type)
    }
}
