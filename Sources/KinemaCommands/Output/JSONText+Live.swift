import Kinema
import KinemaCore

extension JSONText {
    /// How many frames were analysed, and of a live source how many came and were dropped.
    mutating func frames(_ count: Int, live: FrameTally?) {
        key("frames")
        integer(count)
        self.live(live)
    }

    /// What became of a live source's frames; nothing of files.
    mutating func live(_ tally: FrameTally?) {
        guard let tally else { return }
        key("live")
        object { entry in
            entry.key("arrived")
            entry.integer(tally.arrived)
            entry.key("analysed")
            entry.integer(tally.analysed)
            entry.key("dropped")
            entry.integer(tally.dropped)
        }
    }
}
