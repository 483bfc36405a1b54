// FFmpeg's libraries, and what Swift cannot import from them: macros, and calls that differ from 4.4 to 7.x.
#include <libavcodec/avcodec.h>
#include <libavdevice/version.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/display.h>
#include <libavutil/hwcontext.h>
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/sha.h>
#include <libswscale/swscale.h>
#include "camera.h"
#include "guard.h"
#include "late.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>

// Macros that are expressions.
static inline int kinema_again(void) { return AVERROR(EAGAIN); }
static inline int kinema_end_of_file(void) { return AVERROR_EOF; }
static inline int kinema_exit_requested(void) { return AVERROR_EXIT; }
static inline int kinema_invalid_data(void) { return AVERROR_INVALIDDATA; }
static inline int kinema_last_errno(void) { return errno; }
static inline int kinema_errno(int code) { return AVERROR(code); }
static inline int64_t kinema_no_timestamp(void) { return AV_NOPTS_VALUE; }
static inline int64_t kinema_time_base(void) { return AV_TIME_BASE; }
static inline int kinema_seek_size(void) { return AVSEEK_SIZE; }
static inline int kinema_seek_force(void) { return AVSEEK_FORCE; }
static inline int kinema_flag_custom_io(void) { return AVFMT_FLAG_CUSTOM_IO; }
static inline int kinema_flag_global_header(void) { return AV_CODEC_FLAG_GLOBAL_HEADER; }
static inline int kinema_flag_qscale(void) { return AV_CODEC_FLAG_QSCALE; }
static inline int kinema_qscale_step(void) { return FF_QP2LAMBDA; }

// Why a stream or a camera could not be opened or read on.
enum kinema_trouble {
    KINEMA_TROUBLE_OTHER,
    KINEMA_TROUBLE_CANCELLED,
    KINEMA_TROUBLE_REFUSED,
    KINEMA_TROUBLE_UNREACHABLE,
    KINEMA_TROUBLE_LOGIN,
    KINEMA_TROUBLE_NOT_FOUND,
    KINEMA_TROUBLE_SERVER,
    KINEMA_TROUBLE_SILENT,
    KINEMA_TROUBLE_LOST,
    KINEMA_TROUBLE_PROTOCOL,
    KINEMA_TROUBLE_BUSY,
    KINEMA_TROUBLE_GONE,
    KINEMA_TROUBLE_FORBIDDEN,
};

static inline enum kinema_trouble kinema_stream_trouble(int code) {
    switch (code) {
    case AVERROR_EXIT: return KINEMA_TROUBLE_CANCELLED;
    case AVERROR(ECONNREFUSED): return KINEMA_TROUBLE_REFUSED;
    // A name that cannot be resolved arrives as an input/output error.
    case AVERROR(EIO): case AVERROR(EHOSTUNREACH): case AVERROR(ENETUNREACH): case AVERROR(ENETDOWN):
    case AVERROR(EHOSTDOWN): return KINEMA_TROUBLE_UNREACHABLE;
    case AVERROR_HTTP_UNAUTHORIZED: case AVERROR_HTTP_FORBIDDEN: return KINEMA_TROUBLE_LOGIN;
    case AVERROR_HTTP_NOT_FOUND: return KINEMA_TROUBLE_NOT_FOUND;
    case AVERROR_HTTP_BAD_REQUEST: case AVERROR_HTTP_OTHER_4XX: case AVERROR_HTTP_SERVER_ERROR:
        return KINEMA_TROUBLE_SERVER;
    case AVERROR(ETIMEDOUT): return KINEMA_TROUBLE_SILENT;
    case AVERROR(ECONNRESET): case AVERROR(EPIPE): case AVERROR_EOF: return KINEMA_TROUBLE_LOST;
    case AVERROR_PROTOCOL_NOT_FOUND: case AVERROR(EINVAL): return KINEMA_TROUBLE_PROTOCOL;
    case AVERROR(EBUSY): return KINEMA_TROUBLE_BUSY;
    case AVERROR(ENODEV): case AVERROR(ENXIO): case AVERROR(ENOENT): return KINEMA_TROUBLE_GONE;
    case AVERROR(EACCES): case AVERROR(EPERM): return KINEMA_TROUBLE_FORBIDDEN;
    default: return KINEMA_TROUBLE_OTHER;
    }
}

// How long the decoder says a frame is shown, in the packet's time base; 0 when unknown.
static inline int64_t kinema_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    return frame->duration;
#else
    return frame->pkt_duration;
#endif
}

// The stream's display matrix (nine numbers), or NULL: it moved into the codec parameters in FFmpeg 6.1.
static inline const int32_t *kinema_display_matrix(const AVStream *stream) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
    const AVPacketSideData *data = av_packet_side_data_get(
        stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
    return data && data->size >= 9 * sizeof(int32_t) ? (const int32_t *)data->data : NULL;
#else
    // Allocated by the library with exactly this size whenever the data is there at all.
    return (const int32_t *)av_stream_get_side_data((AVStream *)stream, AV_PKT_DATA_DISPLAYMATRIX, NULL);
#endif
}

