import Foundation
import Kinema
package import KinemaMedia

/// A command line's INPUT and how to read it.
package struct InputChoice: Sendable {
    let argument: String
    var live = LiveOptions()
    var transport = StreamAddress.Transport.tcp
    var trust = StreamAddress.Trust.authorities(file: nil)
    var isolation = DecoderIsolation.thisExecutable
    var orientation = PixelOrientation.upright
    /// The frames to analyse; nil for those that the analysis needs.
    var selection: FrameSelection?
    var timing = FrameTiming.tagged
    /// The pose file and its reader; nil for pictures.
    var poses: (reader: PoseSequenceReader, file: URL)?
    /// Whether the command line states the frame rate of a pose file.
    var statesRate = false
    /// The error for an option of pose files; thrown once the input has turned out to be a video or an image.
    var mismatch: KinemaError?
    /// The size and frames per second to ask a camera for.
    var cameraSize: CGSize?
    var cameraRate: Double?
    /// Whether to print the time of each stage at the end of a run.
    var isVerbose = false

    package init(_ argument: String) { self.argument = argument }

    /// The name in results and messages: the argument without the secrets of an address.
    package var source: String {
        guard argument.contains("://") else { return argument }
        return (try? StreamAddress(argument).description) ?? "the address"
    }

    /// The file or folder that the argument names; nil for other inputs.
    var file: URL? { if case .file(let url)? = try? MediaInput(argument: argument) { url } else { nil } }

    /// The pose file that the argument names, or standard input if it has poses; nil for pictures.
    var poseFile: URL? {
        switch try? MediaInput(argument: argument) {
        case .file(let url): PoseSequenceReader.isSequence(url) ? url : nil
        case .standardInput:
            PoseSequenceReader.isSequence(beginning: StandardInput.head(count: PoseSequenceReader.headBytes))
                ? PoseSequenceReader.standardInput : nil
        default: nil
        }
    }

    /// The same input with its frames turned; throws `invalidArgument` for a pose file if an option turns them.
    package func turned(_ orientation: PixelOrientation, by option: String?) throws -> InputChoice {
        if let option, poseFile != nil { throw refusal(of: option, PoseFileOptionGroup.noFrames) }
        var choice = self
        choice.orientation = orientation
        return choice
    }

    /// The error for an option that applies only to other inputs.
    func refusal(of option: String, _ inputs: String) -> KinemaError {
        KinemaError(.invalidArgument, "\(option) applies to \(inputs)", file: source)
    }

    package var isLive: Bool {
        switch try? MediaInput(argument: argument) {
        case .stream, .camera: true
        default: false
        }
    }

    /// Every Nth frame is analysed, if the command line says so.
    var every: Int { if case .every(let step) = selection { step } else { 1 } }

    /// The input itself; throws `invalidArgument` for an invalid argument.
    func media() throws -> MediaInput {
        switch try MediaInput(argument: argument) {
        case .stream(var address):
            (address.transport, address.trust) = (transport, trust)
            return .stream(address)
        case .camera(var configuration):
            configuration.frameSize = cameraSize
            configuration.frameRate = cameraRate ?? configuration.frameRate
            return .camera(configuration)
        case let other: return other
        }
    }
}
