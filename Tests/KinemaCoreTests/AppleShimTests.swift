import Foundation
import Testing

@testable import KinemaCore

/// Times, transforms, matrices and arrays under the names of Apple's frameworks.
struct AppleShimTests {
    @Test func `times are exact fractions`() {
        #expect(CMTime(value: 1, timescale: 2) == CMTime(value: 300, timescale: 600))
        #expect(CMTime(value: 1, timescale: 2).hashValue == CMTime(value: 300, timescale: 600).hashValue)
        #expect(CMTime(value: 1, timescale: 3) > CMTime(value: 333_333_333, timescale: 1_000_000_000))
        #expect(CMTime(value: -1, timescale: 3) < .zero && CMTime.zero < .positiveInfinity)
        let third = CMTimeMake(value: 1001, timescale: 30000)
        #expect((third + third).value == 2002 && (third - third) == .zero)
        #expect(CMTimeGetSeconds(CMTimeMakeWithSeconds(0.25, preferredTimescale: 600)) == 0.25)
        #expect((CMTime(value: 1, timescale: 25) + CMTime(value: 1, timescale: 30)).timescale == 30)
        #expect(!CMTime(value: 1, timescale: 0).isValid && CMTime.indefinite.isIndefinite && CMTime.indefinite.isValid)
        #expect(CMTime(seconds: .infinity, preferredTimescale: 600) == .positiveInfinity)
        #expect(CMTime(seconds: .nan, preferredTimescale: 600) == .invalid && CMTime.invalid.seconds.isNaN)
        #expect(CMTimeAdd(third, third) == third + third && CMTimeSubtract(third, third) == .zero)
        #expect([.zero, third, .positiveInfinity].map { CMTimeCompare($0, third) } == [-1, 0, 1])
        #expect(CMTimeRangeMake(start: third, duration: third).end == third + third)
        let range = CMTimeRange(start: third, end: CMTime(value: 4, timescale: 1))
        #expect(abs(range.end.seconds - 4) < 1e-4 && range.containsTime(third) && !range.containsTime(.zero))
    }

    @Test func `a frame's identifier is a range of its own ticks`() {
        let id = TemporalSegmentIdentifier(source: "a", range: 1001..<2002, timescale: 30000)
        #expect(id.timeRange.start == CMTime(value: 1001, timescale: 30000))
        #expect(id.timeRange.end.seconds == id.rangeInSeconds.upperBound)
    }

