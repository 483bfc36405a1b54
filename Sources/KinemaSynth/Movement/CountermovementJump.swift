/// A jump from both feet with a swing downwards before it: constant acceleration up to take-off, then free fall.
struct CountermovementJump: Sendable {
    let body: Body
    /// The rise of the body between take-off and its highest point, in metres.
    let height: Double

    private static let stillness = 0.8, sinking = 0.55
    /// The foot's angle at take-off, down from level.
    private static let leaving = degrees(46)

    /// The stretched leg, and the height of the pelvis in standing: both a little short, as the body sways.
    private var leg: Double { 0.992 * (body.thigh + body.shank) }
    private var standing: Double { Posture.standing(body, halfStance: halfStance).pelvis.y - 0.004 * body.height }
    private var halfStance: Double { body.hipHalfWidth }
    /// The heights of the pelvis at the lowest point and at take-off.
    private var low: Double { standing - 0.16 * body.height }
    private var high: Double { reach(pitch: Self.leaving) }
    private var speed: Double { (2 * BallisticFlight.gravity * height).squareRoot() }
    private var push: Double { 2 * (high - low) / speed }

    var takeOff: Double { Self.stillness + Self.sinking + push }
    var landing: Double { takeOff + 2 * speed / BallisticFlight.gravity }
    var duration: Double { landing + push + 0.7 + Self.stillness }

    /// The posture at a time, in seconds from standing still.
    func posture(at time: Double) -> Posture {
        var posture = Posture.standing(body, halfStance: halfStance)
        let air = min(max(time - takeOff, 0), landing - takeOff)
        let rise = speed * air - BallisticFlight.gravity * air * air / 2
        posture.pelvis.y = pelvis(at: time) + rise
        let bend = min(max((standing - posture.pelvis.y) / (standing - low), 0), 1)
        posture.pelvis.z = -0.1 * body.height * bend
        posture.lean = degrees(40) * bend
        let pitch = pitch(pelvis: posture.pelvis.y - rise)
        let ankle = ankle(pitch: pitch) + Vector(0, rise, 0)
        // The arms are still in flight, so that the centre of mass falls as the pelvis does.
        let swing = mix(degrees(-40) * bend, degrees(95), smoothstep((time - takeOff) / push + 1))
        let arm = time < takeOff ? swing : degrees(95) * (1 - smoothstep((time - landing) / 0.6))
        posture.bothSides { side in
            side.ankle = Vector(halfStance, ankle.y, ankle.z)
            side.toesDown = pitch
            side.toesOut = 0
            side.kneePole = Vector(0, 0, 1)
            side.raise = arm
            side.plane = degrees(88)
        }
        return posture
    }

    /// The height of the pelvis less that of flight.
    private func pelvis(at time: Double) -> Double {
        let start = Self.stillness
        if time < start + Self.sinking { return mix(standing, low, smoothstep((time - start) / Self.sinking)) }
        let acceleration = speed / push
        // Landing is the push in reverse.
        let since = min(time - start - Self.sinking, push)
        let left = max(0, min(landing + push - time, push))
        let part = time <= landing ? since : left
        guard time > landing + push else { return low + acceleration * part * part / 2 }
        return mix(low, standing, smoothstep((time - landing - push) / 0.7))
    }

    /// The foot's angle for a height of the pelvis that the leg reaches only on the tip of the foot.
    private func pitch(pelvis: Double) -> Double {
        var (flat, steep) = (0.0, Self.leaving)
        guard pelvis > reach(pitch: 0) else { return 0 }
        for _ in 0..<40 {
            let middle = (flat + steep) / 2
            if reach(pitch: middle) < pelvis { flat = middle } else { steep = middle }
        }
        return steep
    }

    /// The height of the pelvis over a stretched leg.
    private func reach(pitch: Double) -> Double {
        let ankle = ankle(pitch: pitch)
        return ankle.y + (leg * leg - ankle.z * ankle.z).squareRoot()
    }

    private func ankle(pitch: Double) -> Vector {
        Vector(0, body.ankleHeight, 0) + body.footTip - Rotation.pitch(pitch) * body.footTip
    }
}
