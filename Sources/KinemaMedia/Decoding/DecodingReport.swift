internal import KinemaCore

/// Counts what was wrong with a file, and tells it once per kind.
struct DecodingReport {
    var damagedPackets = 0
    var damagedFrames = 0
    var readErrors = 0
    /// Seconds from the first frame at which the file broke off, when it did.
    var brokeOffAt: Double?

    /// Everything found, as findings about `source`.
    func diagnostics(
        repairs: (missing: Int, equal: Int, backward: Int, restarted: Int), source: String
    ) -> [Diagnostic] {
        var found: [Diagnostic] = []
        func add(_ count: Int, _ code: String, _ message: String) {
            if count > 0 { found.append(Diagnostic(code, message, file: source)) }
        }
        add(damagedPackets, "packets.damaged", "\(damagedPackets) damaged packet(s) were skipped.")
        add(damagedFrames, "frames.damaged", "\(damagedFrames) frame(s) are damaged and may look wrong.")
        add(
            repairs.missing, "timestamps.missing",
            "\(repairs.missing) frame(s) had no timestamp; made from the frame rate.")
        add(
            repairs.equal, "timestamps.equal", "\(repairs.equal) frame(s) had the timestamp of the frame before; moved."
        )
        add(
            repairs.backward, "timestamps.backward",
            "\(repairs.backward) frame(s) had a timestamp before the last one; moved.")
        add(
            repairs.restarted, "timestamps.restarted",
            "The stream's clock was set back \(repairs.restarted) time(s); joined.")
        if let brokeOffAt {
            found.append(
                Diagnostic(
                    "input.truncated", "The file breaks off here; what came before was read.", file: source,
                    time: brokeOffAt))
        } else {
            add(readErrors, "input.damaged", "\(readErrors) part(s) of the file could not be read and were skipped.")
        }
        return found
    }
}
