import KinemaImaging
import KinemaVision
import ArgumentParser
import Foundation
import Kinema
import KinemaCore

struct ContoursCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contours", abstract: "Writes the contours in one frame and times the search.")

    @Argument(help: "A video or image file.")
    var input: String

    @Option(help: "The number of the frame, from 0.")
    var frame = 0

    @Flag(help: "Find the contours of light areas instead of dark ones.")
    var light = false

    @Flag(help: "Choose the threshold between dark and light from the image.")
    var automatic = false

    @Option(help: "The longer side of the searched image, in pixels.")
    var dimension = 512

    @Option(help: "The number of timed searches.")
    var passes = 100

    @Option(help: "Write the binary image to this file, as PGM.")
    var binary: String?

    private struct Found: Encodable {
        let width: Int, height: Int, followCPUms: Double, wholeCPUms: Double
        let contours: [Contour]
    }

    /// A contour's index path and its points, x and y alternately: 0...1, origin at the lower left.
    private struct Contour: Encodable {
        let path: [Int], points: [Float]

        init(_ contour: ContoursObservation.Contour) {
            path = Array(contour.indexPath)
            points = contour.normalizedPoints.flatMap { [Float($0.x), Float($0.y)] }
        }
    }

    func run() async throws {
        var request = DetectContoursRequest()
        request.detectsDarkOnLight = !light
        request.maximumImageDimension = dimension
        if automatic { request.contrastPivot = nil }
        let frame = try await chosenFrame()
        let raster = request.raster(of: frame)
        let observation = try await request.perform(on: frame)
        if let binary { try write(raster, to: binary) }
        let count = max(1, passes / 5)
        // The sums keep the compiler from removing the work.
        var found = 0
        let follow = await ProcessorTime.fastest(count) {
            for _ in 0..<count { found += raster.borderCount }
        }
        let whole = try await ProcessorTime.fastest(count) {
            for _ in 0..<count { found += try await request.perform(on: frame).contourCount }
        }
        precondition(found >= 0)
        try KinemaBench.write(
            Found(
                width: raster.width, height: raster.height, followCPUms: follow * 1000, wholeCPUms: whole * 1000,
                contours: (0..<observation.contourCount).compactMap { observation.contourAtIndex($0).map(Contour.init) }
            ))
    }

    private func chosenFrame() async throws -> VideoFrame {
        var number = 0
        for try await element in try await KinemaBench.frames(of: input) {
            if number == frame { return element.feature }
            number += 1
        }
        throw KinemaError(.invalidArgument, "there are only \(number) frames; choose an earlier one", file: input)
    }

    /// Writes the searched image, top row first: 255 in the areas whose contours are searched, 0 elsewhere.
    private func write(_ raster: BinaryRaster, to path: String) throws {
        let pixels: [UInt8] = (0..<raster.height).flatMap { y in
            (0..<raster.width).map { x in raster[x, y] ? 255 : 0 }
        }
        try AtomicFile.write(
            Array("P5\n\(raster.width) \(raster.height)\n255\n".utf8) + pixels, to: URL(filePath: path))
    }
}
