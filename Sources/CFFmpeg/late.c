// FFmpeg's libraries, loaded when one of their functions is first called. Linked, they would bring more than a hundred
// other libraries into every process when it starts, which takes longer than most commands that read no video.
//
// Each function below has its usual name, so callers do not notice: it jumps to the address in its slot, which is at
// first that of `kinema_ffmpeg_first`, where the function is looked up.
#include "late.h"
#include <dlfcn.h>
#include <libavcodec/version.h>
#include <libavformat/version.h>
#include <libavutil/version.h>
#include <libswscale/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NAME_OF(library, major) "lib" library ".so." AV_STRINGIFY(major)

enum { UTIL, CODEC, FORMAT, SCALE, LIBRARIES };

static const char *const names[LIBRARIES] = {
    [UTIL] = NAME_OF("avutil", LIBAVUTIL_VERSION_MAJOR),
    [CODEC] = NAME_OF("avcodec", LIBAVCODEC_VERSION_MAJOR),
    [FORMAT] = NAME_OF("avformat", LIBAVFORMAT_VERSION_MAJOR),
    [SCALE] = NAME_OF("swscale", LIBSWSCALE_VERSION_MAJOR),
};

// Laid out as the assembly below writes it.
struct slot {
    void *function;
    const char *name;
    long library;
};

const char *kinema_ffmpeg_load(void) {
    // Loaded once and never unloaded; dlopen counts.
    for (int library = 0; library < LIBRARIES; library++)
        if (!dlopen(names[library], RTLD_LAZY | RTLD_LOCAL)) return dlerror();
    return NULL;
}

__attribute__((used, visibility("hidden"))) void *kinema_ffmpeg_find(struct slot *slot) {
    void *library = dlopen(names[slot->library], RTLD_LAZY | RTLD_LOCAL);
    void *function = library ? dlsym(library, slot->name) : NULL;
    if (!function) {
        fprintf(stderr, "error: FFmpeg cannot be used (%s); install it, or run script/bootstrap\n", dlerror());
        _exit(EXIT_FAILURE);
    }
    __atomic_store_n(&slot->function, function, __ATOMIC_RELEASE);
    return function;
}

// `kinema_ffmpeg_first` keeps every register that arguments may be in while it looks the function up.
#if defined(__x86_64__)
#define JUMP(name) "jmp *slot_" name "(%rip)\n"
#define FIRST(name) "leaq slot_" name "(%rip), %r11\njmp kinema_ffmpeg_first\n"
__asm__(".text\n.hidden kinema_ffmpeg_first\nkinema_ffmpeg_first:\n"
        "pushq %rdi\npushq %rsi\npushq %rdx\npushq %rcx\npushq %r8\npushq %r9\npushq %rax\nsubq $128, %rsp\n"
        "movaps %xmm0, (%rsp)\nmovaps %xmm1, 16(%rsp)\nmovaps %xmm2, 32(%rsp)\nmovaps %xmm3, 48(%rsp)\n"
        "movaps %xmm4, 64(%rsp)\nmovaps %xmm5, 80(%rsp)\nmovaps %xmm6, 96(%rsp)\nmovaps %xmm7, 112(%rsp)\n"
        "movq %r11, %rdi\ncall kinema_ffmpeg_find\nmovq %rax, %r11\n"
        "movaps (%rsp), %xmm0\nmovaps 16(%rsp), %xmm1\nmovaps 32(%rsp), %xmm2\nmovaps 48(%rsp), %xmm3\n"
        "movaps 64(%rsp), %xmm4\nmovaps 80(%rsp), %xmm5\nmovaps 96(%rsp), %xmm6\nmovaps 112(%rsp), %xmm7\n"
        "addq $128, %rsp\npopq %rax\npopq %r9\npopq %r8\npopq %rcx\npopq %rdx\npopq %rsi\npopq %rdi\njmp *%r11\n");
#elif defined(__aarch64__)
#define JUMP(name) "adrp x16, slot_" name "\nldr x16, [x16, :lo12:slot_" name "]\nbr x16\n"
#define FIRST(name) "adrp x16, slot_" name "\nadd x16, x16, :lo12:slot_" name "\nb kinema_ffmpeg_first\n"
__asm__(".text\n.hidden kinema_ffmpeg_first\nkinema_ffmpeg_first:\n"
        "stp x29, x30, [sp, #-224]!\nmov x29, sp\nstp x0, x1, [sp, #16]\nstp x2, x3, [sp, #32]\nstp x4, x5, [sp, #48]\n"
        "stp x6, x7, [sp, #64]\nstr x8, [sp, #80]\nstp q0, q1, [sp, #96]\nstp q2, q3, [sp, #128]\n"
        "stp q4, q5, [sp, #160]\nstp q6, q7, [sp, #192]\nmov x0, x16\nbl kinema_ffmpeg_find\nmov x16, x0\n"
        "ldp q0, q1, [sp, #96]\nldp q2, q3, [sp, #128]\nldp q4, q5, [sp, #160]\nldp q6, q7, [sp, #192]\n"
        "ldp x0, x1, [sp, #16]\nldp x2, x3, [sp, #32]\nldp x4, x5, [sp, #48]\nldp x6, x7, [sp, #64]\n"
        "ldr x8, [sp, #80]\nldp x29, x30, [sp], #224\nbr x16\n");
