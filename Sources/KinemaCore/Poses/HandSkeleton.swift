package enum HandSkeleton {
    /// The 21 joints: the wrist, then each finger from the palm to its tip, thumb first.
    package static let joints: [JointKey] = [.wrist] + fingers.flatMap(\.self)

    /// The joints of thumb, index, middle, ring and little finger, from the palm to the tip.
    package static let fingers: [[JointKey]] = [
        [.thumbCMC, .thumbMP, .thumbIP, .thumbTip], [.indexMCP, .indexPIP, .indexDIP, .indexTip],
        [.middleMCP, .middlePIP, .middleDIP, .middleTip], [.ringMCP, .ringPIP, .ringDIP, .ringTip],
        [.littleMCP, .littlePIP, .littleDIP, .littleTip],
    ]
}
