import ArgumentParser

struct EvaluateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evaluate", abstract: "Measures accuracy against labels or rendered ground truth.",
        subcommands: [
            EvaluateCountCommand.self, EvaluateCoachCommand.self, EvaluateRenderedCommand.self,
            EvaluateClassifyCommand.self, EvaluateTossCommand.self, EvaluateTrajectoriesCommand.self,
            EvaluateGestureCommand.self, EvaluateMeasureCommand.self,
        ])
}
