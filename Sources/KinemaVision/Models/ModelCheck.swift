import Foundation
package import KinemaCore

/// The findings about a model file, for `kinema models check`.
package struct ModelCheck: Sendable {
    package let graph: ModelGraph?
    package let model: ChosenModel?
    package let problem: KinemaError?

    package init(_ text: String) {
        do throws(KinemaError) {
            let model = try ChosenModel(text)
            (graph, self.model, problem) = (model.graph, model, nil)
        } catch {
            graph = try? ModelGraph(contentsOf: URL(filePath: text))
            (model, problem) = (nil, error)
        }
    }

    package var lines: [String] {
        var lines = [String]()
        if let graph {
            lines.append("file     \(graph.file.path), \(graph.format.rawValue), \(graph.byteCount) bytes")
            lines += graph.inputs.map { "input    \($0)" } + graph.outputs.map { "output   \($0)" }
        }
        guard let model else { return lines + ["problem  \(problem.map(\.description) ?? "unknown")"] }
        let (manifest, input) = (model.manifest, model.manifest.input)
        let source = model.isDescribed ? "described" : "recognised by its shapes"
        lines.append("is       \(manifest.kind.rawValue), \(manifest.decoder.rawValue) (\(source))")
        func numbers(_ values: [Float]) -> String { values.map { "\($0)" }.joined(separator: " ") }
        lines.append(
            "takes    \(input.width)x\(input.height) \(input.channels.rawValue), \(input.fit.rawValue), "
                + "mean \(numbers(input.mean)), scale \(numbers(input.scale))")
        if let joints = manifest.joints {
            let known = joints.keys.compactMap(\.self).count
            lines.append(
                "joints   \(joints.set?.rawValue ?? "\(joints.keys.count) named"), \(known) of them known to Kinema")
        }
        lines += ["licence  \(manifest.licence)", "origin   \(manifest.origin)"]
        return lines
    }
}
