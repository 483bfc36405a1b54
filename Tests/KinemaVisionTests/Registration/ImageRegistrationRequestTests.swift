@testable import KinemaSampling
@testable import KinemaVision
import Foundation
import KinemaCore
import KinemaMedia
import KinemaTestSupport
import Testing

struct ImageRegistrationRequestTests {
    private let terrain = Terrain(seed: 6)

    @Test func `the first frame gives no result and the next its shift in pixels upwards`() async throws {
        let request = TrackTranslationalImageRegistrationRequest()
        #expect(request.minimumLatencyFrameCount == 2 && request.frameAnalysisSpacing == .zero)
        #expect(try await request.perform(on: terrain.picture().frame(0)) == nil)
        let found = try #require(try await request.perform(on: terrain.picture(shift: SIMD2(4.5, 7.25)).frame(1)))
        let transform = found.alignmentTransform
        #expect(abs(transform.tx - 4.5) < 0.05 && abs(transform.ty + 7.25) < 0.05)
        #expect(transform.a == 1 && transform.b == 0 && transform.c == 0 && transform.d == 1)
        #expect(found.confidence > 0.9)
        #expect(found.timeRange?.start.seconds == 1.0 / 30 && found.timeRange?.end.seconds == 2.0 / 30)
        let point = CGPoint(x: 10, y: 20).applying(transform)
        #expect(abs(point.x - 14.5) < 0.05 && abs(point.y - 12.75) < 0.05)
    }

    @Test func `shifts of large pictures are in their own pixels`() async throws {
        let request = TrackTranslationalImageRegistrationRequest()
        let (width, height) = (1280, 720)
        _ = try await request.perform(on: terrain.picture(width: width, height: height).frame(0))
        let next = terrain.picture(width: width, height: height, shift: SIMD2(-33.3, 10.6)).frame(1)
        let found = try #require(try await request.perform(on: next))
        #expect(abs(found.alignmentTransform.tx + 33.3) < 0.1 && abs(found.alignmentTransform.ty + 10.6) < 0.1)
    }

    @Test func `only the region is followed`() async throws {
        let request = TrackTranslationalImageRegistrationRequest()
        request.regionOfInterest = NormalizedRect(x: 0, y: 0, width: 0.5, height: 1)
        func picture(_ left: SIMD2<Double>, _ right: SIMD2<Double>) -> GrayPicture {
            var picture = terrain.picture(shift: left)
            let other = terrain.picture(shift: right)
            for y in 0..<360 {
                for x in 320..<640 { picture.pixels[y * 640 + x] = other.pixels[y * 640 + x] }
            }
            return picture
        }
        _ = try await request.perform(on: picture(.zero, .zero).frame(0))
        let found = try #require(try await request.perform(on: picture(SIMD2(3, 1), SIMD2(-20, 9)).frame(1)))
        #expect(abs(found.alignmentTransform.tx - 3) < 0.1 && abs(found.alignmentTransform.ty + 1) < 0.1)
        request.regionOfInterest = .fullImage
        #expect(try await request.perform(on: terrain.picture().frame(2)) == nil)
    }

    @Test func `frames too close in time are passed over`() async throws {
        let request = TrackTranslationalImageRegistrationRequest(
            frameAnalysisSpacing: CMTime(value: 1, timescale: 10))
        var answered: [Int] = []
        for number in 0..<10 {
            let frame = terrain.picture(width: 160, height: 90, shift: SIMD2(Double(number), 0)).frame(number)
            guard let found = try await request.perform(on: frame) else { continue }
            answered.append(number)
            // Three frames' worth of movement since the last that was looked at.
            #expect(abs(found.alignmentTransform.tx - 3) < 0.1)
        }
        #expect(answered == [3, 6, 9])
    }

    @Test func `another source size or time starts anew`() async throws {
        let request = TrackTranslationalImageRegistrationRequest()
        let (small, large) = (terrain.picture(width: 160, height: 90), terrain.picture(width: 200, height: 90))
        #expect(try await request.perform(on: small.frame(5)) == nil)
        #expect(try await request.perform(on: small.frame(6, source: "another")) == nil)
        #expect(try await request.perform(on: small.frame(7, source: "another")) != nil)
        #expect(try await request.perform(on: large.frame(8, source: "another")) == nil)
        #expect(try await request.perform(on: large.frame(2, source: "another")) == nil)
        #expect(try await request.perform(on: large.frame(3, source: "another")) != nil)
    }

    @Test(.enabled(if: SharedData.isPresent, "needs ../shared"))
    func `a camera that stands still does not move`() async throws {
        let request = TrackTranslationalImageRegistrationRequest()
        var (count, moved) = (0, 0.0)
        for try await element in try await VideoReader.read(
            contentsOf: SharedData.file("throws/cornhole_board_a.mp4"))
        {
            if let found = try await request.perform(on: element.feature) {
                #expect(found.confidence > 0.8)
                count += 1
                moved += abs(found.alignmentTransform.tx) + abs(found.alignmentTransform.ty)
            }
            if count == 30 { break }
        }
        #expect(count == 30 && moved < 10)
    }
}
