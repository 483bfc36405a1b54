import KinemaMotion

extension MeasureResult {
    /// The events, and what the tests found: rows under a row of names, by the name of the file. Tests that found nothing
    /// have no table.
    var tables: [String: [[String]]] {
        let events = events.map { ["\($0.time)", $0.kind.rawValue, $0.side ?? "", "\($0.confidence)"] }
        var tables: [String: [[String]]] = ["events": [["time", "kind", "side", "confidence"]] + events]
        func add(_ name: String, _ columns: String, _ rows: [[String]]) {
            guard !rows.isEmpty else { return }
            tables[name] = [columns.split(separator: ",").map(String.init)] + rows
        }
        func number(_ value: Double?) -> String { value.map { "\($0.rounded(to: 6))" } ?? "" }
        if let steps = tests.gait?.steps {
            let rows = steps.map { [$0.side, number($0.start), number($0.end), number($0.length), $0.unseen ?? ""] }
            add("steps", "side,start,end,length,unseen", rows)
        }
        if let jumps = tests.jumps {
            let rows = jumps.map { jump -> [String] in
                [number(jump.takeOff), number(jump.landing), number(jump.flightTime)]
                    + [number(jump.heightByTime), number(jump.heightByRise), number(jump.kneeAtLanding)]
            }
            add("jumps", "take_off,landing,flight_time,height_by_time,height_by_rise,knee_at_landing", rows)
        }
        if let lifts = tests.barPath {
            let rows = lifts.map { lift -> [String] in
                [number(lift.start), number(lift.end), number(lift.rise), number(lift.drift)]
                    + [number(lift.meanSpeed), number(lift.peakSpeed)]
            }
            add("lifts", "start,end,rise,drift,mean_speed,peak_speed", rows)
        }
        if let steps = tests.sprint?.steps {
            let rows = steps.map { step -> [String] in
                [step.side, number(step.toeOff), number(step.contact), number(step.speed), number(step.length)]
            }
            add("sprint", "side,toe_off,contact,speed,length", rows)
        }
        if let ranges = tests.range {
            let rows = ranges.sorted { $0.key < $1.key }.map { name, range -> [String] in
                [name, number(range.minimum), number(range.maximum), number(range.seen), number(range.confidence)]
            }
            add("ranges", "angle,minimum,maximum,seen,confidence", rows)
        }
        let scalars = scalars.compactMap { test, quantity, value, spread, unit -> [String]? in
            value.map { [test.rawValue, quantity, number($0), unit, number(spread)] }
        }
        let angles = (tests.sprint?.angles ?? [:]).sorted { $0.key < $1.key }.map { name, angle -> [String] in
            [MeasureTest.sprint.rawValue, name, number(angle), "deg", ""]
        }
        add("tests", "test,quantity,value,unit,spread", scalars + angles)
        return tables
    }

    /// The single values of the tests; nil for tests that did not run.
    private var scalars: [(MeasureTest, String, value: Double?, spread: Double?, unit: String)] {
        let (gait, chair, walk, balance) = (tests.gait, tests.sitToStand, tests.upAndGo, tests.balance)
        let (rises, inTime) = (chair.map { Double($0.count) }, chair?.thirtySeconds.map { Double($0) })
        return [
            (.gait, "speed", gait?.speed, nil, "m/s"), (.gait, "cadence", gait?.cadence, nil, "steps/min"),
            (.gait, "step length", gait?.stepLength?.mean, gait?.stepLength?.spread, "m"),
            (.gait, "step time", gait?.stepTime.mean, gait?.stepTime.spread, "s"),
            (.gait, "stance", gait?.stance?.mean, gait?.stance?.spread, "share"),
            (.gait, "asymmetry", gait?.symmetry, nil, "share"),
            (.sitToStand, "rises", rises, nil, "count"),
            (.sitToStand, "rise time", chair?.riseTime?.mean, chair?.riseTime?.spread, "s"),
            (.sitToStand, "five times", chair?.fiveTimes, nil, "s"),
            (.sitToStand, "in 30 s", inTime, nil, "count"),
            (.upAndGo, "total", walk?.total, nil, "s"), (.upAndGo, "rise", walk?.rise, nil, "s"),
            (.upAndGo, "walk out", walk?.walkOut, nil, "s"), (.upAndGo, "turn", walk?.turn, nil, "s"),
            (.upAndGo, "walk back", walk?.walkBack, nil, "s"), (.upAndGo, "sit down", walk?.sitDown, nil, "s"),
            (.sprint, "first movement", tests.sprint?.firstMovement, nil, "s"),
            (.balance, "path", balance?.path, nil, "m"), (.balance, "speed", balance?.velocity, nil, "m/s"),
            (.balance, "range", balance?.range, nil, "m"), (.balance, "deviation", balance?.deviation, nil, "m"),
            (.balance, "ellipse", balance?.area, nil, "m2"), (.balance, "duration", balance?.duration, nil, "s"),
        ]
    }
}
