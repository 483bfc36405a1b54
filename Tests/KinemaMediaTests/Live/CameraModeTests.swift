import Foundation
import Testing

@testable import KinemaMedia

/// Which of a camera's modes is taken, for a usual webcam: raw pictures only as far as its cable carries them.
@Suite struct CameraModeTests {
    let modes = [
        CameraMode(isCompressed: false, width: 320, height: 240, frameRate: 30),
        CameraMode(isCompressed: false, width: 640, height: 480, frameRate: 30),
        CameraMode(isCompressed: false, width: 1280, height: 720, frameRate: 10),
        CameraMode(isCompressed: true, width: 640, height: 480, frameRate: 60),
        CameraMode(isCompressed: true, width: 1280, height: 720, frameRate: 30),
        CameraMode(isCompressed: true, width: 1920, height: 1080, frameRate: 29.97),
        CameraMode(isCompressed: true, width: 3840, height: 2160, frameRate: 5),
    ]

    private func chosen(_ configuration: VideoReader.CameraConfiguration) -> [Int]? {
        CameraMode.nearest(modes, to: configuration).map { [$0.width, $0.height, $0.isCompressed ? 1 : 0] }
    }

    @Test
    func `Resolutions are those that reach the frame rate; raw before compressed`() {
        #expect(chosen(.init(resolution: .high)) == [1920, 1080, 1])
        // Half of 1920x1080 is 960x540.
        #expect(chosen(.init(resolution: .medium)) == [640, 480, 0])
        #expect(chosen(.init(resolution: .low)) == [320, 240, 0])
        #expect(chosen(.init(resolution: .high, frameRate: 60)) == [640, 480, 1])
        #expect(chosen(.init(resolution: .high, frameRate: 5)) == [3840, 2160, 1])
    }

    @Test
    func `No camera is quick enough: the quickest is taken`() {
        #expect(chosen(.init(frameRate: 240)) == [640, 480, 1])
    }

    @Test
    func `A size in pixels takes the nearest, then the mode that is quick enough`() {
        #expect(chosen(.init(frameSize: CGSize(width: 640, height: 480))) == [640, 480, 0])
        #expect(chosen(.init(frameRate: 60, frameSize: CGSize(width: 640, height: 480))) == [640, 480, 1])
        #expect(chosen(.init(frameSize: CGSize(width: 1300, height: 700))) == [1280, 720, 1])
        #expect(chosen(.init(frameSize: CGSize(width: 9000, height: 9000))) == [3840, 2160, 1])
    }

    @Test
    func `A camera that reports nothing, or only sizes that are refused, has no mode`() {
        #expect(CameraMode.nearest([], to: .init()) == nil)
        let huge = CameraMode(isCompressed: false, width: 20000, height: 20000, frameRate: 30)
        #expect(CameraMode.nearest([huge], to: .init()) == nil)
        let silent = CameraMode(isCompressed: false, width: 640, height: 480, frameRate: 0)
        #expect(CameraMode.nearest([silent], to: .init()) == silent)
    }
}
