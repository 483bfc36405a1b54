// Gathers and prefetches have no counterpart in Swift. With both a model's input takes a quarter of the time.
#include "csampling.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))
typedef __m256i lanes;

AVX2 static inline lanes all(int32_t value) { return _mm256_set1_epi32(value); }
AVX2 static inline lanes plus(lanes a, lanes b) { return _mm256_add_epi32(a, b); }
AVX2 static inline lanes times(lanes a, lanes b) { return _mm256_mullo_epi32(a, b); }

AVX2 static inline lanes gather(const uint8_t *start, lanes offsets) {
    return _mm256_i32gather_epi32((const int *)start, offsets, 1);
}

// The first two bytes of each lane, weighted by 256 - weight and weight.
AVX2 static inline lanes interpolate(lanes pairs, lanes weight) {
    const lanes spread = _mm256_setr_epi8(
        0, -1, 1, -1, 4, -1, 5, -1, 8, -1, 9, -1, 12, -1, 13, -1, 0, -1, 1, -1, 4, -1, 5, -1, 8, -1, 9, -1, 12, -1, 13, -1);
    lanes weights = _mm256_or_si256(_mm256_sub_epi32(all(256), weight), _mm256_slli_epi32(weight, 16));
    return _mm256_madd_epi16(_mm256_shuffle_epi8(pairs, spread), weights);
}

// A channel with 14 fraction bits as a byte.
AVX2 static inline lanes byte(lanes value) {
    return _mm256_min_epi32(_mm256_max_epi32(_mm256_srai_epi32(value, 14), _mm256_setzero_si256()), all(255));
}

// Exactly the 24 bytes of eight pixels.
AVX2 static inline void store(lanes red, lanes green, lanes blue, uint8_t *pixels) {
    const __m128i packed = _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
    lanes colours = _mm256_or_si256(red, _mm256_or_si256(_mm256_slli_epi32(green, 8), _mm256_slli_epi32(blue, 16)));
    __m128i first = _mm_shuffle_epi8(_mm256_castsi256_si128(colours), packed);
    __m128i second = _mm_shuffle_epi8(_mm256_extracti128_si256(colours, 1), packed);
    _mm_storeu_si128((__m128i *)pixels, first);
    _mm_storel_epi64((__m128i *)(pixels + 12), second);
    _mm_storeu_si32(pixels + 20, _mm_srli_si128(second, 8));
}

AVX2 static int32_t line(
    const ksample_planes *p, int32_t count, int32_t start_x, int32_t start_y, int32_t step_x, int32_t step_y, uint8_t *pixels
) {
    const lanes index = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), half = all(0x8000), low = all(255);
    const __m128i shift_x = _mm_cvtsi32_si128(16 + p->chroma_shift_x), shift_y = _mm_cvtsi32_si128(16 + p->chroma_shift_y);
    const __m128i chroma_step = _mm_cvtsi32_si128(p->chroma_step_log);
    lanes x = plus(all(start_x), times(index, all(step_x))), y = plus(all(start_y), times(index, all(step_y)));
    int32_t done = 0;
    for (; done + 8 <= count; done += 8) {
        lanes corner = plus(times(_mm256_srai_epi32(y, 16), all(p->luma_stride)), _mm256_srai_epi32(x, 16));
        lanes across = _mm256_and_si256(_mm256_srli_epi32(x, 8), low), down = _mm256_and_si256(_mm256_srli_epi32(y, 8), low);
        lanes top = interpolate(gather(p->luma, corner), across);
        lanes bottom = interpolate(gather(p->luma + p->luma_stride, corner), across);
        lanes sum = plus(times(top, _mm256_sub_epi32(all(256), down)), times(bottom, down));
        lanes luma = _mm256_srai_epi32(plus(sum, half), 16);

        lanes column = _mm256_sll_epi32(_mm256_sra_epi32(plus(x, half), shift_x), chroma_step);
        lanes nearest = plus(times(_mm256_sra_epi32(plus(y, half), shift_y), all(p->chroma_stride)), column);
        lanes u = _mm256_sub_epi32(_mm256_and_si256(gather(p->u, nearest), low), all(128));
        lanes v = _mm256_sub_epi32(_mm256_and_si256(gather(p->v, nearest), low), all(128));

        lanes grey = plus(times(_mm256_sub_epi32(luma, all(p->offset)), all(p->scale)), all(8192));
        lanes red = byte(plus(grey, times(v, all(p->red_v))));
        lanes green = byte(plus(grey, plus(times(u, all(p->green_u)), times(v, all(p->green_v)))));
        lanes blue = byte(plus(grey, times(u, all(p->blue_u))));
        store(red, green, blue, pixels + 3 * done);

        x = plus(x, all(8 * step_x));
        y = plus(y, all(8 * step_y));
    }
    return done;
}

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
    if (!__builtin_cpu_supports("avx2")) return 0;
    int32_t ahead_x = x + LINES_AHEAD * next_x, ahead_y = y + LINES_AHEAD * next_y;
    prefetch(
        planes, count, ahead_x, ahead_y, ahead_x + count * step_x, ahead_y + count * step_y, distance(0, next_y) + 1);
    return line(planes, count, x, y, step_x, step_y, pixels);
}

#else

int32_t ksample_line(
    const ksample_planes *planes, int32_t count, int32_t x, int32_t y, int32_t step_x, int32_t step_y, int32_t next_x,
    int32_t next_y, uint8_t *pixels
) {
    return 0;
}

#endif
