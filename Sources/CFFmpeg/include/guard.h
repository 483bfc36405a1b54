// What an input from outside may take and reach: the memory of its pictures, and the connections for its parts.
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avstring.h>
#include <libavutil/buffer.h>
#include <libavutil/hwcontext.h>
#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>

// Where the memory of pictures comes from if not from this process's own: `take` gives a block of the size, or NULL.
struct kinema_picture_memory {
    void *owner;
    uint8_t *(*take)(void *owner, int64_t size);
    void (*give_back)(void *owner, uint8_t *block);
};

// The memory that one decoder's pictures take at a time, those it has handed out included. Counted by several threads.
struct kinema_budget {
    int64_t limit;
    int64_t used;
    int is_exceeded;
    struct kinema_picture_memory source;
};

// A picture's memory, and the budget it is taken from, which lives as long as the last picture.
struct kinema_share {
    AVBufferRef *memory;
    AVBufferRef *budget;
};

static inline struct kinema_budget *kinema_budget_of(const AVBufferRef *reference) {
    return (struct kinema_budget *)reference->data;
}

static inline AVBufferRef *kinema_make_budget(int64_t limit, struct kinema_picture_memory source) {
    AVBufferRef *reference = av_buffer_allocz(sizeof(struct kinema_budget));
    if (!reference) return NULL;
    kinema_budget_of(reference)->limit = limit;
    kinema_budget_of(reference)->source = source;
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

// Makes room for a picture in the memory that `source` gives, laid out as FFmpeg's documentation of `get_buffer2` asks.
static inline int kinema_get_shared_buffer(
    AVCodecContext *context, AVFrame *frame, const struct kinema_picture_memory *source) {
    int width = frame->width, height = frame->height, alignments[AV_NUM_DATA_POINTERS] = {0}, isAligned, lines[4];
    avcodec_align_dimensions2(context, &width, &height, alignments);
    // Wider until the rows of every plane are aligned.
    do {
        int code = av_image_fill_linesizes(lines, frame->format, width);
        if (code < 0) return code;
        isAligned = 1;
        for (int plane = 0; plane < 4; plane++)
            if (alignments[plane] && lines[plane] % alignments[plane]) isAligned = 0;
        width += width & ~(width - 1);
    } while (!isAligned);
    ptrdiff_t strides[4] = {lines[0], lines[1], lines[2], lines[3]};
    size_t sizes[4];
    int code = av_image_fill_plane_sizes(sizes, frame->format, height, strides);
    if (code < 0) return code;
    // Decoders' vector code writes past the end of a plane by less than this (libavcodec's own pools add 16 + 63).
    const int64_t padding = 128;
    int64_t total = 0;
    for (int plane = 0; plane < 4; plane++) total += FFALIGN((int64_t)sizes[plane] + padding, 64);
    uint8_t *block = source->take(source->owner, total);
    if (!block) return AVERROR(ENOMEM);
    frame->buf[0] = av_buffer_create(block, total, source->give_back, source->owner, 0);
    if (!frame->buf[0]) {
        source->give_back(source->owner, block);
        return AVERROR(ENOMEM);
    }
    for (int plane = 0; plane < 4 && sizes[plane]; plane++) {
        frame->data[plane] = block;
        frame->linesize[plane] = lines[plane];
        block += FFALIGN((int64_t)sizes[plane] + padding, 64);
    }
    frame->extended_data = frame->data;
    return 0;
}

// Makes room for a picture, within the budget that `opaque` refers to. Formats with a palette stay in this
// process.
static inline int kinema_get_buffer(AVCodecContext *context, AVFrame *frame, int flags) {
    const struct kinema_picture_memory *source = &kinema_budget_of(context->opaque)->source;
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    int isShared = source->take && frame->width > 0 && (context->codec->capabilities & AV_CODEC_CAP_DR1) && format &&
                   !(format->flags & (AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_HWACCEL));
    int code = isShared ? kinema_get_shared_buffer(context, frame, source)
                        : avcodec_default_get_buffer2(context, frame, flags);
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
