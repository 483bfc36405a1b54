enum DrawingCommand: Sendable, Equatable {
    case undo, clear
    case colour(DrawingColour)
}
