/// The variations of each window's augmented copy, named like Create ML's options where it has them.
public struct AugmentationOptions: OptionSet, Hashable, Sendable {
    /// The options as bits.
    public let rawValue: Int

    /// Creates options from bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Swaps left and right in every second copy.
    public static let horizontalFlip = AugmentationOptions(rawValue: 1 << 0)
    /// Rotates in the image plane, with a standard deviation of 8 degrees: a tilted camera or a leaning body.
    public static let rotate = AugmentationOptions(rawValue: 1 << 1)
    /// Scales width and height, each with a standard deviation of 10 %: limb lengths, camera height.
    public static let scale = AugmentationOptions(rawValue: 1 << 2)
    /// Stretches part of the window in time, by up to 15 %.
    public static let interpolateFrames = AugmentationOptions(rawValue: 1 << 3)
    /// Drops one frame in ten and interpolates it: a camera that stutters.
    public static let dropFrames = AugmentationOptions(rawValue: 1 << 4)
    /// Moves every joint in every frame, with a standard deviation of 2 % of the torso: unsteady joints.
    public static let jitter = AugmentationOptions(rawValue: 1 << 5)
    /// Drops three joints in a hundred: body parts out of the frame.
    public static let dropJoints = AugmentationOptions(rawValue: 1 << 6)

    /// The default: mirroring, rotation, scale, time stretch and dropped joints.
    public static let standard: AugmentationOptions = [
        .horizontalFlip, .rotate, .scale, .interpolateFrames, .dropJoints,
    ]
}
