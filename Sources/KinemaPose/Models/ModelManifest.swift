import Foundation
import KinemaCore

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

extension ModelManifest {
    private enum InputKeys: String, CodingKey, CaseIterable {
        case width, height, channels, mean, scale, fit, padding, border
    }

    /// The largest `model.json`, in bytes.
    static let maximumSize = 64 << 10

    /// A description with the decoder's standard settings.
    init(name: String, file: String, decoder: ModelDecoder, joints: ModelJoints? = nil) {
        (self.name, self.file, self.decoder) = (name, file, decoder)
        kind = decoder.kind
        input = decoder.input
        self.joints = decoder.kind == .detector ? nil : joints ?? ModelJoints(set: .coco17)
        personClass = 0
        (licence, origin) = ("unknown", "chosen by the user")
    }

    /// Reads a description; throws `DecodingError` for anything else.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.object(CodingKeys.self)
        func text(_ key: CodingKeys, _ limit: Int) throws -> String? {
            guard let text = try values.decodeIfPresent(String.self, forKey: key) else { return nil }
            guard (1...limit).contains(text.utf8.count), !text.unicodeScalars.contains(where: PlainText.isHidden) else {
                throw values.refusal(key, "takes 1 to \(limit) characters")
            }
            return text
        }
        func needed(_ key: CodingKeys, _ limit: Int) throws -> String {
            guard let text = try text(key, limit) else { throw values.refusal(key, "is missing") }
            return text
        }
        let name = try needed(.name, 64)
        guard Self.isName(name) else {
            throw values.refusal(.name, "takes letters, digits, dots, dashes and underscores")
        }
        let file = try needed(.file, 128)
        // Byte by byte: a combining mark after a slash makes another character of it.
        let isPlain = !file.utf8.contains(UInt8(ascii: "/")) && file.utf8.first != UInt8(ascii: ".")
        guard isPlain, ModelGraph.Format(file: file) != nil else {
            throw values.refusal(.file, "takes the name of an .onnx, .tflite or .xml file in the same folder")
        }
        let known: ModelDecoder = try Self.choice(values, .decoder)
        self.init(
            name: name, file: file, decoder: known,
            joints: try values.decodeIfPresent(ModelJoints.self, forKey: .joints))
        if values.contains(.kind), try Self.choice(values, .kind) as Kind != kind {
            throw values.refusal(.kind, "must be \(kind.rawValue) for the decoder \(known.rawValue)")
        }
        if kind == .detector, values.contains(.joints) {
            throw values.refusal(.joints, "goes with models that find joints; a detector has none")
        }
        if values.contains(.input) { try readInput(from: values.superDecoder(forKey: .input)) }
        personClass = try values.decodeIfPresent(Int.self, forKey: .personClass) ?? 0
        guard (0...10_000).contains(personClass) else { throw values.refusal(.personClass, "takes 0 to 10000") }
        detector = try text(.detector, 256)
        let parts = detector?.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) ?? []
        if detector != nil,
            kind != .topDown || parts.first?.isEmpty == true || parts.contains(where: { Array($0) == [46, 46] })
        {
            throw values.refusal(
                .detector, "goes with top-down models and names an installed detector or one below this folder")
        }
        licence = try text(.licence, 128) ?? licence
        origin = try text(.origin, 512) ?? origin
        sha256 = try text(.sha256, 64)?.lowercased()
        if let sha256, sha256.count != 64 || !sha256.allSatisfy(\.isHexDigit) {
            throw values.refusal(.sha256, "takes 64 hexadecimal digits")
        }
        address = try text(.address, 2048)
        if let address, !address.hasPrefix("https://") {
            throw values.refusal(.address, "takes an https:// address")
        }
    }

    private mutating func readInput(from decoder: any Decoder) throws {
        let values = try decoder.object(InputKeys.self)
        func size(_ key: InputKeys) throws -> Int {
            guard let size = try values.decodeIfPresent(Int.self, forKey: key) else { return 0 }
            guard ModelGraph.sizes.contains(size) else { throw values.refusal(key, "takes 16 to 4096 pixels") }
            return size
        }
        func channels(_ key: InputKeys, _ usual: [Float], _ range: ClosedRange<Float>) throws -> [Float] {
            guard values.contains(key) else { return usual }
            let one = try? values.decode(Float.self, forKey: key)
            let list = try one.map { [$0] } ?? values.decode([Float].self, forKey: key)
            guard list.count == 1 || list.count == 3, list.allSatisfy({ range.contains($0) }) else {
                throw values.refusal(
                    key, "takes one number or three, from \(range.lowerBound) to \(range.upperBound)")
            }
            return list
        }
        (input.width, input.height) = (try size(.width), try size(.height))
        if values.contains(.channels) { input.channels = try Self.choice(values, .channels) }
        input.mean = try channels(.mean, input.mean, -10_000...10_000)
        input.scale = try channels(.scale, input.scale, 0.000_1...10_000)
        if values.contains(.fit) { input.fit = try Self.choice(values, .fit) }
        guard (input.fit == .crop) == (kind == .topDown) else {
            throw values.refusal(
                .fit, "crop is for top-down models; the other values are for models that take the whole frame")
        }
        input.padding = try values.decodeIfPresent(Double.self, forKey: .padding) ?? input.padding
        guard (0.5...4).contains(input.padding) else { throw values.refusal(.padding, "takes 0.5 to 4") }
        input.border = try values.decodeIfPresent(Int.self, forKey: .border) ?? input.border
        guard (0...255).contains(input.border) else { throw values.refusal(.border, "takes 0 to 255") }
    }

    /// Whether a text can name a model: no path, no leading dot.
    static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && !text.hasPrefix(".")
            && text.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "._-".utf8.contains($0)
            }
    }
}

