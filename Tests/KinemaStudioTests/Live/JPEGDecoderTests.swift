import Foundation
import KinemaCore
import KinemaMedia
import KinemaSynth
import KinemaTestSupport
import Testing

struct JPEGDecoderTests {
    private func picture(width: Int, height: Int) throws -> Data {
        let scene = SynthScene.exercise(.squat, repetitions: 1, settings: .init(width: width, height: height))
        return try JPEGEncoder().jpeg(scene.videoFrame(0)).bytes
    }

    private let id = TemporalSegmentIdentifier(source: "test", range: 40..<73, timescale: 1000)

    @Test func `a picture comes back as it was sent`() throws {
        let scene = SynthScene.exercise(.squat, repetitions: 1, settings: .init(width: 320, height: 240))
        let decoder = try JPEGDecoder(maximumWidth: 640, maximumHeight: 640)
        let frame = try decoder.frame(try JPEGEncoder().jpeg(scene.videoFrame(0)).bytes, id: id)
        #expect((frame.width, frame.height) == (320, 240))
        #expect(frame.time == 0.04)
        let (sent, received) = (try scene.videoFrame(0).bitmap().pixels, try frame.bitmap().pixels)
        let error = zip(sent, received).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        // Lossy, but the same colours: no wrong matrix, no swapped planes, no wrong range.
        #expect(Double(error) / Double(sent.count) < 3)
    }

    @Test func `every truncated picture is refused`() throws {
        let whole = try picture(width: 160, height: 120)
        let decoder = try JPEGDecoder(maximumWidth: 640, maximumHeight: 640)
        for count in stride(from: 0, to: whole.count - 1, by: 97) {
            #expect(throws: KinemaError.self) { try decoder.frame(whole.prefix(count), id: id) }
        }
        #expect(try decoder.frame(whole, id: id).width == 160)
    }

    @Test func `large pictures are refused before they are decoded`() throws {
        let decoder = try JPEGDecoder(maximumWidth: 100, maximumHeight: 640)
        let error = #expect(throws: KinemaError.self) {
            try decoder.frame(try picture(width: 160, height: 120), id: id)
        }
        #expect(error?.code == .invalidArgument)
    }

    @Test func `pictures of many scans are refused before they are decoded`() throws {
        let whole = try picture(width: 160, height: 120)
        let decoder = try JPEGDecoder(maximumWidth: 640, maximumHeight: 640)
        let scan = try #require(JPEGHeader(whole)).count
        // Each scan begins again with the header of the first.
        let length = 2 + Int(whole[scan + 2]) << 8 + Int(whole[scan + 3])
        let header = Data(whole[scan..<scan + length])
        let many = whole.prefix(scan) + (0..<100).flatMap { _ in header } + whole.suffix(from: scan)
        let error = #expect(throws: KinemaError.self) { try decoder.frame(Data(many), id: id) }
        #expect(error?.message.contains("more scans than a camera's") == true)
        let few = whole.prefix(scan) + (0..<9).flatMap { _ in header } + whole.suffix(from: scan)
        #expect(JPEGHeader(Data(few))?.hasTooManyScans == false)
        #expect(try decoder.frame(whole, id: id).width == 160)
    }

    @Test func `scrambled pictures do no harm`() throws {
        let whole = try picture(width: 160, height: 120)
        let decoder = try JPEGDecoder(maximumWidth: 640, maximumHeight: 640)
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            var broken = whole
            for _ in 0..<8 {
                broken[Int.random(in: 0..<broken.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = try? decoder.frame(broken, id: id)
        }
        #expect(try decoder.frame(whole, id: id).height == 120)
    }
}
