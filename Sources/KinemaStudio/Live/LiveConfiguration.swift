package import Foundation
package import KinemaMedia
package import KinemaMotion
package import KinemaVision

/// What a live service is made with.
package struct LiveConfiguration: Sendable {
    /// An input the server was started with, played in real time.
    package struct Input: Sendable {
        /// What clients call it.
        package var name: String
        /// The command line's INPUT: a file, a camera or an address.
        package var argument: String
        /// Whether any certificate of its server is taken.
        package var trustsAnyone: Bool

        /// Makes an input from the name that clients see and the INPUT it stands for.
        package init(name: String, argument: String, trustsAnyone: Bool = false) {
            self.name = name
            self.argument = argument
            self.trustsAnyone = trustsAnyone
        }
    }

    /// A trained classifier.
    package struct Classifier: Sendable {
        /// What clients call it.
        package var id: String
        /// Its name for people.
        package var name: String
        /// The classifier.
        package var model: HumanActionClassifier

        /// Makes a classifier known under an id and a name.
        package init(id: String, name: String, model: HumanActionClassifier) {
            self.id = id
            self.name = name
            self.model = model
        }
    }

    /// A camera of this machine.
    package struct Camera: Sendable, Equatable, Codable {
        /// The device's path, such as "/dev/video0".
        package var device: String
        /// Its name for people.
        package var name: String

        /// Names a camera.
        package init(device: String, name: String) {
            self.device = device
            self.name = name
        }
    }

    /// A video that a client uploaded.
    package struct Upload: Sendable {
        /// Its name for people.
        package var name: String
        /// The video.
        package var video: URL
        /// Where the overlay video is written, when a client asks for one.
        package var overlay: URL
        /// Where the poses are written, Kinema's JSON Lines.
        package var poses: URL

        /// Makes an upload from its name and its files.
        package init(name: String, video: URL, overlay: URL, poses: URL) {
            self.name = name
            self.video = video
            self.overlay = overlay
            self.poses = poses
        }
    }

    /// The streams that clients may name by their address.
    package enum Streams: Sendable, Hashable {
        /// None; only inputs named at the start are read.
        case none
        /// All: for the machine's own user.
        case all
        /// Those of the Internet, and of the machines named here: for clients who are somebody else.
        case publicAddresses(and: Set<NetworkAddress> = [])
    }

    /// What clients may send.
    package var limits = LiveLimits()
    /// How large pictures may be, wherever they come from, and how much memory a session's may take. The sockets are limited
    /// as well, so that is the most for all.
    package var reading = ReadingLimits.untrusted
    /// How exact the models' arithmetic is; the modes share one set of models, so it is what counting needs.
    package var precision = ModelStore.Precision.counting
    /// The inputs that clients may choose by name.
    package var inputs: [Input] = []
    /// The classifiers that clients may choose by id.
    package var classifiers: [Classifier] = []
    /// The streams that clients may name by their address.
    package var streams = Streams.all
    /// The cameras of this machine; clients may name no other device.
    package var cameras: @Sendable () -> [Camera] = { [] }
    /// Finds an upload by its id, and counts it as used; nil when there is none.
    package var upload: @Sendable (String) async -> Upload? = { _ in nil }
    /// Takes what is to be remembered; nil without a history.
    package var history: (@Sendable (KeptSession) async throws -> Void)?

    /// A service without inputs, classifiers, cameras, uploads or history.
    package init() {}
}
