import ArgumentParser
import Foundation
import Kinema
import KinemaCore

/// `kinema bench-contours`: the outlines in one frame, the picture they were searched in, and what the search costs.
struct BenchContoursCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench-contours", abstract: "Writes the outlines in one frame and times the search.",
        shouldDisplay: false)

    @Argument(help: "A video or picture file.")
    var input: String

    @Option(help: "The frame's number, from 0.")
    var frame = 0

    @Flag(help: "Outline what is light, not what is dark.")
    var light = false

    @Flag(help: "Find the split between dark and light from the picture.")
    var automatic = false

    @Option(help: "The longer side of the picture that is searched, in pixels.")
    var dimension = 512

    @Option(help: "How many times the search is timed.")
    var passes = 100

    @Option(help: "Where the picture of two values goes, as PGM.")
    var binary: String?

    func run() async throws {
        var request = DetectContoursRequest()
        request.detectsDarkOnLight = !light
        request.maximumImageDimension = dimension
        if automatic { request.contrastPivot = nil }
        let bench = try await ContourBench(request, on: chosenFrame())
        if let binary { try write(bench, to: binary) }
        let following = try await fastest { _ = bench.follow($0) }
        let whole = try await fastest { _ = try await bench.perform($0) }
        var json = JSONText()
        json.object { json in
            for (key, value) in [("width", bench.width), ("height", bench.height)] {
                json.key(key)
                json.integer(value)
            }
            for (key, cost) in [("followCPUms", following), ("wholeCPUms", whole)] {
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

    /// Seconds of processor time of one pass, in the fastest of five rounds: what others do on the machine only adds.
    private func fastest(_ body: (_ passes: Int) async throws -> Void) async throws -> Double {
        let share = max(1, passes / 5)
        var best = Double.infinity
        for _ in 0..<5 {
            best = min(best, try await ProcessorTime.cost { try await body(share) }.cpu / Double(share))
        }
        return best
    }

    private func chosenFrame() async throws -> VideoFrame {
        var number = 0
        for try await element in try await Reading(input).frames {
            if number == frame { return element.feature }
            number += 1
        }
        throw KinemaError(.invalidArgument, "there are \(number) frames; ask for an earlier one", file: input)
    }

    private func write(_ bench: ContourBench, to path: String) throws {
        let header = Array("P5\n\(bench.width) \(bench.height)\n255\n".utf8)
        do {
            try Data(header + bench.binaryPicture).write(to: URL(filePath: path))
        } catch {
            throw KinemaError(.unwritableOutput, "the picture cannot be written there; name another file", file: path)
        }
    }

    /// The place at each depth, and the corners: 0...1, origin at the lower left.
    private static func write(_ contour: ContoursObservation.Contour, to json: inout JSONText) {
        json.object { json in
            json.key("path")
            json.array { json in
                for place in contour.indexPath { json.integer(place) }
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
