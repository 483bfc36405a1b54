@testable import KinemaSampling
@testable import KinemaImaging
@testable import KinemaVision
@testable import KinemaCore
@testable import KinemaMedia
@testable import KinemaSynth

extension Stage {
    static let flights = [flight]
    static let pictures = [registration, contours]

    /// Flight detection while a ball is thrown: frame differences, moving objects, flights.
    private static let flight: Stage = {
        let frames = 24
        return Stage(name: "flights", unit: "a frame of 640x360", operations: frames) {
            let scene = SynthScene.throwing(seed: 2, size: (640, 360))
            let start = scene.balls.first?.flights.first?.start ?? 0
            let first = Int(start * scene.frameRate.perSecond) - 5
            let pictures = try Fixtures.rendered(scene, frames: first..<first + frames, name: "throw")
            return {
                let request = DetectTrajectoriesRequest(trajectoryLength: 10)
                return pictures.reduce(0) { $0 + request.flights(in: $1).count }
            }
        }
    }()

    /// The motion of a hand-held camera from frame to frame.
    private static let registration: Stage = {
        let frames = 8
        return Stage(name: "registration", unit: "a frame of 640x480", operations: frames) {
            let scene = SynthScene.demo
            let pictures = try Fixtures.rendered(scene, frames: 30..<30 + frames, name: "demo")
            return {
                var tracker = TranslationTracker()
                return pictures.reduce(0) { found, picture in
                    found + (tracker.update(GrayPicture(picture, maximumDimension: 640)) == nil ? 0 : 1)
                }
            }
        }
    }()

    /// All contours of an image with a cornhole board.
    private static let contours = Stage(name: "contours", unit: "a picture of 960x540", operations: 1) {
        let scene = SynthScene.toss(seed: 1)
        let pictures = try Fixtures.rendered(scene, frames: 0..<1, name: "board")
        return {
            pictures.reduce(0) { found, picture in
                let raster = DetectContoursRequest().raster(of: picture)
                let tree = ContourTree(BorderFollower.borders(of: raster), width: raster.width, height: raster.height)
                return found + ContoursObservation(tree).contourCount
            }
        }
    }
}
