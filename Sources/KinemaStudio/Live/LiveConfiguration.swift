package import KinemaHistory
package import KinemaHTTP
package import KinemaCounting
import KinemaLearning
package import KinemaPose
package import Foundation
package import KinemaMedia

package struct LiveConfiguration: Sendable {
    /// An input of the command line, played in real time.
    package struct Input: Sendable {
        package var name: String
        package var argument: String
        /// Whether any server certificate is accepted.
        package var trustsAnyone: Bool

        package init(name: String, argument: String, trustsAnyone: Bool = false) {
            (self.name, self.argument, self.trustsAnyone) = (name, argument, trustsAnyone)
        }
    }

    package struct Camera: Sendable, Equatable, Codable {
        /// A path such as "/dev/video0".
        package var device: String
        package var name: String
    }

    /// The streams that clients may open by address.
    package enum Streams: Sendable, Hashable {
        /// Only inputs of the command line.
        case none
        /// All, for the machine's own user.
        case all
        /// Public addresses and those given, for clients on other machines.
        case publicAddresses(and: Set<NetworkAddress> = [])
    }

    package struct Finder: Sendable {
        package var model = BodyModel.blazePose
        package var device = ModelStore.Device.cpu
        /// Whether landmarks of people at rest are held for a while.
        package var holdsPeopleAtRest = false

        package init(
            model: BodyModel = .blazePose, device: ModelStore.Device = .cpu, holdsPeopleAtRest: Bool = false
        ) {
            (self.model, self.device, self.holdsPeopleAtRest) = (model, device, holdsPeopleAtRest)
        }
    }

    package var limits = LiveLimits()
    /// The size of pictures from any source, and the memory for them in a decoder.
    package var reading = ReadingLimits.untrusted
    package var isolation = DecoderIsolation.none
    /// The number of parts of an upload that are analysed at once while no other session runs; a core is left for the
    /// network and a browser on the same machine.
    package var uploadWorkers = max(1, ProcessInfo.processInfo.activeProcessorCount - 1)
    /// The number of uploads that are analysed at once, two cores for each; others wait in a queue.
    package var uploadsAtOnce = max(1, ProcessInfo.processInfo.activeProcessorCount / 2)
    /// How to turn the frames of inputs, the server's cameras and streams.
    package var orientation = PixelOrientation.upright
    /// The precision of counting, since all modes share one set of models.
    package var precision = ModelStore.Precision.counting
    package var finder = LiveConfiguration.Finder()
    package var inputs: [Input] = []
    /// The exercises that clients may choose and that are recognised.
    package var exercises = ExerciseLibrary.all
    package var madeExercises: @Sendable () -> [Exercise] = { [] }
    package var classifiers: [ClassifierLibrary.Classifier] = []
    package var madeClassifiers: @Sendable () -> [ClassifierLibrary.Classifier] = { [] }
    package var streams = Streams.all
    /// The only devices that clients may choose.
    package var cameras: @Sendable () -> [Camera] = { [] }
    /// Finds an upload by its id, and counts it as used.
    package var upload: @Sendable (String) async -> StudioUpload? = { _ in nil }
    /// Stores a session in place of the remembered one; false if another is stored now. Nil without a history.
    package var history: (@Sendable (StoredSession, _ earlier: StoredSession?) async throws -> Bool)?
    package var remembered: @Sendable (UUID) async throws -> StoredSession? = { _ in nil }
    /// The workout of a person, or of nobody, that still goes on at a time; nil if a new one begins.
    package var workout: @Sendable (_ person: String?, Date) async throws -> UUID? = { _, _ in nil }
    package var keepVideo: (@Sendable (UUID, URL, _ isCovered: Bool) async throws -> SessionVideo?)?

    /// Exercises taught here come first.
    var offeredExercises: [Exercise] { madeExercises() + exercises }

    var offeredClassifiers: [ClassifierLibrary.Classifier] { classifiers + madeClassifiers() }

    package init() {}
}
