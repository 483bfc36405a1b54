#ifndef CSAMPLING_H
#define CSAMPLING_H

#include <stdint.h>

/// Planes of 8 bits with full luma and chroma of full or half width and height, and their conversion to RGB.
typedef struct {
    /// The first sample of each plane; where one plane interleaves U and V, `v` and `u` lie a byte apart.
    const uint8_t *luma, *u, *v;
    /// Bytes from one row to the next.
    int32_t luma_stride, chroma_stride;
    /// How often chroma is halved in each direction (0 or 1), and the logarithm of the bytes between two samples of U.
    int32_t chroma_shift_x, chroma_shift_y, chroma_step_log;
    /// RGB from luma less `offset`, U less 128 and V less 128, with 14 fraction bits.
    int32_t offset, scale, red_v, green_u, green_v, blue_u;
} ksample_planes;

/// Writes `count` RGB pixels along a straight line through the picture: luma interpolated from four samples, chroma the
/// nearest sample. Positions and steps are in units of 1/65536 pixel; `next` leads to the line that will be read next.
///
/// Returns how many pixels it wrote, from the first on: a multiple of eight. Every position needs four readable bytes from
/// its two luma samples in either row, and from its chroma samples.
int32_t ksample_line(
    const ksample_planes *planes, int32_t count, int32_t x, int32_t y, int32_t step_x, int32_t step_y,
    int32_t next_x, int32_t next_y, uint8_t *pixels);

#endif
