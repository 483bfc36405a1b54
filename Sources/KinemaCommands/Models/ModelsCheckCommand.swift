import ArgumentParser
import Foundation
import Kinema

struct ModelsCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Reports what a model file is and whether Kinema can use it.",
        discussion: "Exits with 65 for a model that Kinema cannot use.")

    @Argument(help: "An installed model's name, a model file (.onnx, .tflite, .xml), a model.json, or its folder.")
    var model: String

    func run() throws {
        let check = ModelCheck(model)
        let output = StandardOutput()
        for line in check.lines where !line.hasPrefix("problem") { try output.line(PlainText.oneLine(line)) }
        if let problem = check.problem { throw problem }
        try output.line("fits     use it with \(check.model?.manifest.kind == .detector ? "--detector" : "--model")")
    }
}
