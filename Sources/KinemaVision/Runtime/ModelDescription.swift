import Foundation
import KinemaCore

package struct ModelDescription: Sendable, Hashable, Codable {
    package struct Tensor: Sendable, Hashable, Codable {
        package let name: String
        package let shape: [Int]
        package let meaning: String
    }

    /// The name used by the command line and in errors.
    package let name: String
    package let purpose: String
    package let file: String
    package let licence: String
    /// The publisher and the source of the file.
    package let origin: String
    /// The SHA-256 of the published file, in hexadecimal.
    package let sha256: String
    package let input: Tensor
    /// The output tensors that Kinema uses; all others are removed from the graph.
    package let outputs: [Tensor]
    /// The mean for normalising a picture's bytes, (byte - mean) / scale: one, or one for each channel.
    let mean: [Float]
    /// The scale for normalising a picture's bytes: one, or one for each channel.
    let scale: [Float]
    /// The user's own file; nil for a file in the models folder.
    var location: URL?
    /// Whether outputs leave the graph as floating point; 8-bit steps are not scaled.
    var hasFloatOutputs = false
    /// Whether the graph takes floats instead of a picture.
    var takesFloats = false
    /// Whether the graph takes one plane for each channel (NCHW).
    var isPlanar = false
    /// Whether the graph takes blue first.
    var isBlueFirst = false
    var isDynamic = false
    /// The outputs' indices in a graph that is kept whole; nil to find them by name and remove all others.
    var outputPlaces: [Int]?
}

extension ModelDescription {
    /// The error for a bad model file: published files can be fetched again, others must be replaced.
    func error(_ reason: String, _ file: URL? = nil) -> KinemaError {
        let path = (location ?? file)?.path ?? self.file
        return location == nil
            ? KinemaError(.missingComponent, "\(reason); \(KinemaHome.remedy)", file: path)
            : KinemaError(.unreadableInput, "\(reason); choose another model", file: path)
    }
}
