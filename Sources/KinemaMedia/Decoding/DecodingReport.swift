internal import KinemaCore

/// Counts the defects of an input, so that each kind is reported once.
struct DecodingReport {
    var damagedPackets = 0
    var damagedFrames = 0
    var readErrors = 0
    /// Seconds from the first frame to where the file ends early; nil if it is complete.
    var brokeOffAt: Double?

    /// All defects as findings about `source`.
    func diagnostics(
        repairs: (missing: Int, equal: Int, backward: Int, restarted: Int), source: String
    ) -> [Diagnostic] {
        var found: [Diagnostic] = []
        func add(_ count: Int, _ code: String, _ what: String, _ message: String) {
            guard count > 0 else { return }
            found.append(Diagnostic(code, "\(count) \(what)\(count == 1 ? "" : "s") \(message)", file: source))
        }
        add(damagedPackets, "packets.damaged", "damaged packet", "skipped")
        add(damagedFrames, "frames.damaged", "damaged frame", "may look wrong")
        add(repairs.missing, "timestamps.missing", "frame", "without a timestamp; timed by the frame rate")
        add(repairs.equal, "timestamps.equal", "frame", "with the same timestamp as the previous frame; moved")
        add(repairs.backward, "timestamps.backward", "frame", "with a timestamp before the previous one; moved")
        add(repairs.restarted, "timestamps.restarted", "backward jump", "of the stream's clock; joined")
        if let brokeOffAt {
            found.append(
                Diagnostic(
                    "input.truncated", "the file ends early; everything before this point was read", file: source,
                    time: brokeOffAt))
        } else {
            add(readErrors, "input.damaged", "part", "of the file could not be read; skipped")
        }
        return found
    }
}
