import KinemaPose
import ArgumentParser
import Foundation
import Kinema
import KinemaCore

/// `kinema-bench landmark-inputs`: the inputs of the landmark models in a video, for `script/quantise`.
struct LandmarkInputsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "landmark-inputs", abstract: "Writes the regions that a landmark model sees, as bare RGB bytes.")

    @Argument(help: "A video file.")
    var input: String

    @Flag(help: "The hand model's instead of the body model's.")
    var hands = false

    @Option(help: "Take every Nth frame.")
    var every = 10

    @Option(name: .shortAndLong, help: "The file to write.")
    var output: String

    func validate() throws {
        guard every > 0 else { throw ValidationError("--every takes 1 or more") }
    }

    func run() async throws {
        let inputs = try LandmarkInputs(hands: hands)
        var (bytes, index) = (Data(), 0)
        for try await element in try await KinemaBench.frames(of: input) {
            if index % every == 0 {
                for one in try inputs.inputs(of: element.feature) { bytes.append(contentsOf: one) }
            }
            index += 1
        }
        try AtomicFile.write(bytes, to: URL(filePath: output))
    }
}
