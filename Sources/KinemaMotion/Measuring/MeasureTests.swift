/// The findings of the tests; nil for those not run.
public struct MeasureTests: Codable, Sendable, Hashable {
    /// Walking or running.
    public var gait: GaitFinding?
    /// The jumps in order.
    public var jumps: [JumpFinding]?
    /// Standing up from a chair.
    public var sitToStand: SitToStandFinding?
    /// Timed up and go.
    public var upAndGo: UpAndGoFinding?
    /// Sway.
    public var balance: BalanceFinding?
    /// The lifts of a bar in order.
    public var barPath: [BarLift]?
    /// The start of a sprint.
    public var sprint: SprintFinding?
    /// The range of each joint angle, by its name, in degrees.
    public var range: [String: RangeFinding]?

    package init() {}
}
