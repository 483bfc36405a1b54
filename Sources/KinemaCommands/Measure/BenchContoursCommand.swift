import ArgumentParser
import Foundation
import Kinema
import KinemaCore
import KinemaVision

/// `kinema bench-contours`: the contours in one frame, the searched picture, and the time of the search.
struct BenchContoursCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench-contours", abstract: "Writes the contours in one frame and times the search.",
        shouldDisplay: false)

    @Argument(help: "A video or picture file.")
    var input: String

    @Option(help: "The number of the frame, from 0.")
    var frame = 0

    @Flag(help: "Find the contours of light areas instead of dark ones.")
    var light = false

    @Flag(help: "Choose the threshold between dark and light from the picture.")
    var automatic = false

    @Option(help: "The longer side of the searched picture, in pixels.")
    var dimension = 512

    @Option(help: "The number of timed searches.")
    var passes = 100

    @Option(help: "Write the binary picture to this file, as PGM.")
    var binary: String?

    func run() async throws {
        var request = DetectContoursRequest()
        request.detectsDarkOnLight = !light
        request.maximumImageDimension = dimension
        if automatic { request.contrastPivot = nil }
        let bench = try await ContourBench(request, on: chosenFrame())
        if let binary { try write(bench, to: binary) }
        let followCost = try await fastest { _ = bench.follow($0) }
        let wholeCost = try await fastest { _ = try await bench.perform($0) }
        var json = JSONText()
        json.object { json in
            for (key, value) in [("width", bench.width), ("height", bench.height)] {
                json.key(key)
                json.integer(value)
            }
            for (key, cost) in [("followCPUms", followCost), ("wholeCPUms", wholeCost)] {
                json.key(key)
                json.number(cost * 1000, decimals: 5)
            }
            json.key("contours")
            json.array { json in
                for index in 0..<bench.observation.contourCount {
                    guard let contour = bench.observation.contourAtIndex(index) else { continue }
                    Self.write(contour, to: &json)
                }
            }
        }
        json.newline()
        try StandardOutput().write(json.bytes)
    }

    /// The processor time of one pass in seconds, in the fastest of five rounds, which other processes disturb least.
    private func fastest(_ body: (_ passes: Int) async throws -> Void) async throws -> Double {
        let count = max(1, passes / 5)
        var best = Double.infinity
        for _ in 0..<5 {
            best = min(best, try await ProcessorTime.cost { try await body(count) }.cpu / Double(count))
        }
        return best
    }

    private func chosenFrame() async throws -> VideoFrame {
        var number = 0
        for try await element in try await OpenedInput(input, isTimed: true).frames {
            if number == frame { return element.feature }
            number += 1
        }
        throw KinemaError(.invalidArgument, "there are only \(number) frames; choose an earlier one", file: input)
    }

    private func write(_ bench: ContourBench, to path: String) throws {
        let header = Array("P5\n\(bench.width) \(bench.height)\n255\n".utf8)
        try AtomicFile.write(header + bench.binaryPicture, to: URL(filePath: path))
    }

    /// Writes the index path of a contour and its points: 0...1, origin at the lower left.
    private static func write(_ contour: ContoursObservation.Contour, to json: inout JSONText) {
        json.object { json in
            json.key("path")
            json.array { json in
                for index in contour.indexPath { json.integer(index) }
            }
            json.key("points")
            json.array { json in
                for point in contour.normalizedPoints {
                    json.number(Double(point.x), decimals: 7)
                    json.number(Double(point.y), decimals: 7)
                }
            }
        }
    }
}

/// Benchmarks border following and contour requests on one picture.
struct ContourBench: Sendable {
    /// The contours of the picture.
    let observation: ContoursObservation
    private let request: DetectContoursRequest
    private let frame: VideoFrame
    private let raster: BinaryRaster

    /// Performs the request once and keeps the binary picture it searched.
    init(_ request: DetectContoursRequest, on frame: VideoFrame) async throws {
        self.request = request
        self.frame = frame
        raster = request.raster(of: frame)
        observation = try await request.perform(on: frame)
    }

    /// The width of the searched picture, in pixels.
    var width: Int { raster.width }
    /// The height of the searched picture, in pixels.
    var height: Int { raster.height }

    /// The searched picture, top row first: 255 for the areas whose contours were found, else 0.
    var binaryPicture: [UInt8] {
        (0..<height).flatMap { y in (0..<width).map { x in raster[x, y] ? 255 : 0 } }
    }

    /// Follows all borders `count` times; returns their total number.
    func follow(_ count: Int) -> Int {
        (0..<count).reduce(0) { sum, _ in sum + raster.borderCount }
    }

    /// Performs the whole request `count` times, starting from the frame.
    func perform(_ count: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count { sum += try await request.perform(on: frame).contourCount }
        return sum
    }
}
