// What a Linux camera (V4L2) says about itself; its requests are macros that Swift cannot import.
#include <errno.h>
#include <linux/videodev2.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>

// One way a camera can deliver pictures; `rate` is the highest, in frames a second, 0 where it does not tell.
struct kinema_camera_mode {
    int is_compressed;
    int width;
    int height;
    double rate;
};

// 1 for a device that captures video, 0 for one that does something else, -1 for what is no camera at all.
static inline int kinema_camera_captures(int device) {
    struct v4l2_capability capability;
    memset(&capability, 0, sizeof capability);
    if (ioctl(device, VIDIOC_QUERYCAP, &capability) < 0) return -1;
    uint32_t able = capability.capabilities & V4L2_CAP_DEVICE_CAPS ? capability.device_caps : capability.capabilities;
    return (able & V4L2_CAP_VIDEO_CAPTURE) && (able & V4L2_CAP_STREAMING);
}

static inline double kinema_camera_rate(int device, uint32_t format, uint32_t width, uint32_t height) {
    struct v4l2_frmivalenum interval;
    double best = 0;
    for (uint32_t index = 0; index < 64; index++) {
        memset(&interval, 0, sizeof interval);
        interval.index = index;
        interval.pixel_format = format;
        interval.width = width;
        interval.height = height;
        if (ioctl(device, VIDIOC_ENUM_FRAMEINTERVALS, &interval) < 0) break;
        int is_discrete = interval.type == V4L2_FRMIVAL_TYPE_DISCRETE;
        struct v4l2_fract shortest = is_discrete ? interval.discrete : interval.stepwise.min;
        double rate = shortest.numerator ? (double)shortest.denominator / shortest.numerator : 0;
        if (rate > best) best = rate;
        if (!is_discrete) break;
    }
    return best;
}

// Lists what a camera offers as MJPEG and as YUYV; returns how many modes were written, at most `capacity`.
static inline int kinema_camera_modes(int device, struct kinema_camera_mode *modes, int capacity) {
    static const uint32_t formats[] = {V4L2_PIX_FMT_YUYV, V4L2_PIX_FMT_MJPEG};
    // For cameras that scale to any size.
    static const uint32_t usual[][2] = {{320, 240}, {640, 480}, {1280, 720}, {1920, 1080}};
    int count = 0;
    for (int compressed = 0; compressed < 2; compressed++) {
        for (uint32_t index = 0; index < 64 && count < capacity; index++) {
            struct v4l2_frmsizeenum size;
            memset(&size, 0, sizeof size);
            size.index = index;
            size.pixel_format = formats[compressed];
            if (ioctl(device, VIDIOC_ENUM_FRAMESIZES, &size) < 0) break;
            int is_discrete = size.type == V4L2_FRMSIZE_TYPE_DISCRETE;
            for (int choice = 0; choice < (is_discrete ? 1 : 4) && count < capacity; choice++) {
                uint32_t width = is_discrete ? size.discrete.width : usual[choice][0];
                uint32_t height = is_discrete ? size.discrete.height : usual[choice][1];
                if (!is_discrete && (width < size.stepwise.min_width || width > size.stepwise.max_width ||
                    height < size.stepwise.min_height || height > size.stepwise.max_height)) continue;
                double rate = kinema_camera_rate(device, formats[compressed], width, height);
                modes[count++] = (struct kinema_camera_mode){compressed, (int)width, (int)height, rate};
            }
            if (!is_discrete) break;
        }
    }
    return count;
}
