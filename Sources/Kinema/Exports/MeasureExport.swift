import KinemaFormats
import KinemaMeasuring
import Foundation
import KinemaCore
import KinemaDraw

/// Writes a measurement in the format of a file's extension, or everything into a folder.
package struct MeasureExport {
    /// The extensions of single files; any other name is a folder.
    package static let endings = [".html", ".json", ".csv", ".trc", ".mot", ".svg", ".png"]

    private let analysis: MeasureAnalysis
    private let report: AnalysisReport<MeasureResult>
    /// The picture with the angles that the page shows: a PNG or JPEG.
    package var picture: Data?

    package init(_ analysis: MeasureAnalysis, of run: AnalysisRun) {
        (self.analysis, report) = (analysis, AnalysisReport(run: run, result: analysis.result))
    }

    package static func isFolder(_ path: String) -> Bool {
        !endings.contains { path.lowercased().hasSuffix($0) }
    }

    /// Writes one file; throws `.unwritableOutput`, and `.invalidArgument` for markers without a scale and for angles if
    /// there is none.
    package func write(to url: URL) throws {
        switch url.pathExtension.lowercased() {
        case "json": try AtomicFile.write(Array(report.json() + [UInt8(ascii: "\n")]), to: url)
        case "csv": try AtomicFile.write(Array(report.csv.utf8), to: url)
        case "trc": try writeMarkers(to: url)
        case "mot": try writeAngles(to: url)
        case "html":
            let page = MeasureReport(analysis, report, picture: picture)
            try AtomicFile.write(Array(page.page(chart(of: page.curves, headed: false).svg()).utf8), to: url)
        default: try chart(of: report.result.quantities.keys.sorted()).write(to: url)
        }
    }

    /// Writes a table for each quantity and test, events, report, chart, markers and angles into a folder that exists.
    package func write(into folder: URL) throws {
        let result = report.result
        for name in result.quantities.keys.sorted() {
            let stem = name.lowercased().replacing(" ", with: "-")
            let table = DelimitedText.table([MeasureResult.columns] + result.rows(of: name))
            try AtomicFile.write(Array(table.utf8), to: folder.appending(path: "\(stem).csv"))
        }
        for (stem, rows) in result.tables {
            try AtomicFile.write(Array(DelimitedText.table(rows).utf8), to: folder.appending(path: "\(stem).csv"))
        }
        for ending in ["json", "svg", "html"] { try write(to: folder.appending(path: "measure.\(ending)")) }
        if hasAngles { try write(to: folder.appending(path: "measure.mot")) }
        if analysis.measurement?.positions != nil { try write(to: folder.appending(path: "measure.trc")) }
    }

    private func writeMarkers(to url: URL) throws {
        guard let positions = analysis.measurement?.positions else {
            throw KinemaError(.invalidArgument, "there is no scale, so markers have no metres", file: url.path)
        }
        var export = TRCExport(url: url)
        for (index, time) in report.result.times.enumerated() {
            var pose = Pose(from: [:])
            pose.keypoints3D = Dictionary(
                uniqueKeysWithValues: positions[index].map { key, place in
                    (key, JointPoint3D(key, position: SIMD3(Float(place.x), Float(place.y), 0), confidence: 1))
                })
            try export.add(ExportedFrame(index: index, time: time, width: 1, height: 1, poses: [pose]))
        }
        try export.finish()
    }

    private var hasAngles: Bool { JointAngles.names.contains { report.result.quantities[$0] != nil } }

    private func writeAngles(to url: URL) throws {
        let result = report.result
        guard hasAngles else {
            throw KinemaError(
                .invalidArgument, "there is no angle to write; angles need a view from the side or the front (--view)",
                file: url.path)
        }
        try MOTExport.write(
            JointAngles.names.map { result.quantities[$0]?.values }, times: result.times,
            isFront: result.view == .front,
            to: url)
    }

    /// The curves of quantities with their events, and their means over strides or repetitions.
    private func chart(of names: [String], headed: Bool = true) -> MeasureChart {
        let result = report.result
        let cycles = analysis.measurement?.cycles ?? [:]
        var panels: [MeasureChart.Panel] = []
        for name in names {
            // Left and right share a panel.
            let side = MeasureAnalysis.side(of: name)
            let title = name.dropFirst(side.isEmpty ? 0 : side.count + 1).lowercased()
            guard let quantity = result.quantities[name] else { continue }
            let line = MeasureChart.Line(
                name: side, values: quantity.values, cycles: cycles[side] ?? cycles[""] ?? [])
            if let index = panels.firstIndex(where: { $0.title == title && $0.unit == quantity.unit }) {
                panels[index].lines.append(line)
            } else {
                panels.append((title, quantity.unit, [line]))
            }
        }
        return MeasureChart(
            title: headed ? report.run.source : "",
            lines: headed ? Array(result.lines(report.run).dropFirst().prefix(4)) : [], times: result.times,
            panels: panels, events: result.events.map { ($0.kind.rawValue, $0.side, $0.time) },
            cycles: cycles[""] == nil ? "strides" : "repetitions")
    }
}

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
