/// Every limit of the server in one place, with where its number comes from; tests make them small.
package struct StudioLimits: Sendable, Equatable {
    // MARK: A request

    /// Bytes of a request's address and header fields together. Browsers send under 2 KB; servers at large allow 8 to
    /// 16 KB.
    package var headBytes = 16_384
    /// Header fields of a request. Browsers send about 20; Apache allows 100.
    package var headFields = 64
    /// Bytes of a request's address; the longest of our own, with a token, is under 300.
    package var addressBytes = 2_048
    /// Bytes of an unwanted body that are discarded, so that the connection can be kept.
    package var bodyBytes = 65_536
    /// From a request's first byte to its head's last. A browser sends the head in one packet; Apache gives 20 s.
    package var headTimeout = Duration.seconds(10)
    /// Without a byte of a body that is being waited for.
    package var bodyIdleTimeout = Duration.seconds(10)
    /// For a whole body, however fast: the largest upload over the slowest Wi-Fi, 1 GB at 0.3 MB/s.
    package var bodyTimeout = Duration.seconds(3_600)
    /// Between two requests of a connection; nginx's 75 s, less a browser's own margin.
    package var keepAliveTimeout = Duration.seconds(60)
    /// Requests being answered at once: a page asks for about 12 files at first.
    package var requests = 32
    /// Exports made at once; each takes a core, and the live sessions want theirs.
    package var exports = 1
    /// Sessions in one answer of the history's list, about 0.5 KB each; the answer says where the next ones begin.
    package var sessions = 100
    /// Bytes of a body of JSON: ten thousand corrected repetitions take less than this in their shortest form, and nobody
    /// corrects as many.
    package var jsonBytes = 262_144
    /// Bytes of an archive that is taken in: a full history of the usual size, its videos, and the archive's own records.
    package var archiveBytes = 2_000_000_000
    /// Trainings of classifiers at once; one takes all cores.
    package var trainings = 1
    /// Seconds of all marks together that a classifier is learnt from: a hundred clips of half a minute. `kinema train`
    /// learns an hour of four classes in 2 s; nothing can end it before.
    package var trainingSeconds = 3_600.0
    /// Sessions that a classifier is learnt from.
    package var trainingSessions = 1_000
    /// Classes of a classifier that is learnt from marks; Create ML's own samples have under twenty.
    package var trainingClasses = 100
    /// Classifiers learnt from marks that are kept; each is held in memory, some megabytes.
    package var classifiers = 100
    /// Bytes that the sessions of the history may take: about a hundred thousand sets of ten repetitions, or a hundred
    /// times ten minutes of one person's poses.
    package var historyBytes = 1_000_000_000

    // MARK: Connections

    /// Connections at once: browsers open six each, besides the socket.
    package var connections = 128
    /// Connections of one address, this machine's own and a reverse proxy's included: half of all, so that one client does
    /// not shut the others out; three browsers with their sockets need some twenty.
    package var connectionsPerAddress = 64
    /// From a connection's begin to the first byte on it. Browsers connect ahead of need and bear it that this is given
    /// up; on a slow line the first byte follows within a second.
    package var firstByteTimeout = Duration.seconds(5)

    // MARK: Wrong tokens

    /// How long the answer to an address's first wrong token waits; doubled with each further one.
    package var wrongTokenDelay = Duration.milliseconds(250)
    /// The longest an answer to a wrong token waits: one try in four seconds for each connection finds no token of
    /// twelve letters in a lifetime.
    package var wrongTokenMaximumDelay = Duration.seconds(4)
    /// How long an address must send no wrong token to be taken for a new one.
    package var wrongTokenMemory = Duration.seconds(300)
    /// Addresses whose wrong tokens are remembered; the least recent is forgotten first.
    package var wrongTokenAddresses = 1_024
    /// Between two lines about wrong tokens.
    package var wrongTokenReportInterval = Duration.seconds(10)

    // MARK: Uploads

    /// Uploads that are kept at once, so that at most this many times `live.uploadBytes` of disk is taken.
    package var uploads = 4
    /// The least rate of an upload, bytes a second, so that a slow one does not hold its slot: a fifth of the slowest
    /// Wi-Fi.
    package var uploadRate = 65_536
    /// Over how long that rate is taken: longer than a telephone takes from one network to the next.
    package var uploadWindow = Duration.seconds(30)
    /// How long an unused upload is kept.
    package var uploadIdleTimeout = Duration.seconds(600)

    // MARK: A socket

    /// Bytes of a text message; the longest of ours is under 500.
    package var textBytes = 16_384
    /// Fragments of one message: Chromium sends a picture of 460 KB that is no JPEG in about six.
    package var fragments = 64
    /// Messages and pings a second, lasting; half as many again as the frames that clients
    /// may send, so that the session refuses a fast client, and this ends only a flood.
    package var messagesPerSecond = 90
    /// Messages at once above that rate: what waits while a page was held up for a second or two.
    package var messageBurst = 180
    /// Sockets at once: a studio is one machine, with one or two people before it.
    package var sockets = 16
    /// Between two pings of the server.
    package var pingInterval = Duration.seconds(10)
    /// Without any frame, not even the answer to a ping: three pings.
    package var idleTimeout = Duration.seconds(30)

    /// What clients may send, as `hello` states it: sizes of frames, pictures and uploads.
    package var live = LiveLimits()

    // MARK: Both

    /// How long a client that owes us reading may read too little.
    package var writeTimeout = Duration.seconds(10)
    /// How long a client may take to see that it was answered for the last time, or to answer a close.
    package var closeTimeout = Duration.seconds(2)
    /// Bytes that wait in the server for a client before it counts as behind; about one picture of 640x480.
    package var outboundBytes = 65_536
    /// Bytes the system keeps for a client in each direction, so that "behind" shows within a few pictures.
    package var systemBufferBytes = 131_072

    /// The limits a studio runs with.
    package init() {}
}
