// The part of OpenVINO's C API that Kinema calls, as a table of function pointers filled by dlopen, so that the
// package builds on a machine without OpenVINO. Signatures are those of the headers in the `openvino` wheel 2026.4.
#ifndef KINEMA_COPENVINO_H
#define KINEMA_COPENVINO_H

#include <stddef.h>
#include <stdint.h>

typedef struct kov_core kov_core;
typedef struct kov_model kov_model;
typedef struct kov_compiled kov_compiled;
typedef struct kov_request kov_request;
typedef struct kov_tensor kov_tensor;

/// How the picture's bytes (RGB, interleaved) become the model's numbers: (byte - mean) / scale; convert = 0 leaves the
/// input as it is. `channels` is 1 for one mean and scale, 3 for one of each channel in the model's order. With
/// `reverses` the model takes BGR, with `is_planar` one plane a channel. `shape` replaces a dynamic input's shape unless
/// `rank`, the number of its sizes, is 0. With float_outputs every output leaves as f32, whatever the model computes in; 8-bit steps
/// stay whole numbers.
typedef struct {
    int32_t convert;
    int32_t channels;
    float mean[3];
    float scale[3];
    int32_t reverses;
    int32_t is_planar;
    int32_t float_outputs;
    int32_t rank;
    int64_t shape[8];
} kov_conversion;

/// An input or output of a model: sizes that are not fixed are -1, as is an unknown rank.
typedef struct {
    char name[128];
    int32_t type;
    int32_t rank;
    int64_t dims[8];
} kov_port;

/// A tensor's memory: `type` is OpenVINO's element type (4 = f32, 16 = u8), `dims` holds `rank` sizes.
typedef struct {
    void *data;
    size_t byte_size;
    int32_t type;
    int32_t rank;
    int64_t dims[8];
} kov_view;

/// Opens the library at `path` and fills the table. Returns 0, or -1 with one line in `error`.
int kov_open(const char *path, char *error, size_t error_size);

/// OpenVINO's own version text, written into `text`.
int kov_version(char *text, size_t size);

/// OpenVINO's last error message of this thread, as one line.
const char *kov_last_error(void);

int kov_core_create(kov_core **core);
void kov_core_free(kov_core *core);

/// A property of a device as text, written into `text`.
int kov_core_property(kov_core *core, const char *device, const char *key, char *text, size_t size);

/// Sets a property of a device, for every model compiled or imported by this core afterwards.
int kov_core_set(kov_core *core, const char *device, const char *key, const char *value);

/// The devices that models can run on, with a space between them, written into `text`.
int kov_devices(kov_core *core, char *text, size_t size);

/// Reads the model file at `path` and describes its inputs and outputs; the counts are the arrays' sizes on entry and
/// the model's on return.
int kov_inspect(kov_core *core, const char *path, kov_port *inputs, size_t *input_count, kov_port *outputs,
                size_t *output_count);

/// Reads the model file at `path` and compiles it for `device`.
int kov_compile(kov_core *core, const char *path, const char *device, kov_conversion conversion,
                kov_compiled **compiled);

/// Takes up a compiled model from what `kov_export` wrote. The bytes must outlive the compiled model, which goes on
/// reading them.
int kov_import(kov_core *core, const void *bytes, size_t size, const char *device, kov_compiled **compiled);

/// Writes a compiled model into a file.
int kov_export(kov_compiled *compiled, const char *path);
void kov_compiled_free(kov_compiled *compiled);

/// A property of a compiled model as text, written into `text`.
int kov_compiled_property(kov_compiled *compiled, const char *key, char *text, size_t size);

int kov_request_create(kov_compiled *compiled, kov_request **request);
void kov_request_free(kov_request *request);
int kov_request_infer(kov_request *request);

/// The request's own input tensor number `index`. The tensor must be freed; the memory stays the request's.
int kov_request_input(kov_request *request, size_t index, kov_tensor **tensor, kov_view *view);

/// The request's own output tensor of that name. The tensor must be freed; the memory stays the request's.
int kov_request_output(kov_request *request, const char *name, kov_tensor **tensor, kov_view *view);

/// The request's own output tensor number `index`, whose shape may change with each run. The tensor must be freed.
int kov_request_output_at(kov_request *request, size_t index, kov_tensor **tensor, kov_view *view);
void kov_tensor_free(kov_tensor *tensor);

#endif
