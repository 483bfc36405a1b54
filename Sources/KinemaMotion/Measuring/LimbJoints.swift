import KinemaCore

struct LimbJoints: Sendable {
    let name: String
    let hip, knee, ankle, heel, toe, shoulder, elbow, wrist: JointKey

    static let left = LimbJoints(
        name: "left", hip: .leftHip, knee: .leftKnee, ankle: .leftAnkle, heel: .leftHeel, toe: .leftFootTip,
        shoulder: .leftShoulder, elbow: .leftElbow, wrist: .leftWrist)
    static let right = LimbJoints(
        name: "right", hip: .rightHip, knee: .rightKnee, ankle: .rightAnkle, heel: .rightHeel, toe: .rightFootTip,
        shoulder: .rightShoulder, elbow: .rightElbow, wrist: .rightWrist)
    static let both = [left, right]

    var foot: [JointKey] { [ankle, heel, toe] }
}
