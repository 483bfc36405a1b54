import ArgumentParser
import KinemaMedia

/// How to turn the frames of a camera that is mounted sideways or shows a mirror image.
struct TurnOptionGroup: ParsableArguments {
    enum Rotation: Int, CaseIterable, ExpressibleByArgument {
        case right = 90
        case half = 180
        case left = 270
    }

    static let rotation = ArgumentHelp(
        "Turn the frames clockwise by 90, 180 or 270 degrees, for a camera mounted sideways or upside down.",
        valueName: "degrees")

    @Option(help: Self.rotation)
    var rotate: Rotation?

    @Flag(help: "Swap left and right, after --rotate, for a camera that shows a mirror image.")
    var mirror = false

    var option: String? { rotate != nil ? "--rotate" : mirror ? "--mirror" : nil }

    var orientation: PixelOrientation { PixelOrientation(degreesClockwise: rotate?.rawValue ?? 0, mirrored: mirror) }
}