// Refuses every file or address a container asks for beside its own bytes.
static inline int kinema_refuse_open(
    AVFormatContext *context, AVIOContext **io, const char *url, int flags, AVDictionary **options) {
    (void)context; (void)url; (void)flags; (void)options;
    *io = NULL;
    return AVERROR(EPERM);
}

static inline void kinema_refuse_other_files(AVFormatContext *context) { context->io_open = kinema_refuse_open; }

// The write callback's bytes became const in FFmpeg 7.
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(61, 0, 100)
typedef const uint8_t *kinema_written_bytes;
#else
typedef uint8_t *kinema_written_bytes;
#endif

// An I/O context over callbacks; a NULL `seek` makes a stream that only goes forward.
static inline AVIOContext *kinema_make_io(
    int size, int writable, void *opaque, int (*read)(void *, uint8_t *, int),
    int (*write)(void *, kinema_written_bytes, int), int64_t (*seek)(void *, int64_t, int)) {
    unsigned char *buffer = av_malloc(size);
    if (!buffer) return NULL;
    AVIOContext *io = avio_alloc_context(buffer, size, writable, opaque, read, write, seek);
    if (!io) av_free(buffer);
    return io;
}

// Frees the context together with the buffer it uses by then.
static inline void kinema_free_io(AVIOContext **io) {
    if (io && *io) av_freep(&(*io)->buffer);
    avio_context_free(io);
}

// Codec handles are const from FFmpeg 5 on; these hide the difference.
static inline AVCodecContext *kinema_decoder(enum AVCodecID id) {
    const AVCodec *codec = avcodec_find_decoder(id);
    return codec ? avcodec_alloc_context3(codec) : NULL;
}

static inline AVCodecContext *kinema_encoder(enum AVCodecID id, const char *name) {
    const AVCodec *codec = name ? avcodec_find_encoder_by_name(name) : avcodec_find_encoder(id);
    return codec ? avcodec_alloc_context3(codec) : NULL;
}

// The scaler: its context is an incomplete type before FFmpeg 7.1 and a public one after, which Swift tells apart.
static inline void *kinema_scaler(
    int width, int height, enum AVPixelFormat from, int to_width, int to_height, enum AVPixelFormat to,
    int from_standard, int from_full, int to_standard, int to_full) {
    // Accurate rounding would cost several times as much; without it a level or two is lost, which nobody sees in a
    // drawing. The analysis reads the decoder's own samples.
    int flags = SWS_BILINEAR;
    struct SwsContext *context = sws_getContext(width, height, from, to_width, to_height, to, flags, NULL, NULL, NULL);
    if (context)
        sws_setColorspaceDetails(
            context, sws_getCoefficients(from_standard), from_full, sws_getCoefficients(to_standard), to_full, 0,
            1 << 16, 1 << 16);
    return context;
}

static inline void kinema_free_scaler(void *context) { sws_freeContext((struct SwsContext *)context); }

// Converts a whole picture; both frames have the scaler's size.
static inline void kinema_scale(void *context, const AVFrame *source, AVFrame *target) {
    sws_scale(
        (struct SwsContext *)context, (const uint8_t *const *)source->data, source->linesize, 0, source->height,
        target->data, target->linesize);
}

// Loads the cameras' library and makes its devices known; 0 when it is not installed. It is looked
// for here and not in late.c, since a system without cameras need not have it.
static inline int kinema_register_devices(void) {
    char name[40];
    snprintf(name, sizeof name, "libavdevice.so.%d", LIBAVDEVICE_VERSION_MAJOR);
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    void (*enter)(void) = library ? (void (*)(void))dlsym(library, "avdevice_register_all") : NULL;
    if (!enter) return 0;
    enter();
    return 1;
}

// Input formats are const from FFmpeg 5 on; opening by one's name hides the difference.
static inline int kinema_open_device(
    AVFormatContext **context, const char *format, const char *name, AVDictionary **options) {
    // Without a format FFmpeg would take the name for a file's.
    if (kinema_register_devices() && av_find_input_format(format))
        return avformat_open_input(context, name, av_find_input_format(format), options);
    avformat_free_context(*context);
    *context = NULL;
    return AVERROR_DEMUXER_NOT_FOUND;
}

// Opens what comes through a connection as the format its first bytes show, `name` helping; `url` is where parts of it are
// looked for.
static inline int kinema_open_connected(
    AVFormatContext **context, AVIOContext *io, const char *name, const char *url, unsigned most,
    AVDictionary **options) {
#if LIBAVFORMAT_VERSION_MAJOR >= 59
    const AVInputFormat *format = NULL;
#else
    AVInputFormat *format = NULL;
#endif
    int score = av_probe_input_buffer2(io, &format, name, NULL, 0, most);
    if (score < 0) {
        avformat_free_context(*context);
        *context = NULL;
        return score;
    }
    return avformat_open_input(context, url, format, options);
}
