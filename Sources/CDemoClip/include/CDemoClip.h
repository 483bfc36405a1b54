// The clip of the demonstration: demo.mp4, which is `kinema synth --scene demo`, encoded again to be small:
// ffmpeg -i demo.mp4 -c:v libx264 -preset veryslow -crf 28 -g 250 -pix_fmt yuv420p -movflags +faststart
#ifndef KINEMA_CDEMOCLIP_H
#define KINEMA_CDEMOCLIP_H

#include <stddef.h>

/// The bytes of the file, which live as long as the process, and their number.
const unsigned char *kinema_demo_clip(size_t *count);

#endif
