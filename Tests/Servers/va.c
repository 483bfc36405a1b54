// A library in the place of libva: a device that takes H.264 of 8 bits and paints every picture in the grey of its place,
// so that a test can tell which pictures came from it. Numbers and structures are those of VA-API 1 (va.h).
//
// LIBVA_DRIVER_NAME=broken does not start, other decodes no H.264, lost gives no picture back, free gives none back when it
// may ask a terminal's driver something, threaded has a thread of its own.
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

typedef int32_t status;
typedef uint32_t id;

enum { success = 0, failure = 1 };
enum { h264_main = 6, h264_high = 7, h264_constrained_baseline = 13, mpeg2_main = 1, decoding = 1 };
static const uint32_t nv12 = 0x3231564E;

struct format {
    uint32_t fourcc, byte_order, bits, depth, masks[4], reserved[4];
};

struct image {
    id image;
    struct format format;
    id buffer;
    uint16_t width, height;
    uint32_t size, planes, pitches[3], offsets[3];
    int32_t palette_entries, entry_bytes;
    int8_t order[4];
    uint32_t reserved[4];
};

struct surface_attribute {
    int32_t type;
    uint32_t flags;
    int32_t value_type;
    union {
        int32_t number;
        void *pointer;
    } value;
};

struct config_attribute {
    int32_t type;
    uint32_t value;
};

// Surfaces and images are blocks of memory alike; buffers hold what describes a picture.
enum { most = 4096 };
static struct block {
    uint8_t *bytes;
    size_t size;
    int width, height;
} blocks[most];
static id last_block;
static id target;
static int32_t place;

static id new_block(int width, int height, size_t size, const void *data) {
    id number = last_block + 1;
    for (id tried = 0; blocks[number % most].bytes && tried < most; tried++) number++;
    last_block = number % most;
    struct block *block = &blocks[last_block];
    *block = (struct block){calloc(1, size ? size : 1), size, width, height};
    if (data) memcpy(block->bytes, data, size);
    return last_block;
}

static void free_block(id number) {
    free(blocks[number % most].bytes);
    blocks[number % most].bytes = NULL;
}

static int is_driver(const char *name) {
    const char *chosen = getenv("LIBVA_DRIVER_NAME");
    return chosen && strcmp(chosen, name) == 0;
}

void *vaGetDisplayDRM(int file) { return file < 0 ? NULL : (void *)blocks; }
void *vaGetDisplay(void *screen) { (void)screen; return NULL; }
int vaDisplayIsValid(void *display) { return display == (void *)blocks; }
void *vaSetErrorCallback(void *display, void *call, void *context) { (void)display; (void)call; (void)context; return 0; }
void *vaSetInfoCallback(void *display, void *call, void *context) { (void)display; (void)call; (void)context; return 0; }
const char *vaErrorStr(status code) { return code == success ? "success" : "failure"; }
const char *vaProfileStr(int32_t profile) { (void)profile; return "profile"; }
const char *vaEntrypointStr(int32_t entry) { (void)entry; return "entry"; }
const char *vaQueryVendorString(void *display) { (void)display; return "Kinema's tests"; }
status vaSetDriverName(void *display, char *name) { (void)display; (void)name; return success; }
status vaTerminate(void *display) { (void)display; return success; }

static void *sleep_long(void *unused) {
    sleep(60);
    return unused;
}

status vaInitialize(void *display, int *major, int *minor) {
    (void)display;
    *major = 1;
    *minor = 17;
    pthread_t thread;
    if (is_driver("threaded")) pthread_create(&thread, NULL, sleep_long, NULL);
    return is_driver("broken") ? failure : success;
}

int vaMaxNumProfiles(void *display) { (void)display; return 3; }
int vaMaxNumEntrypoints(void *display) { (void)display; return 1; }
int vaMaxNumImageFormats(void *display) { (void)display; return 1; }

status vaQueryConfigProfiles(void *display, int32_t *profiles, int *count) {
    (void)display;
    profiles[0] = h264_main;
    profiles[1] = h264_high;
    profiles[2] = h264_constrained_baseline;
    *count = 3;
    if (is_driver("other")) {
        profiles[0] = mpeg2_main;
        *count = 1;
    }
    return success;
}

status vaQueryConfigEntrypoints(void *display, int32_t profile, int32_t *entries, int *count) {
    (void)display; (void)profile;
    entries[0] = decoding;
    *count = 1;
    return success;
}

status vaGetConfigAttributes(void *display, int32_t profile, int32_t entry, struct config_attribute *list, int count) {
    (void)display; (void)profile; (void)entry;
    for (int index = 0; index < count; index++) list[index].value = 1; // VA_RT_FORMAT_YUV420
    return success;
}

status vaCreateConfig(void *display, int32_t profile, int32_t entry, struct config_attribute *list, int count, id *config) {
    (void)display; (void)profile; (void)entry; (void)list; (void)count;
    *config = 1;
    return success;
}
status vaDestroyConfig(void *display, id config) { (void)display; (void)config; return success; }

