import Foundation
import KinemaCore
import KinemaVision

/// Checks whether BlazePose sees a crowd or small people, which a top-down model detects better.
package struct CrowdCheck: Sendable {
    /// The number of frames after which a live input is judged: it runs until stopped, often without a last frame.
    static let liveFrames = 100

    /// Whether to name the model, since `--model auto` does not choose it for live inputs or when it was given already.
    private let namesModel: Bool
    private(set) var frames = 0
    private var crowded = 0, small = 0, most = 0

    package init(namesModel: Bool = false) { self.namesModel = namesModel }

    package mutating func take(_ posed: PosedFrame) {
        guard !posed.poses.isEmpty else { return }
        let frame = (width: Double(posed.frame.width), height: Double(posed.frame.height))
        let longest =
            posed.poses.compactMap { $0.boundingBox() }.map { max($0.width * frame.width, $0.height * frame.height) }
            .max() ?? 0
        frames += 1
        if posed.poses.count >= CrowdSurvey.crowd { crowded += 1 }
        if longest < CrowdSurvey.smallSide * min(frame.width, frame.height) { small += 1 }
        most = max(most, posed.poses.count)
    }

    /// The advice; nil unless at least half of the frames with people showed a crowd or only small people.
    package var note: String? {
        guard frames > 0, 2 * max(crowded, small) >= frames else { return nil }
        let seen =
            2 * crowded >= frames
            ? "up to \(most) people at once, and blazepose misses people in crowds"
            : "the people are small, and blazepose is unreliable for small people"
        let model = FetchableModel.forCrowds
        let option = "--model " + (namesModel ? model : "auto")
        guard !ChosenModel.installedNames.contains(model) else { return "\(seen): use \(option)" }
        let use = namesModel ? "then use \(option)" : "which \(option) then uses"
        return "\(seen): kinema models fetch \(model), \(use)"
    }
}