    @Test func `transforms are applied in Core Graphics' order`() {
        let turn = CGAffineTransform(rotationAngle: .pi / 2)
        let turned = CGPoint(x: 1, y: 0).applying(turn)
        #expect(abs(turned.x) < 1e-12 && abs(turned.y - 1) < 1e-12)
        let scaledThenMoved = CGAffineTransform(scaleX: 2, y: 3).concatenating(
            CGAffineTransform(translationX: 10, y: 20))
        #expect(CGPoint(x: 1, y: 1).applying(scaledThenMoved) == CGPoint(x: 12, y: 23))
        // `translatedBy` moves first.
        #expect(
            CGPoint(x: 1, y: 1).applying(CGAffineTransform(scaleX: 2, y: 3).translatedBy(x: 10, y: 20))
                == CGPoint(x: 22, y: 63))
        #expect(
            CGPoint(x: 1, y: 1).applying(CGAffineTransform.identity.rotated(by: .pi).scaledBy(x: 2, y: 2)).x < -1.99)
        let back = CGPoint(x: 12, y: 23).applying(scaledThenMoved.inverted())
        #expect(abs(back.x - 1) < 1e-12 && abs(back.y - 1) < 1e-12)
        #expect(CGAffineTransform(scaleX: 0, y: 1).inverted() == CGAffineTransform(scaleX: 0, y: 1))
        #expect(
            CGRect(x: 0, y: 0, width: 1, height: 1).applying(
                CGAffineTransform(scaleX: 1, y: -1).translatedBy(x: 0, y: -1))
                == CGRect(x: 0, y: 0, width: 1, height: 1))
        #expect(CGSize(width: 2, height: 3).applying(scaledThenMoved) == CGSize(width: 4, height: 9))
    }

    @Test func `vectors of any length and precision are measured alike`() {
        #expect(simd_length(simd_float2(3, 4)) == 5 && simd_distance(simd_double2(1, 1), simd_double2(4, 5)) == 5)
        #expect(simd_dot(simd_float4(1, 2, 3, 4), simd_float4(4, 3, 2, 1)) == 20)
        #expect(simd_length_squared(simd_float2(3, 4)) == 25)
        #expect(simd_distance_squared(simd_double2(1, 1), simd_double2(4, 5)) == 25)
        #expect([-2, 0.5, 2].map { simd_clamp($0, -1, 1) } == [-1, 0.5, 1])
        #expect(normalize(simd_double3(0, 0, 2)) == simd_double3(0, 0, 1))
        #expect(simd_cross(simd_double3(1, 0, 0), simd_double3(0, 1, 0)) == simd_double3(0, 0, 1))
        #expect(CGVector(dx: 0, dy: 0) == .zero)
    }

    @Test func `matrices multiply and invert by columns`() {
        let move = simd_float4x4(translation: SIMD3(1, 2, 3))
        let grow = simd_float4x4(diagonal: SIMD4(2, 2, 2, 1))
        let origin = SIMD4<Float>(0, 0, 0, 1)
        #expect(grow * move * origin == SIMD4(2, 4, 6, 1))
        #expect((move * grow).columns.3 == SIMD4(1, 2, 3, 1))
        #expect((grow * move).inverse * (grow * move) == matrix_identity_float4x4)
        let mixed = simd_float4x4(SIMD4(0, 2, 0, 1), SIMD4(1, 0, 0, 3), SIMD4(0, 1, 4, 0), SIMD4(2, 0, 1, 1))
        let unit = mixed * mixed.inverse
        for column in 0..<4 {
            for row in 0..<4 { #expect(abs(unit[column][row] - (row == column ? 1 : 0)) < 1e-5) }
        }
        #expect(move.transpose[0] == SIMD4(1, 0, 0, 1))
        #expect(simd_distance(SIMD3(0, 0, 0), SIMD3(3, 4, 0)) == 5 && simd_length(simd_normalize(SIMD3(3, 4, 0))) == 1)
    }

    @Test func `multiarrays are shared and joined along any dimension`() throws {
        let array = try MLMultiArray(shape: [2, 3], dataType: .double)
        #expect(array.count == 6 && array.shape == [2, 3] && array.strides == [3, 1])
        let same = array
        same[[1, 2]] = 7.5
        #expect(array[5] == 7.5)
        let wide = MLMultiArray(concatenating: [array, array], axis: 1, dataType: .int32)
        #expect(wide.shape == [2, 6] && wide[[1, 2]] == 7 && wide[[1, 5]] == 7 && wide[[0, 5]] == 0)
        let tall = MLMultiArray(concatenating: [array, array], axis: 0, dataType: .float)
        #expect(tall.shape == [4, 3] && tall[[1, 2]] == 7.5 && tall[[3, 2]] == 7.5 && tall[[2, 2]] == 0)
        #expect(MLShapedArray(array)[scalarAt: 1, 2] == 7.5)
        #expect(throws: KinemaError.self) { _ = try MLMultiArray(shape: [-1], dataType: .double) }
    }

    @Test func `a multiarray's numbers are read and written in place, in their own type`() throws {
        let array = try MLMultiArray(shape: [2, 2], dataType: .float)
        array.withUnsafeMutableBufferPointer(ofType: Float.self) { numbers, strides in numbers[strides[0]] = 0.1 }
        #expect(array[[1, 0]].floatValue == 0.1)
        array[3] = 2.5
        #expect(array.dataPointer.assumingMemoryBound(to: Float.self)[3] == 2.5)
        #expect(array.withUnsafeBytes { $0.count } == 16 && array.withUnsafeMutableBytes { $1 } == [2, 1])
        #expect(array.withUnsafeBufferPointer(ofType: Float.self) { Array($0) } == [0, 0, 0.1, 2.5])
        #expect(throws: KinemaError.self) { _ = try UnsafeMutableBufferPointer<Double>(array) }
        let pose = try MLMultiArray(shape: [1, 3, 18], dataType: .double)
        try UnsafeMutableBufferPointer<Double>(pose).initialize(repeating: 1)
        #expect(pose.count == 54 && (0..<54).allSatisfy { pose[$0] == 1 })
        let whole = try MLMultiArray(shape: [3], dataType: .int32)
        for (index, number) in [-1.5, 1e12, .nan].enumerated() { whole[index] = NSNumber(value: number) }
        #expect(whole[0] == -1 && whole[1].int32Value == .max && whole[2] == 0)
        let back = MLShapedArray<Float>(array)
        #expect(back.shape == [2, 2] && back[scalarAt: 1, 1] == 2.5 && MLMultiArray(back).dataType == .float32)
        #expect(try MLMultiArray([0.5, 2]).shape == [2] && MLMultiArray(shape: [0, 3], dataType: .double).count == 0)
    }

    @Test func `regions and pixels convert both ways`() {
        let size = CGSize(width: 200, height: 100)
        let region = NormalizedRect(x: 0.5, y: 0.25, width: 0.25, height: 0.5)
        let point = NormalizedPoint(imagePoint: CGPoint(x: 125, y: 50), in: size, normalizedTo: region)
        #expect(point == NormalizedPoint(x: 0.5, y: 0.5))
        #expect(point.toImageCoordinates(from: region, imageSize: size) == CGPoint(x: 125, y: 50))
        #expect(NormalizedPoint(imagePoint: CGPoint(x: 50, y: 25), in: size) == NormalizedPoint(x: 0.25, y: 0.25))
        #expect(NormalizedPoint(x: 0.1, y: 0.75).verticallyFlipped() == NormalizedPoint(x: 0.1, y: 0.25))
        let rect = NormalizedRect(
            imageRect: CGRect(x: 100, y: 25, width: 25, height: 50), in: size, normalizedTo: region)
        #expect(rect == NormalizedRect(x: 0, y: 0, width: 0.5, height: 1))
        #expect(rect.toImageCoordinates(from: region, imageSize: size) == CGRect(x: 100, y: 25, width: 25, height: 50))
        #expect(NormalizedRect(imageRect: CGRect(x: 0, y: 0, width: 100, height: 25), in: size).height == 0.25)
        #expect(
            NormalizedRect(x: 0, y: 0.25, width: 1, height: 0.25).verticallyFlipped()
                == NormalizedRect(x: 0, y: 0.5, width: 1, height: 0.25))
    }

    @Test func `a flight in a region's coordinates lies on its parabola`() {
        let flight = TrajectoryObservation(
            confidence: 1, timeRange: nil, detectedPoints: [NormalizedPoint(x: 0.5, y: 0.5)], detectedTimes: [0],
            projectedPoints: [], equationCoefficients: SIMD3(-1, 1, 0.25), movingAverageRadius: 0.01)
        let region = NormalizedRect(x: 0.25, y: 0.1, width: 0.5, height: 0.8)
        let seen = flight.relative(to: region)
        let (c, x) = (seen.equationCoefficients, Float(seen.detectedPoints[0].x))
        #expect(abs(Double(c.x * x * x + c.y * x + c.z) - Double(seen.detectedPoints[0].y)) < 1e-6)
        // A flight keeps its identifier from frame to frame, so its points matter too.
        let half = flight.relative(to: NormalizedRect(x: 0, y: 0, width: 0.5, height: 1))
        #expect(half.uuid == flight.uuid && half != flight && flight.relative(to: .fullImage) == flight)
    }
}