status vaQuerySurfaceAttributes(void *display, id config, struct surface_attribute *list, unsigned *count) {
    (void)display; (void)config;
    // The pixel format, then the least and the greatest width and height.
    const int32_t values[] = {(int32_t)nv12, 16, 4096, 16, 4096};
    *count = 5;
    for (int index = 0; list && index < 5; index++) {
        list[index] = (struct surface_attribute){index + 1, 1, 1, {0}};
        list[index].value.number = values[index];
    }
    return success;
}

static void fill_format(struct format *format) {
    *format = (struct format){nv12, 1, 12, 0, {0}, {0}};
}

status vaQueryImageFormats(void *display, struct format *list, int *count) {
    (void)display;
    fill_format(list);
    *count = 1;
    return success;
}

status vaCreateSurfaces(
    void *display, unsigned format, unsigned width, unsigned height, id *surfaces, unsigned count,
    struct surface_attribute *list, unsigned attributes) {
    (void)display; (void)format; (void)list; (void)attributes;
    for (unsigned index = 0; index < count; index++)
        surfaces[index] = new_block((int)width, (int)height, (size_t)width * height * 3 / 2, NULL);
    return success;
}

status vaDestroySurfaces(void *display, id *surfaces, int count) {
    (void)display;
    for (int index = 0; index < count; index++) free_block(surfaces[index]);
    return success;
}

status vaCreateContext(
    void *display, id config, int width, int height, int flag, id *targets, int count, id *context) {
    (void)display; (void)config; (void)width; (void)height; (void)flag; (void)targets; (void)count;
    *context = 1;
    return success;
}
status vaDestroyContext(void *display, id context) { (void)display; (void)context; return success; }

status vaCreateBuffer(
    void *display, id context, int32_t type, unsigned size, unsigned count, const void *data, id *buffer) {
    (void)display; (void)context;
    *buffer = new_block(type, 0, (size_t)size * count, data);
    return success;
}

status vaDestroyBuffer(void *display, id buffer) {
    (void)display;
    free_block(buffer);
    return success;
}

status vaBeginPicture(void *display, id context, id surface) {
    (void)display; (void)context;
    target = surface;
    return success;
}

status vaRenderPicture(void *display, id context, id *buffers, int count) {
    (void)display; (void)context;
    for (int index = 0; index < count; index++) {
        const struct block *block = &blocks[buffers[index] % most];
        // Of the picture's parameters (type 0), the order in which it is shown: behind its number, index and flags.
        if (block->width == 0 && block->size >= 16) memcpy(&place, block->bytes + 12, sizeof place);
    }
    return success;
}

status vaEndPicture(void *display, id context) {
    (void)display; (void)context;
    struct block *block = &blocks[target % most];
    size_t luma = (size_t)block->width * block->height;
    memset(block->bytes, 16 + place / 2 % 200, luma);
    memset(block->bytes + luma, 128, luma / 2);
    return success;
}

status vaSyncSurface(void *display, id surface) { (void)display; (void)surface; return success; }
status vaSyncBuffer(void *display, id buffer, uint64_t time) { (void)display; (void)buffer; (void)time; return success; }
status vaDeriveImage(void *display, id surface, struct image *image) {
    (void)display; (void)surface; (void)image;
    return failure;
}

status vaCreateImage(void *display, struct format *format, int width, int height, struct image *image) {
    (void)display; (void)format;
    size_t size = (size_t)width * height * 3 / 2;
    *image = (struct image){0};
    image->image = image->buffer = new_block(width, height, size, NULL);
    fill_format(&image->format);
    image->width = (uint16_t)width;
    image->height = (uint16_t)height;
    image->size = (uint32_t)size;
    image->planes = 2;
    image->pitches[0] = image->pitches[1] = (uint32_t)width;
    image->offsets[1] = (uint32_t)width * height;
    return success;
}

status vaDestroyImage(void *display, id image) {
    (void)display;
    free_block(image);
    return success;
}

status vaGetImage(void *display, id surface, int x, int y, unsigned width, unsigned height, id image) {
    (void)display; (void)x; (void)y; (void)width; (void)height;
    const struct block *from = &blocks[surface % most];
    struct block *to = &blocks[image % most];
    if (is_driver("lost") || from->size > to->size) return failure;
    // Every driver talks to its device like this; here it is no device, which is another refusal than the sandbox's.
    if (ioctl(0, _IO('d', 0)) < 0 && errno == EPERM) return failure;
    if (is_driver("free") && !(ioctl(0, TIOCGWINSZ) < 0 && errno == EPERM)) return failure;
    memcpy(to->bytes, from->bytes, from->size);
    return success;
}

status vaMapBuffer(void *display, id buffer, void **bytes) {
    (void)display;
    *bytes = blocks[buffer % most].bytes;
    return success;
}
status vaUnmapBuffer(void *display, id buffer) { (void)display; (void)buffer; return success; }

// What only encoders, filters and other devices need.
status vaPutImage(void) { return failure; }
status vaExportSurfaceHandle(void) { return failure; }
status vaAcquireBufferHandle(void) { return failure; }
status vaReleaseBufferHandle(void) { return failure; }
