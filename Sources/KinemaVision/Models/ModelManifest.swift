/// A model's description, the `model.json` beside its file. Only `name`, `file` and `decoder` are required; the decoder
/// gives the rest, and sizes are those of the model's input.
package struct ModelManifest: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case detector
        case topDown = "top-down"
        case oneStage = "one-stage"
    }

    package enum Channels: String, Sendable, Hashable, Codable, CaseIterable {
        case rgb
        case bgr
    }

    /// The fit of the picture to the model's input.
    package enum Fit: String, Sendable, Hashable, Codable, CaseIterable {
        /// Each direction by its own factor.
        case stretch
        /// By one factor, in the middle, with a border of one grey level around it.
        case letterbox
        /// By one factor, in the upper left corner, with a border of one grey level beside or below it.
        case corner
        /// A person's box with padding, widened to the shape of the input; for top-down models.
        case crop
    }

    package struct Input: Sendable, Hashable, Codable {
        /// The width in pixels; 0 until it is read from the model.
        package var width = 0
        /// The height in pixels; 0 until it is read from the model.
        package var height = 0
        package var channels = Channels.rgb
        /// The value subtracted from bytes of 0...255: one number, or one for each channel in the model's order.
        package var mean: [Float] = [0]
        /// The divisor of the result: one number, or one for each channel in the model's order.
        package var scale: [Float] = [1]
        package var fit = Fit.stretch
        /// With `crop`: the part's size relative to the person's box.
        package var padding = 1.25
        /// With `letterbox` and `corner`: the border's grey level, 0...255.
        package var border = 0
    }

    /// The name for the command line: letters, digits, dots, dashes and underscores.
    package var name: String
    /// The model's task; it follows from the decoder.
    package var kind: Kind
    /// The model's file, beside this description: .onnx, .tflite or .xml (OpenVINO, with its .bin).
    package var file: String
    package var decoder: ModelDecoder
    package var input: Input
    /// The joints in the order of the outputs; nil for a detector.
    package var joints: ModelJoints?
    /// For a detector: the class that is a person.
    package var personClass: Int
    /// For a top-down model: the detector to go with it, by name or as a folder or file below this folder.
    package var detector: String?
    /// The licence, if known as an SPDX identifier.
    package var licence: String
    /// The author and source of the model.
    package var origin: String
    /// The SHA-256 of the file, in hexadecimal; for OpenVINO's pair that of the .xml followed by the .bin.
    package var sha256: String?
    package var address: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case name, kind, file, decoder, input, joints, personClass, detector, licence, origin, sha256, address
    }
}
