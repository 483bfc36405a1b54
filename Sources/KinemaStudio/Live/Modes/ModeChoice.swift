import Foundation
import Kinema
import KinemaCore
import KinemaMotion

/// Finds the mode that a client asks for.
enum ModeChoice {
    /// Makes the analysis of a mode; throws the problem to tell the client where there is none.
    static func analysis(
        _ request: StartRequest, _ configuration: LiveConfiguration
    ) throws(LiveProblem) -> any FrameAnalysing {
        let precision = configuration.precision
        switch request.mode {
        case .poses:
            return LiveAnalysis(drawsLayers: request.overlay == true) { _ in PosesMode(request, precision: precision) }
        case .count:
            return LiveAnalysis(drawsLayers: request.overlay == true) { _ in CountMode(request, precision: precision) }
        case .draw:
            return LiveAnalysis(drawsLayers: request.overlay == true) {
                DrawMode(aspectRatio: $0, precision: precision)
            }
        case .coach:
            let exercise = try exercise(request.exercise)
            return LiveAnalysis(drawsLayers: request.overlay == true) { _ in
                CoachMode(request, exercise: exercise, precision: precision)
            }
        case .toss:
            let board = try board(request.board)
            return LiveAnalysis(drawsLayers: request.overlay == true) { _ in
                TossMode(request, board: board, precision: precision)
            }
        case .classify:
            guard let chosen = configuration.classifiers.first(where: { $0.id == request.classifier }) else {
                throw LiveProblem(.badMessage, "there is no such classifier; choose one that the status lists")
            }
            return LiveAnalysis(drawsLayers: request.overlay == true) { _ in
                ClassifyMode(request, model: chosen.model, precision: precision)
            }
        }
    }

    /// Nil for the one that is recognised.
    private static func exercise(_ name: String?) throws(LiveProblem) -> Exercise? {
        guard let name, name.lowercased() != "auto" else { return nil }
        guard let exercise = ExerciseLibrary.exercise(named: name) else {
            throw LiveProblem(.badMessage, "there is no such exercise; choose one that the status lists, or auto")
        }
        return exercise
    }

    private static func board(_ numbers: [Double]?) throws(LiveProblem) -> NormalizedBox? {
        guard let numbers else { return nil }
        guard let box = NormalizedBox(numbers) else {
            throw LiveProblem(.badMessage, "board takes x, y, width and height within the picture, each 0 to 1")
        }
        return box
    }
}
