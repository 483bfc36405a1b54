import KinemaCore
import KinemaMotion
import KinemaVision

enum JointOrder: CaseIterable {
    /// MediaPipe's 33 points (BlazePose).
    case blazePose33
    /// AlphaPose's Halpe with 26 joints: COCO's, then head, neck, midpoint of the hips and feet.
    case halpe26
    /// OpenPose's BODY_25.
    case body25
    /// OpenPose's COCO model with 18 joints.
    case openPose18
    /// COCO's own 17 joints, which lack the neck.
    case coco17
    /// A hand's 21 joints: the wrist, then each finger from the palm to its tip, thumb first.
    case hand21
    /// COCO's joints and then 6 of the feet, 68 of the face and 42 of the hands.
    case wholeBody133
    /// Halpe's 26 joints, then 68 of the face and 42 of the hands.
    case halpe136
    /// Human3.6M's 17 joints; known only to distinguish them from COCO's.
    case human36M17
    /// The Kinect v2's 25 joints, as NTU RGB+D has them; known only to distinguish them from BODY_25's.
    case kinect25
    /// COCO's 17 joints and the neck; known only to distinguish them from OpenPose's.
    case cocoNeck18

    init?(joints: Int, of subject: ActionSubject) {
        let order = Self.allCases.first { $0.isRead && $0.count == joints && ($0 == .hand21) == (subject == .hand) }
        guard let order else { return nil }
        self = order
    }

    private var isRead: Bool { ![.human36M17, .kinect25, .cocoNeck18].contains(self) }

    var rivals: [JointOrder] { Self.allCases.filter { !$0.isRead && $0.count == count } }

    /// The numbers of joints that a network's window may have.
    static let counts = [33, 25, 21, 18, 17]

    static func known(of subject: ActionSubject) -> String { subject == .hand ? "21" : "33, 26, 25, 18 or 17" }

    var owner: String {
        switch self {
        case .blazePose33: "MediaPipe's"
        case .halpe26, .halpe136: "Halpe's"
        case .body25: "BODY_25's"
        case .openPose18: "OpenPose's"
        case .coco17: "COCO's"
        case .hand21: "a hand's"
        case .wholeBody133: "COCO-WholeBody's"
        case .human36M17: "Human3.6M's"
        case .kinect25: "the Kinect's"
        case .cocoNeck18: "COCO's with the neck last"
        }
    }

    /// The joints in this order, nil for points that Kinema has no joint for; some orders have each tip of a foot twice.
    var keys: [JointKey?] { Self.table[self] ?? [] }

    private static let table: [JointOrder: [JointKey?]] = {
        let halpe =
            COCOExport.joints.map(Optional.init) + [
                nil, .neck, .root, .leftFootTip, .rightFootTip, .leftFootTip, .rightFootTip, .leftHeel, .rightHeel,
            ]
        let feet: [JointKey?] = [.leftFootTip, .leftFootTip, .leftHeel, .rightFootTip, .rightFootTip, .rightHeel]
        let faceAndHands = [JointKey?](repeating: nil, count: 110)
        return [
            .blazePose33: BlazePoseSkeleton.joints, .body25: OpenPoseExport.joints, .openPose18: Pose.arrayJoints,
            .coco17: COCOExport.joints, .hand21: HandSkeleton.joints, .halpe26: halpe,
            .wholeBody133: COCOExport.joints.map(Optional.init) + feet + faceAndHands, .halpe136: halpe + faceAndHands,
            .human36M17: [
                .root, .rightHip, .rightKnee, .rightAnkle, .leftHip, .leftKnee, .leftAnkle, nil, .neck, .nose, nil,
                .leftShoulder, .leftElbow, .leftWrist, .rightShoulder, .rightElbow, .rightWrist,
            ],
            .kinect25: [
                .root, nil, .neck, .nose, .leftShoulder, .leftElbow, .leftWrist, nil, .rightShoulder, .rightElbow,
                .rightWrist, nil, .leftHip, .leftKnee, .leftAnkle, .leftFootTip, .rightHip, .rightKnee, .rightAnkle,
                .rightFootTip, nil, nil, nil, nil, nil,
            ],
            .cocoNeck18: COCOExport.joints + [.neck],
        ]
    }()

    /// The joints that are not in the order but lie halfway between two that are.
    var middles: [(key: JointKey, between: (Int, Int))] {
        switch self {
        case .blazePose33: BlazePoseSkeleton.middles
        case .openPose18: [(.root, (8, 11))]
        case .coco17, .wholeBody133, .cocoNeck18: [(.neck, (5, 6)), (.root, (11, 12))]
        case .body25, .hand21, .halpe26, .halpe136, .human36M17, .kinect25: []
        }
    }

    var count: Int { keys.count }
}
