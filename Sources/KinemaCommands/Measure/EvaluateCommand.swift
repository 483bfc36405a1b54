import ArgumentParser

struct EvaluateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evaluate", abstract: "Measures results against labels or against rendered truth.",
        subcommands: [
            EvaluateCountCommand.self, EvaluateCoachCommand.self, EvaluateRenderedCommand.self,
            EvaluateClassifyCommand.self, EvaluateTossCommand.self, EvaluateTrajectoriesCommand.self,
            EvaluateGestureCommand.self,
        ])
}
