import Foundation
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
        case .poses: return LiveAnalysis { _ in PosesMode(request, precision: precision) }
        case .count: return LiveAnalysis { CountMode(request, aspectRatio: $0, precision: precision) }
        case .draw: return LiveAnalysis { DrawMode(aspectRatio: $0, precision: precision) }
        case .coach:
            let exercise = try exercise(request.exercise)
            return LiveAnalysis { ratio in
                let coach = exercise.map { ExerciseCoach($0, aspectRatio: ratio) } ?? ExerciseCoach(aspectRatio: ratio)
                return CoachMode(request, coach: coach, aspectRatio: ratio, precision: precision)
            }
        case .toss:
            let board = try board(request.board)
            return LiveAnalysis { TossMode(request, board: board, aspectRatio: $0, precision: precision) }
        case .classify:
            guard let chosen = configuration.classifiers.first(where: { $0.id == request.classifier }) else {
                throw LiveProblem(.badMessage, "there is no such classifier; choose one that the status lists")
            }
            return LiveAnalysis { ClassifyMode(request, model: chosen.model, aspectRatio: $0, precision: precision) }
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

    private static func board(_ numbers: [Double]?) throws(LiveProblem) -> CGRect? {
        guard let numbers else { return nil }
        guard numbers.count == 4, numbers.allSatisfy({ (0...1).contains($0) }), numbers[2] > 0, numbers[3] > 0,
            numbers[0] + numbers[2] <= 1 + 1e-9, numbers[1] + numbers[3] <= 1 + 1e-9
        else { throw LiveProblem(.badMessage, "board takes x, y, width and height within the picture, each 0 to 1") }
        return CGRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
}
