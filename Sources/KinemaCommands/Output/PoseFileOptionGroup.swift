import ArgumentParser
package import Kinema
import KinemaMedia

package struct PoseFileOptionGroup: ParsableArguments {
    @Option(help: "Frames per second of pose files without times. (default: 30)")
    var fps: Double?

    @Option(
        help: ArgumentHelp(
            "The aspect ratio of the frames that a pose file was made from. (default: from its lines, or 16/9)",
            valueName: "w/h"), transform: Self.aspect)
    var aspect: AspectRatio?

    /// The formats of pose files, for the help of the commands that read them.
    static let formats = """
        which needs no model, also on standard input: lines or a table of kinema pose, a table that names joints in its \
        columns or rows (also DeepLabCut's, or in JSON as pandas writes it), COCO's keypoints, results of Ultralytics, mmpose, \
        MediaPipe, AlphaPose or Apple's Vision, joints by name in JSON, motion-capture markers, a folder of OpenPose's files or \
        Ultralytics' labels, or bare numbers (.npy, .npz, .csv, .json): x, y and confidence of MediaPipe's 33, Halpe's 26, \
        BODY_25's 25, OpenPose's 18 or COCO's 17 joints per frame. Files may be packed (.gz, .xz, .zip). The confidence may be \
        absent or a depth; the result says how the numbers were interpreted.
        """

    static let noFrames = "videos and images; a pose file has no frames"

    func validate() throws { try require(fps, in: 0.001...1000, "--fps") }

    private static func aspect(_ text: String) throws -> AspectRatio {
        let sides = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        guard sides.count == 2, let aspect = AspectRatio(width: sides[0], height: sides[1]) else {
            throw ValidationError("--aspect must be two whole numbers from 1 to 65536, such as 16/9")
        }
        return aspect
    }

    /// The input, read as poses if it is a pose file.
    package func choice(_ input: InputChoice, of subject: ActionSubject = .body) -> InputChoice {
        var choice = input
        if let file = choice.poseFile {
            choice.poses = (PoseSequenceReader(subject: subject, rate: fps ?? 30, aspect: aspect), file)
        }
        return choice
    }

    func choice(
        _ media: MediaOptionGroup, _ body: BodyOptionGroup?, of subject: ActionSubject = .body
    ) throws -> InputChoice {
        var choice = choice(media.choice, of: subject)
        choice.statesRate = fps != nil
        if choice.poses == nil {
            if let refusal = choice.file.flatMap(ForeignFile.refusal) { throw refusal }
            if fps != nil { choice.mismatch = choice.refusal(of: "--fps", "pose files; this input has its own times") }
            if aspect != nil {
                choice.mismatch = choice.refusal(of: "--aspect", "pose files; this input has its own frames")
            }
            if choice.isLive, let mismatch = choice.mismatch { throw mismatch }
        } else if let option = media.pictureOptions.first ?? body?.options.first {
            throw choice.refusal(of: option, Self.noFrames)
        }
        return choice
    }
}

extension MediaOptionGroup {
    fileprivate var pictureOptions: [String] {
        given([
            "--overlay": overlay != nil, "--for": live.seconds != nil, "--transport": live.transport != .tcp,
            "--insecure": live.insecure, "--camera-size": live.cameraSize != nil,
            "--camera-rate": live.cameraRate != nil,
        ]) + [live.turn.option].compactMap(\.self)
    }
}

extension BodyOptionGroup {
    fileprivate var options: [String] {
        let usual = BodyPoseOptions()
        return given([
            "--model": finder.model != .blazePose, "--max-people": maxPeople != usual.maximumPeople,
            "--search": search != usual.search, "--precision": precision != nil, "--raw": raw, "--jobs": jobs != nil,
            "--hold": hold,
        ])
    }
}
