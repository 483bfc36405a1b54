/// A container's description of its video stream.
struct StreamFacts: Sendable {
    /// FFmpeg's name of the container, such as "mov,mp4,m4a,3gp,3g2,mj2".
    var container: String
    /// Stored columns; 0 when unknown before decoding.
    var width: Int
    /// Stored rows; 0 when unknown before decoding.
    var height: Int
    var timeBase: Rational
    var averageRate: Rational
    var nominalRate: Rational
    var length: StreamLength?
    var frameCount: Int?
    var orientation: PixelOrientation
    /// A pixel's width divided by its height; 0 if the container does not say.
    var pixelAspect = Rational(numerator: 0, denominator: 1)

    /// Frames per second at which the camera recorded, by the tags of the file; nil if they do not say.
    var captureRate: Double?
    /// How many times slower than life the file plays; its times are corrected by this.
    var slowdown = 1.0

    /// The same file with the times of what was filmed.
    func timed(_ timing: FrameTiming) -> StreamFacts {
        var timed = self
        timed.slowdown = isPicture ? 1 : timing.slowdown(rate: frameRate, capture: captureRate)
        guard timed.slowdown != 1 else { return timed }
        timed.timeBase = timeBase.divided(by: timed.slowdown)
        let exact = timeBase.value / timed.timeBase.value
        timed.slowdown = exact
        timed.averageRate = averageRate.divided(by: 1 / exact)
        timed.nominalRate = nominalRate.divided(by: 1 / exact)
        timed.length?.divide(by: exact)
        return timed
    }

    /// Whether the file is a still picture, which FFmpeg reads with one of its "…_pipe" demuxers.
    var isPicture: Bool { container.hasSuffix("_pipe") && container != "gif_pipe" }

    /// Whether the pixel aspect ratio counts. In still pictures it is a printing resolution, which no viewer honours.
    var honoursPixelAspect: Bool { !isPicture && container != "gif" && container != "apng" }

    /// Frames a second; nil if the container does not say.
    var frameRate: Double? { [averageRate, nominalRate].lazy.map(\.value).first { $0 > 0 && $0 <= 1000 } }

    /// Whether the mean rate is the lowest at which all times can be exact.
    var hasConstantRate: Bool { averageRate.value > 0 && averageRate.value == nominalRate.value }

    /// Ticks a second, and ticks in one unit of the stream's time base: integers, so that times stay exact.
    var timescale: Int { max(timeBase.denominator, 1) }
    var ticksPerUnit: Int { max(timeBase.numerator, 1) }

    /// The approximate number of frames from the `first` one decoded, at that time in seconds, for progress bars.
    func expectedFrameCount(from first: Double?) -> Int? {
        if isPicture { return 1 }
        guard let length, let frameRate, length.seconds(from: first) * frameRate < 1e9 else { return frameCount }
        let estimate = max(Int((length.seconds(from: first) * frameRate).rounded()), 1)
        // A container counts frames that an edit list leaves out, too.
        return min(frameCount ?? estimate, estimate)
    }
}
