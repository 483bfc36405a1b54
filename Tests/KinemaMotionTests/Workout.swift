import KinemaCounting
import Foundation
import KinemaCore

/// What a stick figure does in a test, drawn as a row of pieces.
struct Workout {
    enum Exercise: String, CaseIterable {
        case squat, curl, alternatingCurl, frontRaise, lateralRaise, press, jack, highKnees, hinge, oneArmCurl

        /// The stance at a phase: 0 at rest, 1 at the far end.
        func stance(_ phase: Double) -> StickFigure.Stance {
            var stance = StickFigure.Stance()
            switch self {
            case .squat:
                stance.squat = phase
                stance.armForward = (phase * 1.4, phase * 1.4)
            case .curl: stance.elbow = (phase * 2.4, phase * 2.4)
            case .oneArmCurl, .alternatingCurl: stance.elbow = (phase * 2.4, 0)
            case .frontRaise: stance.armForward = (phase * 1.6, phase * 1.6)
            case .lateralRaise: stance.armOut = (phase * 1.5, phase * 1.5)
            case .press:
                stance.armForward = (1 + phase * 2, 1 + phase * 2)
                stance.elbow = (1.9 - phase * 1.8, 1.9 - phase * 1.8)
            case .jack:
                stance.armOut = (phase * 2.7, phase * 2.7)
                stance.legOut = phase * 0.45
            case .highKnees:
                stance.legForward = (phase * 1.5, 0)
                stance.knee = (phase * 1.6, 0)
            case .hinge:
                stance.lean = phase * 1.3
                stance.armForward = (phase * 1.2, phase * 1.2)
            }
            return stance
        }
    }

    /// One stretch of time.
    struct Piece {
        var duration: Double
        var isRepetition = false
        /// The stance at a share (0...1) of the stretch.
        var stance: @Sendable (Double) -> StickFigure.Stance
    }

    var pieces: [Piece] = []
    var figure = StickFigure()
    var framesPerSecond = 30.0
    var seed: UInt64 = 7
    /// How much of the beginning was not recorded, seconds.
    var offset = 0.0

    /// Repetitions of an exercise, one row entry each: its duration in seconds.
    func repeating(_ exercise: Exercise, _ durations: [Double], depth: Double = 1) -> Workout {
        var copy = self
        for (index, duration) in durations.enumerated() {
            copy.pieces.append(
                Piece(duration: duration, isRepetition: true) { share in
                    var stance = exercise.stance(depth * (1 - cos(2 * .pi * share)) / 2)
                    if exercise == .alternatingCurl, index % 2 == 1 {
                        stance.elbow = (stance.elbow.1, stance.elbow.0)
                    }
                    return stance
                })
        }
        return copy
    }

    func resting(_ duration: Double, as stance: StickFigure.Stance = .init()) -> Workout {
        doing(duration) { _ in stance }
    }

    func doing(_ duration: Double, _ stance: @escaping @Sendable (Double) -> StickFigure.Stance) -> Workout {
        var copy = self
        copy.pieces.append(Piece(duration: duration, stance: stance))
        return copy
    }

    /// The poses with their times.
    var frames: [(time: Double, pose: Pose)] {
        var noise = Noise(seed)
        var frames: [(Double, Pose)] = []
        let total = pieces.reduce(0) { $0 + $1.duration }
        for index in 0..<Int((total - offset) * framesPerSecond) {
            let time = Double(index) / framesPerSecond
            var rest = time + offset
            var piece = 0
            while piece + 1 < pieces.count, rest >= pieces[piece].duration {
                rest -= pieces[piece].duration
                piece += 1
            }
            let stance = pieces[piece].stance(min(1, rest / pieces[piece].duration))
            frames.append((time, figure.pose(stance, noise: &noise)))
        }
        return frames
    }

    /// When the repetitions really begin and end.
    var truth: [ClosedRange<Double>] {
        var time = -offset
        return pieces.compactMap { piece in
            defer { time += piece.duration }
            return piece.isRepetition ? time...(time + piece.duration) : nil
        }
    }

    /// What the counter finds, with the moment each repetition was reported.
    func counted(
        aspectRatio: Double = 16.0 / 9, alternating: Alternation? = nil
    ) -> [(repetition: Repetition, reported: Double)] {
        var counter = RepetitionCounter(aspectRatio: aspectRatio, alternating: alternating)
        var found: [(Repetition, Double)] = []
        let frames = frames
        for (time, pose) in frames {
            for repetition in counter.append(pose, at: time) { found.append((repetition, time)) }
        }
        for repetition in counter.finish() { found.append((repetition, frames.last?.time ?? 0)) }
        return found
    }
}
