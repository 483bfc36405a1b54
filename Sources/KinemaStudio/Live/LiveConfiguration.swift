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
        package var model: any ActionClassifier

        /// Whether it was learnt in the studio, which can take it away again.
        package var isMade: Bool

        /// Makes a classifier known under an id and a name.
        package init(id: String, name: String, model: any ActionClassifier, isMade: Bool = false) {
            self.id = id
            self.name = name
            self.model = model
            self.isMade = isMade
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

    /// The streams that clients may name by their address.
    package enum Streams: Sendable, Hashable {
        /// None; only inputs named at the start are read.
        case none
        /// All: for the machine's own user.
        case all
        /// Those of the Internet, and of the machines named here: for clients on other machines.
        case publicAddresses(and: Set<NetworkAddress> = [])
    }

    /// What finds bodies, where its models run, and how often they look.
    package struct Finder: Sendable {
        /// The model.
        package var model = BodyModel.blazePose
        /// The device.
        package var device = ModelStore.Device.cpu
        /// Whether the landmarks of people at rest stand for a while.
        package var holdsPeopleAtRest = false

        package init(
            model: BodyModel = .blazePose, device: ModelStore.Device = .cpu, holdsPeopleAtRest: Bool = false
        ) {
            (self.model, self.device, self.holdsPeopleAtRest) = (model, device, holdsPeopleAtRest)
        }
    }

    /// What clients may send.
    package var limits = LiveLimits()
    /// How large pictures may be, wherever they come from, and how much memory a session's may take. The sockets are limited
    /// as well, so that is the most for all.
    package var reading = ReadingLimits.untrusted
    /// Where files and uploads are decoded.
    package var isolation = DecoderIsolation.none
    /// How exact the models' arithmetic is; the modes share one set of models, so it is what counting needs.
    package var precision = ModelStore.Precision.counting
    /// What finds bodies, on which device, and how often.
    package var finder = LiveConfiguration.Finder()
    /// The inputs that clients may choose by name.
    package var inputs: [Input] = []
    /// The exercises that clients may choose by name, and among which one is recognised.
    package var exercises = ExerciseLibrary.all
    /// The classifiers that clients may choose by id.
    package var classifiers: [Classifier] = []
    /// The classifiers that were learnt in the studio by now, which clients may choose as well.
    package var madeClassifiers: @Sendable () -> [Classifier] = { [] }
    /// The streams that clients may name by their address.
    package var streams = Streams.all
    /// The cameras of this machine; clients may name no other device.
    package var cameras: @Sendable () -> [Camera] = { [] }
    /// Finds an upload by its id, and counts it as used; nil when there is none.
    package var upload: @Sendable (String) async -> StudioUpload? = { _ in nil }
    /// Takes what is to be remembered; nil without a history.
    package var history: (@Sendable (StoredSession) async throws -> Void)?
    /// Finds what was remembered of a session.
    package var remembered: @Sendable (UUID) async throws -> StoredSession? = { _ in nil }
    /// Copies a video to a session that was remembered; returns what is kept.
    package var keepVideo: (@Sendable (UUID, URL) async throws -> SessionVideo?)?

    /// Every classifier that can be chosen now.
    var offeredClassifiers: [Classifier] { classifiers + madeClassifiers() }

    /// A service without inputs, classifiers, cameras, uploads or history.
    package init() {}
}
