// What an input from outside may take and reach: the memory of its pictures, and the connections for its parts.
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avstring.h>
#include <libavutil/buffer.h>

// The memory that one decoder's pictures take at a time, those it has handed out included. Counted by several threads.
struct kinema_budget {
    int64_t limit;
    int64_t used;
    int is_exceeded;
};

// A picture's memory, and the budget it is taken from, which lives as long as the last picture.
struct kinema_share {
    AVBufferRef *memory;
    AVBufferRef *budget;
};

static inline struct kinema_budget *kinema_budget_of(const AVBufferRef *reference) {
    return (struct kinema_budget *)reference->data;
}

static inline AVBufferRef *kinema_make_budget(int64_t limit) {
    AVBufferRef *reference = av_buffer_allocz(sizeof(struct kinema_budget));
    if (reference) kinema_budget_of(reference)->limit = limit;
    return reference;
}

static inline int kinema_is_exceeded(const AVBufferRef *reference) {
    return reference && __atomic_load_n(&kinema_budget_of(reference)->is_exceeded, __ATOMIC_RELAXED);
}

static inline void kinema_release_share(void *opaque, uint8_t *data) {
    struct kinema_share *share = opaque;
    (void)data;
    __atomic_fetch_sub(&kinema_budget_of(share->budget)->used, (int64_t)share->memory->size, __ATOMIC_RELAXED);
    av_buffer_unref(&share->memory);
    av_buffer_unref(&share->budget);
    av_free(share);
}

// Counts a buffer: puts one in its place that gives the memory back to the budget.
static inline int kinema_count_memory(AVBufferRef **memory, AVBufferRef *budget) {
    struct kinema_budget *account = kinema_budget_of(budget);
    int64_t size = (int64_t)(*memory)->size;
    if (__atomic_add_fetch(&account->used, size, __ATOMIC_RELAXED) > account->limit) {
        __atomic_fetch_sub(&account->used, size, __ATOMIC_RELAXED);
        __atomic_store_n(&account->is_exceeded, 1, __ATOMIC_RELAXED);
        return AVERROR(ENOMEM);
    }
    struct kinema_share *share = av_mallocz(sizeof *share);
    AVBufferRef *counted = NULL;
    if (share && (share->budget = av_buffer_ref(budget)))
        counted = av_buffer_create((*memory)->data, (*memory)->size, kinema_release_share, share, 0);
    if (!counted) {
        __atomic_fetch_sub(&account->used, size, __ATOMIC_RELAXED);
        if (share) av_buffer_unref(&share->budget);
        av_free(share);
        return AVERROR(ENOMEM);
    }
    share->memory = *memory;
    *memory = counted;
    return 0;
}

// Makes room for a picture, within the budget that `opaque` refers to.
static inline int kinema_get_buffer(AVCodecContext *context, AVFrame *frame, int flags) {
    int code = avcodec_default_get_buffer2(context, frame, flags);
    for (int index = 0; code >= 0 && index < AV_NUM_DATA_POINTERS; index++)
        if (frame->buf[index]) code = kinema_count_memory(&frame->buf[index], context->opaque);
    if (code < 0) av_frame_unref(frame);
    return code;
}

static inline void kinema_limit_memory(AVCodecContext *context, AVBufferRef *budget) {
    context->opaque = budget;
    context->get_buffer2 = kinema_get_buffer;
}

static inline int kinema_is_png(enum AVCodecID id) { return id == AV_CODEC_ID_PNG || id == AV_CODEC_ID_APNG; }

// Opens a part of a stream, such as a playlist's segment: over HTTP and by nothing else, with the connection options that
// the context's `opaque` refers to, whatever the container asks for.
static inline int kinema_open_part(
    AVFormatContext *context, AVIOContext **io, const char *url, int flags, AVDictionary **options) {
    const char *address = url;
    if (av_strstart(address, "crypto", &address)) {
        if (*address != '+' && *address != ':') return AVERROR(EPERM);
        address++;
    }
    if (!av_strstart(address, "http://", NULL) && !av_strstart(address, "https://", NULL)) return AVERROR(EPERM);
    AVDictionary *own = NULL;
    if (!options) options = &own;
    av_dict_copy(options, context->opaque, 0);
    int code = avio_open2(io, url, flags, &context->interrupt_callback, options);
    av_dict_free(&own);
    return code;
}

static inline void kinema_open_parts_with(AVFormatContext *context, AVDictionary *options) {
    context->opaque = options;
    context->io_open = kinema_open_part;
}

// The name of the container that these bytes look like to FFmpeg, whichever it knows; NULL for none. The bytes are followed
// by AVPROBE_PADDING_SIZE zeros.
static inline const char *kinema_container_of(unsigned char *bytes, int count) {
    AVProbeData data = {"", bytes, count, NULL};
    int score = 0;
#if LIBAVFORMAT_VERSION_MAJOR >= 59
    const AVInputFormat *format = av_probe_input_format3(&data, 1, &score);
#else
    AVInputFormat *format = av_probe_input_format3(&data, 1, &score);
#endif
    return format ? format->name : NULL;
}
