import Foundation
package import KinemaCore

extension Canvas {
    /// Draws a line of straight and curved pieces, with round ends.
    package func stroke(_ path: [Stroke.Segment], color: Color, width: Double) {
        guard trace(path) else { return }
        handle.setColor(color)
        handle.setStroke(width: width, dash: [])
        handle.stroke(keepingPath: false)
    }

    /// Lays the pieces out as a path; false when there is nothing to draw.
    private func trace(_ path: [Stroke.Segment]) -> Bool {
        var last: CGPoint?
        for segment in path where segment.isDrawable {
            switch (segment, last) {
            case (.line(let end), _?):
                handle.line(to: end.x, end.y)
            case (.curve(let end, let control), let start?):
                // Cairo has cubic curves only; this one is the same line.
                handle.curve(
                    start.x + (control.x - start.x) * 2 / 3, start.y + (control.y - start.y) * 2 / 3,
                    end.x + (control.x - end.x) * 2 / 3, end.y + (control.y - end.y) * 2 / 3, to: end.x, end.y)
            default:
                handle.move(to: segment.end.x, segment.end.y)
            }
            last = segment.end
        }
        return last != nil
    }
}

extension Stroke.Segment {
    fileprivate var end: CGPoint {
        switch self {
        case .move(let point), .line(let point), .curve(let point, _): point
        }
    }

    fileprivate var isDrawable: Bool {
        if case .curve(_, let control) = self, !control.isDrawable { return false }
        return end.isDrawable
    }
}
