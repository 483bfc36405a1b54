import Foundation
import Kinema

/// A command line's INPUT with how it is to be read.
struct InputChoice: Sendable {
    let argument: String
    var live = LiveOptions()
    var transport = StreamAddress.Transport.tcp
    var trust = StreamAddress.Trust.authorities(file: nil)
    /// Columns and rows, and frames a second, to ask a camera for.
    var cameraSize: CGSize?
    var cameraRate: Double?

    init(_ argument: String) {
        self.argument = argument
    }

    /// What results and messages call it: as it was given, but of an address nothing that may be secret.
    var source: String {
        guard argument.contains("://") else { return argument }
        return (try? StreamAddress(argument).description) ?? "the address"
    }

    /// The input itself; throws `invalidArgument` for what is none.
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
