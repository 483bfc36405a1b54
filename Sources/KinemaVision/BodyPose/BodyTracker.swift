package import KinemaCore
package import KinemaMedia

package struct BodyTracker: Sendable {
    // Exactly one of the two is set; separate properties can be mutated in place.
    private var blazePose: BodyPoseTracker?
    private var chosen: ModelTracker?

    /// Prepares the models; `options` are BlazePose's.
    package init(_ model: BodyModel, options: BodyPoseOptions, store: ModelStore, mode: RunningMode) throws {
        switch model {
        case .blazePose, .automatic: blazePose = try BodyPoseTracker(options: options, store: store, mode: mode)
        case .poseNet(let options): chosen = try ModelTracker(options: options, store: store)
        case .chosen(let options): chosen = try ModelTracker(options: options, store: store)
        }
    }

    /// Loads the models in parallel before the first frame arrives; errors are left to `init`.
    package static func prepare(_ model: BodyModel, options: BodyPoseOptions, store: ModelStore) {
        if case .blazePose = model { store.prepare(ModelCatalogue.bodies, precision: options.precision) }
    }

    /// The people in the stream's next frame; in a live stream, `catchUp` searches for newcomers.
    package mutating func update(_ frame: VideoFrame) throws -> [Pose] {
        try blazePose?.update(frame) ?? chosen?.update(frame) ?? []
    }

    /// The number of cuts so far.
    package var shot: Int { blazePose?.shots.count ?? chosen?.shots.count ?? 0 }

    private var manager: PersonTrackManager? { blazePose?.manager ?? chosen?.manager }

    /// Everyone in view or recently lost.
    package var memory: PersonMemory { PersonMemory(manager.map { $0.tracks + $0.lost } ?? []) }

    /// Those in view whose numbers are greater than `number`.
    package func newcomers(after number: Int) -> PersonMemory {
        PersonMemory((manager?.tracks ?? []).filter { $0.id > number })
    }

    package mutating func catchUp() throws { try blazePose?.catchUp() }
}