#else
#error "FFmpeg's functions are called in x86-64 and in AArch64 only; add a jump for this processor."
#endif

#define TEXT(value) #value
// The function, what its slot first refers to, and the slot.
#define LATE(library, name)                                                                                        \
    __asm__(".text\n.hidden " #name "\n.globl " #name "\n.type " #name ", @function\n" #name ":\n" JUMP(#name)     \
            "first_" #name ":\n" FIRST(#name)                                                                      \
            ".section .rodata\nname_" #name ": .asciz \"" #name "\"\n"                                             \
            ".data\n.balign 8\nslot_" #name ": .quad first_" #name ", name_" #name ", " TEXT(library) "\n.text\n");

#define IN_UTIL(name) LATE(0, name)
#define IN_CODEC(name) LATE(1, name)
#define IN_FORMAT(name) LATE(2, name)
#define IN_SCALE(name) LATE(3, name)

IN_UTIL(av_buffer_allocz) IN_UTIL(av_buffer_create) IN_UTIL(av_buffer_ref) IN_UTIL(av_buffer_unref)
IN_UTIL(av_dict_copy) IN_UTIL(av_dict_free) IN_UTIL(av_dict_get) IN_UTIL(av_dict_set) IN_UTIL(av_frame_alloc)
IN_UTIL(av_frame_copy_props) IN_UTIL(av_frame_free) IN_UTIL(av_frame_get_buffer) IN_UTIL(av_frame_is_writable)
IN_UTIL(av_frame_unref) IN_UTIL(av_free) IN_UTIL(av_freep)
IN_UTIL(av_image_fill_linesizes) IN_UTIL(av_image_fill_plane_sizes) IN_UTIL(av_log_set_level) IN_UTIL(av_malloc)
IN_UTIL(av_mallocz) IN_UTIL(av_max_alloc) IN_UTIL(av_opt_set) IN_UTIL(av_pix_fmt_desc_get) IN_UTIL(av_sha_alloc)
IN_UTIL(av_sha_final) IN_UTIL(av_sha_init) IN_UTIL(av_sha_update) IN_UTIL(av_strstart) IN_UTIL(av_version_info)
IN_CODEC(av_new_packet) IN_CODEC(av_packet_alloc) IN_CODEC(av_packet_copy_props) IN_CODEC(av_packet_free)
IN_CODEC(av_packet_move_ref) IN_CODEC(av_packet_rescale_ts) IN_CODEC(av_packet_side_data_get) IN_CODEC(av_packet_unref)
IN_CODEC(avcodec_align_dimensions2) IN_CODEC(avcodec_alloc_context3) IN_CODEC(avcodec_default_get_buffer2)
IN_CODEC(avcodec_find_decoder) IN_CODEC(avcodec_find_encoder) IN_CODEC(avcodec_find_encoder_by_name)
IN_CODEC(avcodec_flush_buffers) IN_CODEC(avcodec_free_context)
IN_CODEC(avcodec_get_name) IN_CODEC(avcodec_open2) IN_CODEC(avcodec_parameters_alloc) IN_CODEC(avcodec_parameters_copy)
IN_CODEC(avcodec_parameters_free) IN_CODEC(avcodec_parameters_from_context) IN_CODEC(avcodec_parameters_to_context)
IN_CODEC(avcodec_receive_frame) IN_CODEC(avcodec_receive_packet) IN_CODEC(avcodec_send_frame)
IN_CODEC(avcodec_send_packet)
IN_FORMAT(av_find_best_stream) IN_FORMAT(av_find_input_format) IN_FORMAT(av_probe_input_buffer2)
IN_FORMAT(av_probe_input_format3) IN_FORMAT(av_read_frame) IN_FORMAT(av_seek_frame) IN_FORMAT(av_stream_get_side_data)
IN_FORMAT(av_write_frame) IN_FORMAT(av_write_trailer) IN_FORMAT(avformat_alloc_context)
IN_FORMAT(avformat_alloc_output_context2) IN_FORMAT(avformat_close_input) IN_FORMAT(avformat_configuration)
IN_FORMAT(avformat_find_stream_info) IN_FORMAT(avformat_free_context) IN_FORMAT(avformat_index_get_entries_count)
IN_FORMAT(avformat_index_get_entry) IN_FORMAT(avformat_new_stream) IN_FORMAT(avformat_open_input)
IN_FORMAT(avformat_write_header) IN_FORMAT(avio_alloc_context) IN_FORMAT(avio_closep) IN_FORMAT(avio_context_free)
IN_FORMAT(avio_flush) IN_FORMAT(avio_open2) IN_FORMAT(avio_read_partial) IN_FORMAT(avio_write)
IN_SCALE(sws_freeContext) IN_SCALE(sws_getCoefficients) IN_SCALE(sws_getContext) IN_SCALE(sws_scale)
IN_SCALE(sws_setColorspaceDetails)
