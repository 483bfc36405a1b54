import ArgumentParser
import Kinema

struct ModelsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "models", abstract: "Lists, fetches and checks neural models.",
        subcommands: [ModelsListCommand.self, ModelsFetchCommand.self, ModelsCheckCommand.self],
        defaultSubcommand: ModelsListCommand.self)
}