// MARK: - Error messages

extension ModelManifest {
    /// Reads the description in a file's bytes; throws a one-line error.
    static func read(_ bytes: Data, file: URL) throws(KinemaError) -> ModelManifest {
        func refuse(_ text: String) -> KinemaError {
            KinemaError(.unreadableInput, "\(text); see Documentation/models.md", file: file.path)
        }
        guard bytes.count <= maximumSize else { throw refuse("is larger than 64 KiB, so it describes no model") }
        do {
            return try JSONDecoder().decode(ModelManifest.self, from: bytes)
        } catch let error as DecodingError {
            throw refuse(PlainText.prefix(PlainText.oneLine(message(error)), bytes: 300))
        } catch {
            throw refuse("is not readable")
        }
    }

    private static func message(_ error: DecodingError) -> String {
        func located(_ context: DecodingError.Context, _ text: String) -> String {
            let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
            return path.isEmpty ? text : "\(path) \(text)"
        }
        return switch error {
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            located(context, "is not \(noun(type))")
        case .keyNotFound(let key, let context): located(context, "has no \(key.stringValue)")
        case .dataCorrupted(let context):
            // Foundation's message adds nothing.
            context.codingPath.isEmpty && context.debugDescription.contains("valid JSON")
                ? "is not JSON" : located(context, context.debugDescription)
        @unknown default: "is not readable"
        }
    }

    private static func noun(_ type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a text in quotes"
        case is Int.Type: "a whole number"
        case is Double.Type, is Float.Type: "a number"
        case is any RangeReplaceableCollection.Type: "a list of numbers or texts"
        default: "an object in braces"
        }
    }

    private static func choice<Key: CodingKey, Choice: CaseIterable & RawRepresentable>(
        _ values: KeyedDecodingContainer<Key>, _ key: Key
    ) throws -> Choice where Choice.RawValue == String {
        guard let text = try values.decodeIfPresent(String.self, forKey: key) else {
            throw values.refusal(key, "is missing")
        }
        guard let choice = Choice(rawValue: text) else {
            throw values.refusal(
                key,
                "is \"\(PlainText.prefix(text, bytes: 40))\"; use one of "
                    + Choice.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return choice
    }
}

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
            throw KinemaError.unreadable(
                "is of no known layout: it gives \(graph.outputsText); describe it in a model.json", graph.file.path)
        }
        let isName = Self.isName(name)
        self.init(name: isName ? name : "model", file: graph.file.lastPathComponent, decoder: found, joints: joints)
        // YOLOX with suppression inside the graph has RTMDet's outputs and takes plain bytes.
        if found == .rtmdet, name.lowercased().contains("yolox") {
            (input.mean, input.scale) = (ModelDecoder.yolox.input.mean, ModelDecoder.yolox.input.scale)
        }
    }
}
