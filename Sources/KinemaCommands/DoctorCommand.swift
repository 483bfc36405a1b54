import ArgumentParser
import Foundation
import Kinema

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Checks what is installed, what is missing, and how to fix it.")

    @OptionGroup var results: FormatOptionGroup

    private struct Finding {
        let part: String
        let isSound: Bool
        let detail: String

        init(_ part: String, _ detail: String, isSound: Bool = true) {
            (self.part, self.isSound, self.detail) = (part, isSound, detail)
        }

        /// The detail that a check returns, or why it fails.
        static func checking(_ part: String, _ check: () throws -> String) -> Finding {
            do { return Finding(part, try check()) } catch { return Finding(part, "\(error)", isSound: false) }
        }
    }

    func run() throws {
        let findings =
            [machine, home, runtime] + ModelCatalogue.all.map(model) + [
                speed, media, sandbox, encoder, cameras,
            ]
        let output = StandardOutput()
        switch results.format {
        case .text:
            for finding in findings {
                let part = finding.part + String(repeating: " ", count: max(1, 18 - finding.part.count))
                try output.line("\(finding.isSound ? "ok     " : "MISSING") \(part)\(finding.detail)")
            }
        case .csv:
            try output.line("part,ok,detail")
            for finding in findings {
                try output.line("\(finding.part),\(finding.isSound),\"\(finding.detail.replacing("\"", with: "'"))\"")
            }
        case .json, .jsonl:
            try output.jsonLine { json in
                json.object { json in
                    for finding in findings {
                        json.object(finding.part) {
                            $0.field("ok", finding.isSound)
                            $0.field("detail", finding.detail)
                        }
                    }
                }
            }
        }
        if findings.contains(where: { !$0.isSound }) { throw ExitStatus.failed.exitCode }
    }

    private var machine: Finding {
        let info = ProcessInfo.processInfo
        let memory = Double(info.physicalMemory) / 1_073_741_824
        return Finding("machine", "\(info.activeProcessorCount) cores, \(String(format: "%.1f", memory)) GiB")
    }

    private var sandbox: Finding {
        let confinement = DecoderIsolation.confinement
        return Finding("sandbox", confinement.text, isSound: confinement.isSound)
    }

    /// The source of the library and the models, and why other folders are not used.
    private var home: Finding {
        let homes = KinemaHome.homes
        let problems = (homes.map(\.problem) + [ModelStore.cacheProblem]).compactMap(\.self)
        guard let used = homes.first(where: { $0.problem == nil }) else {
            let absent = "no folder for the library and the models; \(KinemaHome.remedy)"
            return Finding("home", problems.isEmpty ? absent : problems.joined(separator: "; "), isSound: false)
        }
        return Finding("home", ([used.folder.path] + problems).joined(separator: "; "))
    }

    private var runtime: Finding {
        .checking("openvino") {
            let runtime = try ModelStore.runtime()
            try ModelStore.verifyRuntime()
            let half = ["BF16", "FP16"].filter { runtime.capabilities.contains($0) }
            let precision = half.isEmpty ? "f32 only" : "f32, \(half.joined(separator: ", ").lowercased())"
            return "\(runtime.version), \(runtime.processor), \(precision), \(runtime.library.path)"
        }
    }

    private func model(_ model: ModelDescription) -> Finding {
        .checking(model.name) { try ModelStore.verifiedFile(of: model).path }
    }

    /// The precision with which poses are found quickest here, measured on one core for about a second each.
    private var speed: Finding {
        var times: [(name: String, milliseconds: Double)] = []
        do {
            for precision in ModelStore.Precision.allCases {
                let model = try ModelStore.store(on: .cpu, mode: .file).model(
                    ModelCatalogue.bodyLandmarks, precision: precision)
                let hint = model.property("INFERENCE_PRECISION_HINT")
                let name = hint == "f32" ? "f32" : "automatic (\(hint))"
                // Without 16 bits, automatic is f32.
                guard !times.contains(where: { $0.name == name }) else { continue }
                times.append((name, try Self.milliseconds(model)))
            }
        } catch {
            return Finding("speed", "not measured, because a part above is missing")
        }
        times.sort { $0.milliseconds < $1.milliseconds }
        let words = times.map { "\($0.name) \(String(format: "%.1f", $0.milliseconds)) ms" }
        return Finding(
            "speed", "\(times.first?.name ?? "none") is quickest: \(words.joined(separator: ", ")) a pose on one core")
    }

    private static func milliseconds(_ model: CompiledModelHandle) throws -> Double {
        try model.withRequest { request in
            let (clock, begin) = (ContinuousClock(), ContinuousClock.now)
            var times: [Double] = []
            while clock.now - begin < .seconds(0.8) || times.count < 5 {
                times.append(try clock.measure { try request.infer() } / .milliseconds(1))
            }
            return times.quantile(0.5) ?? 0
        }
    }

    private var media: Finding { Finding("ffmpeg", MediaLibrary.version) }

    /// The connected cameras; a machine needs none.
    private var cameras: Finding {
        let found = MediaLibrary.cameras
        let names = found.isEmpty ? "none connected" : found.joined(separator: ", ")
        return Finding(
            "cameras",
            MediaLibrary.readsCameras
                ? names : "this FFmpeg supports none; install libavdevice with Video4Linux: script/bootstrap",
            isSound: MediaLibrary.readsCameras)
    }

    private var encoder: Finding {
        let name = MediaLibrary.videoEncoder
        return Finding(
            "h264-encoder",
            name ?? "none, so no overlay videos; install FFmpeg's libraries with libx264: script/bootstrap",
            isSound: name != nil)
    }
}
