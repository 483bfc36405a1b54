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
    /// Seconds, when the container says so.
    var duration: Double?
    /// Frames, when the container says so.
    var frameCount: Int?
    var orientation: PixelOrientation
    /// A pixel's width by its height as the container says; 0 when it does not.
    var pixelAspect = Rational(numerator: 0, denominator: 1)

    /// Whether the file is one still picture: FFmpeg reads those through its "…_pipe" demuxers.
    var isPicture: Bool { container.hasSuffix("_pipe") && container != "gif_pipe" }

    /// Whether pixels may be other than square: of videos only, for in pictures the ratio is a printer's, which no viewer
    /// heeds.
    var honoursPixelAspect: Bool { !isPicture && container != "gif" && container != "apng" }

    /// Frames a second; nil when the container does not tell.
    var frameRate: Double? {
        [averageRate, nominalRate].lazy.map(\.value).first { $0 > 0 && $0 <= 1000 }
    }

    /// Ticks a second, and ticks in one unit of the stream's time base: whole numbers, so time stays exact.
    var timescale: Int { max(timeBase.denominator, 1) }
    var ticksPerUnit: Int { max(timeBase.numerator, 1) }

    /// About how many frames will come, for progress bars.
    var expectedFrameCount: Int? {
        if isPicture { return 1 }
        if let frameCount { return frameCount }
        guard let duration, let frameRate, duration * frameRate < 1e9 else { return nil }
        return max(Int((duration * frameRate).rounded()), 1)
    }
}

/// A fraction, as FFmpeg gives time bases and rates.
struct Rational: Hashable, Sendable {
    var numerator: Int
    var denominator: Int

    /// The quotient; 0 when the denominator is.
    var value: Double { denominator == 0 ? 0 : Double(numerator) / Double(denominator) }

    /// A number of units in seconds.
    func seconds(_ units: Int64) -> Double { Double(units) * value }
}
