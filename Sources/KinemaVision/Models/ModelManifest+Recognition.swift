import Foundation
import KinemaCore

extension ModelManifest {
    /// Describes a model file by the shapes of its outputs; throws `.unreadableInput` for an unknown layout.
    init(recognising graph: ModelGraph) throws(KinemaError) {
        let name = graph.file.deletingPathExtension().lastPathComponent
        let isPoseNet = graph.format == .tflite && (try? PoseNetModel(contentsOf: graph.file)) != nil
        var found = isPoseNet ? ModelDecoder.posenet : nil
        var joints: ModelJoints?
        for decoder in ModelDecoder.allCases where found == nil && decoder != .posenet {
            guard let layout = try? ModelLayout(decoder, nil, graph) else { continue }
            joints = ModelJoints.usual(count: layout.jointCount)
            if decoder.kind == .detector || joints != nil { found = decoder }
        }
        guard let found else {
            try ModelLayout.checkInput(of: graph)
            throw KinemaError(
                .unreadableInput, "is of no known layout: it gives \(graph.outputsText); describe it in a model.json",
                file: graph.file.path)
        }
        let isName = Self.isName(name)
        self.init(name: isName ? name : "model", file: graph.file.lastPathComponent, decoder: found, joints: joints)
        // YOLOX with suppression inside the graph has RTMDet's outputs and takes plain bytes.
        if found == .rtmdet, name.lowercased().contains("yolox") {
            (input.mean, input.scale) = (ModelDecoder.yolox.input.mean, ModelDecoder.yolox.input.scale)
        }
    }
}
