/// A model's description, as `model.json` beside its file holds it.
///
/// Only `name`, `file` and `decoder` are needed; whatever else is left out is as the decoder's makers have it, and sizes
/// are those of the model's input.
public struct ModelManifest: Sendable, Hashable, Codable {
    /// What a model does.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// Finds the boxes of people.
        case detector
        /// Finds the joints of one person in a part of the picture.
        case topDown = "top-down"
        /// Finds the joints of everyone in the whole picture.
        case oneStage = "one-stage"
    }

    /// The colour order of the model's input.
    public enum Channels: String, Sendable, Hashable, Codable, CaseIterable {
        /// Red first.
        case rgb
        /// Blue first.
        case bgr
    }

    /// How the picture, or the part of it, is brought to the size of the model's input.
    public enum Fit: String, Sendable, Hashable, Codable, CaseIterable {
        /// Each direction by its own factor.
        case stretch
        /// By one factor, in the middle, with a border of one grey level around it.
        case letterbox
        /// By one factor, in the upper left corner, with a border of one grey level beside or below it.
        case corner
        /// A person's box with padding, widened to the shape of the input; for top-down models.
        case crop
    }

    /// How a picture becomes the model's input.
    public struct Input: Sendable, Hashable, Codable {
        /// The width in pixels; 0 until it is read from the model.
        public var width = 0
        /// The height in pixels; 0 until it is read from the model.
        public var height = 0
        /// The colour order.
        public var channels = Channels.rgb
        /// What is subtracted from bytes of 0...255: one number, or one for each channel in the model's order.
        public var mean: [Float] = [0]
        /// What they are then divided by: one number, or one for each channel in the model's order.
        public var scale: [Float] = [1]
        /// How the picture is brought to the input's size.
        public var fit = Fit.stretch
        /// With `crop`: the part's size relative to the person's box.
        public var padding = 1.25
        /// With `letterbox` and `corner`: the border's grey level, 0...255.
        public var border = 0
    }

    /// The name for the command line: letters, digits, dots, dashes and underscores.
    public var name: String
    /// What the model does; it follows from the decoder.
    public var kind: Kind
    /// The model's file, beside this description: .onnx, .tflite or .xml (OpenVINO, with its .bin).
    public var file: String
    /// What the outputs mean.
    public var decoder: ModelDecoder
    /// How a picture becomes the model's input.
    public var input: Input
    /// The joints in the order of the outputs; nil for a detector.
    public var joints: ModelJoints?
    /// For a detector: the class that is a person.
    public var personClass: Int
    /// For a top-down model: the detector to go with it, by name or as a folder or file below this folder.
    public var detector: String?
    /// The licence, if known as an SPDX identifier.
    public var licence: String
    /// Who made the model, and where it comes from.
    public var origin: String
    /// The SHA-256 of the file, in hexadecimal; for OpenVINO's pair that of the .xml followed by the .bin.
    public var sha256: String?
    /// The https address of the file.
    public var address: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case name, kind, file, decoder, input, joints, personClass, detector, licence, origin, sha256, address
    }
}
