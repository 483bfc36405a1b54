#include "CDemoClip.h"

// C23's, which Clang has in C of any year.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char clip[] = {
#embed "demo.mp4"
};

const unsigned char *kinema_demo_clip(size_t *count) {
    *count = sizeof clip;
    return clip;
}
