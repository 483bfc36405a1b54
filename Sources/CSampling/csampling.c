// Written with the compiler's own vectors, which become AVX2, SSE2 or NEON. They and the prefetches, which have no
// counterpart in Swift, let a model's input take a quarter of the time.
#include "csampling.h"
#include <string.h>

// Eight pixels. No function takes or returns them: how they are passed depends on the processor.
typedef int32_t lanes __attribute__((vector_size(32)));

static inline int32_t four(const uint8_t *start) {
    int32_t bytes;
    memcpy(&bytes, start, 4);
    return bytes;
}

// Loads one by one are as fast as the processors' own gathers.
#define GATHER(s, at)                                                                                                  \
    (lanes){four(s + at[0]), four(s + at[1]), four(s + at[2]), four(s + at[3]),                                        \
            four(s + at[4]), four(s + at[5]), four(s + at[6]), four(s + at[7])}
// The first two bytes of each lane, weighted by 256 - weight and weight.
#define MIX(pairs, weight) ((pairs & 255) * (256 - weight) + (pairs >> 8 & 255) * weight)
// A channel with 14 fraction bits as a byte; comparisons give lanes of all ones.
#define BYTE(channel) ((channel >> 14 & (channel >= 0) | (channel >= 256 << 14)) & 255)

// Inlined, so that each caller compiles it for its own processor.
static inline __attribute__((always_inline)) int32_t line(
    const ksample_planes *p, int32_t count, int32_t start_x, int32_t start_y, int32_t step_x, int32_t step_y, uint8_t *pixels
) {
    const lanes index = {0, 1, 2, 3, 4, 5, 6, 7};
    lanes x = start_x + index * step_x, y = start_y + index * step_y;
    int32_t done = 0;
    for (; done + 8 <= count; done += 8, pixels += 24) {
        lanes corner = (y >> 16) * p->luma_stride + (x >> 16), across = x >> 8 & 255, down = y >> 8 & 255;
        lanes top = GATHER(p->luma, corner), bottom = GATHER(p->luma + p->luma_stride, corner);
        lanes luma = (MIX(top, across) * (256 - down) + MIX(bottom, across) * down + 0x8000) >> 16;

        lanes column = (x + 0x8000) >> (16 + p->chroma_shift_x) << p->chroma_step_log;
        lanes nearest = ((y + 0x8000) >> (16 + p->chroma_shift_y)) * p->chroma_stride + column;
        lanes u = (GATHER(p->u, nearest) & 255) - 128, v = (GATHER(p->v, nearest) & 255) - 128;

        lanes grey = (luma - p->offset) * p->scale + 8192;
        lanes red = grey + v * p->red_v, green = grey + u * p->green_u + v * p->green_v, blue = grey + u * p->blue_u;
        lanes colours = BYTE(red) | BYTE(green) << 8 | BYTE(blue) << 16;
        // Exactly the 24 bytes of eight pixels: each write but the last is completed by the next one.
        for (int lane = 0; lane < 8; lane++) {
            int32_t colour = colours[lane];
            memcpy(pixels + 3 * lane, &colour, lane < 7 ? 4 : 3);
        }
        x += 8 * step_x;
        y += 8 * step_y;
    }
    return done;
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static int32_t line_avx2(
    const ksample_planes *p, int32_t count, int32_t x, int32_t y, int32_t step_x, int32_t step_y, uint8_t *pixels
) {
    return line(p, count, x, y, step_x, step_y, pixels);
}
#endif

// A decoder has just written the picture on another core, so that each cache line comes from far. Gathers wait for them
// one after the other; asked for a few lines early they come all at once, which takes three quarters off the time.
#define LINES_AHEAD 3

static inline int32_t distance(int32_t from, int32_t to) { return (to > from ? to - from : from - to) >> 16; }

static void prefetch(
    const ksample_planes *p, int32_t count, int32_t x, int32_t y, int32_t end_x, int32_t end_y, int32_t rows
) {
    // A cache line holds 64 bytes of a row, and one sample of a column.
    int32_t across = distance(x, end_x) / 64 + 1, down = distance(y, end_y) + 1;
    int32_t steps = across > down ? across : down;
    if (steps > count) steps = count;
    int32_t step_x = (end_x - x) / steps, step_y = (end_y - y) / steps;
    for (int32_t step = 0; step <= steps; step++, x += step_x, y += step_y) {
        // Addresses are numbers here, since a line ahead may lie outside the picture; asking for those is harmless.
        intptr_t luma = (intptr_t)p->luma + (intptr_t)(y >> 16) * p->luma_stride + (x >> 16);
        for (int32_t row = 0; row < rows; row++, luma += p->luma_stride) __builtin_prefetch((const void *)luma);
        intptr_t chroma = (intptr_t)(y >> (16 + p->chroma_shift_y)) * p->chroma_stride
            + ((intptr_t)(x >> (16 + p->chroma_shift_x)) << p->chroma_step_log);
        for (int32_t row = 0; row < rows; row += 1 + p->chroma_shift_y, chroma += p->chroma_stride) {
            __builtin_prefetch((const void *)((intptr_t)p->u + chroma));
            __builtin_prefetch((const void *)((intptr_t)p->v + chroma));
        }
    }
}

int32_t ksample_line(
    const ksample_planes *planes, int32_t count, int32_t x, int32_t y, int32_t step_x, int32_t step_y, int32_t next_x,
    int32_t next_y, uint8_t *pixels
) {
    int32_t ahead_x = x + LINES_AHEAD * next_x, ahead_y = y + LINES_AHEAD * next_y;
    prefetch(
        planes, count, ahead_x, ahead_y, ahead_x + count * step_x, ahead_y + count * step_y, distance(0, next_y) + 1);
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) return line_avx2(planes, count, x, y, step_x, step_y, pixels);
#endif
    return line(planes, count, x, y, step_x, step_y, pixels);
}
