#define _GNU_SOURCE
#include "copenvino.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

// Opaque and plain types of OpenVINO's C API.
typedef struct { int64_t rank; int64_t *dims; } ov_shape;
typedef struct { const char *build; const char *description; } ov_version;
typedef struct { int64_t min; int64_t max; } ov_dimension;
typedef struct { ov_dimension rank; ov_dimension *dims; } ov_partial_shape;
typedef struct { char **devices; size_t size; } ov_devices;
typedef void ov_any;
#define OV_F32 4
#define OV_U8 16

static struct {
    int (*get_version)(ov_version *);
    void (*version_free)(ov_version *);
    const char *(*last_error)(void);
    void (*free_text)(const char *);
    int (*core_create)(kov_core **);
    void (*core_free)(kov_core *);
    int (*core_get_property)(const kov_core *, const char *, const char *, char **);
    int (*core_set_property)(const kov_core *, const char *, ...);
    int (*core_read_model)(const kov_core *, const char *, const char *, kov_model **);
    int (*core_compile)(const kov_core *, const kov_model *, const char *, size_t, kov_compiled **, ...);
    int (*core_import)(const kov_core *, const char *, size_t, const char *, kov_compiled **);
    int (*compiled_export)(const kov_compiled *, const char *);
    void (*model_free)(kov_model *);
    int (*ppp_create)(const kov_model *, ov_any **);
    void (*ppp_free)(ov_any *);
    int (*ppp_input)(const ov_any *, size_t, ov_any **);
    void (*ppp_input_free)(ov_any *);
    int (*ppp_tensor)(const ov_any *, ov_any **);
    void (*ppp_tensor_free)(ov_any *);
    int (*ppp_set_type)(ov_any *, int);
    int (*ppp_steps)(const ov_any *, ov_any **);
    void (*ppp_steps_free)(ov_any *);
    int (*ppp_convert)(ov_any *, int);
    int (*ppp_mean)(ov_any *, float);
    int (*ppp_scale)(ov_any *, float);
    int (*ppp_output)(const ov_any *, size_t, ov_any **);
    void (*ppp_output_free)(ov_any *);
    int (*ppp_output_tensor)(const ov_any *, ov_any **);
    void (*ppp_output_tensor_free)(ov_any *);
    int (*ppp_output_set_type)(ov_any *, int);
    int (*ppp_mean_each)(ov_any *, const float *, int32_t);
    int (*ppp_scale_each)(ov_any *, const float *, int32_t);
    int (*ppp_reverse)(ov_any *);
    int (*ppp_tensor_layout)(ov_any *, ov_any *);
    int (*ppp_model)(const ov_any *, ov_any **);
    void (*ppp_model_free)(ov_any *);
    int (*ppp_model_layout)(ov_any *, ov_any *);
    int (*layout_create)(const char *, ov_any **);
    void (*layout_free)(ov_any *);
    int (*available_devices)(const kov_core *, ov_devices *);
    void (*devices_free)(ov_devices *);
    int (*model_inputs)(const kov_model *, size_t *);
    int (*model_outputs)(const kov_model *, size_t *);
    int (*model_input)(const kov_model *, size_t, ov_any **);
    int (*model_output)(const kov_model *, size_t, ov_any **);
    int (*model_reshape)(const kov_model *, ov_partial_shape);
    int (*port_name)(const ov_any *, char **);
    int (*port_shape)(const ov_any *, ov_partial_shape *);
    int (*port_type)(const ov_any *, int *);
    void (*port_free)(ov_any *);
    int (*partial_shape_create)(int64_t, const int64_t *, ov_partial_shape *);
    void (*partial_shape_free)(ov_partial_shape *);
    int (*ppp_build)(const ov_any *, kov_model **);
    void (*compiled_free)(kov_compiled *);
    int (*compiled_get_property)(const kov_compiled *, const char *, char **);
    int (*compiled_request)(const kov_compiled *, kov_request **);
    void (*request_free)(kov_request *);
    int (*request_infer)(kov_request *);
    int (*request_input)(const kov_request *, size_t, kov_tensor **);
    int (*request_tensor)(const kov_request *, const char *, kov_tensor **);
    int (*request_output)(const kov_request *, size_t, kov_tensor **);
    void (*tensor_free)(kov_tensor *);
    int (*tensor_shape)(const kov_tensor *, ov_shape *);
    int (*tensor_type)(const kov_tensor *, int *);
    int (*tensor_bytes)(const kov_tensor *, size_t *);
    int (*tensor_data)(const kov_tensor *, void **);
    int (*shape_free)(ov_shape *);
} ov;

static int find(void *library, void **slot, const char *name, char *error, size_t size) {
    *slot = dlsym(library, name);
    if (*slot == NULL) snprintf(error, size, "it has no function %s, so it is not the version expected", name);
    return *slot == NULL ? -1 : 0;
}

int kov_open(const char *path, char *error, size_t error_size) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        snprintf(error, error_size, "%s", dlerror());
        return -1;
    }
    const struct { void **slot; const char *name; } wanted[] = {
        {(void **)&ov.get_version, "ov_get_openvino_version"},
        {(void **)&ov.version_free, "ov_version_free"},
        {(void **)&ov.last_error, "ov_get_last_err_msg"},
        {(void **)&ov.free_text, "ov_free"},
        {(void **)&ov.core_create, "ov_core_create"},
        {(void **)&ov.core_free, "ov_core_free"},
        {(void **)&ov.core_get_property, "ov_core_get_property"},
        {(void **)&ov.core_set_property, "ov_core_set_property"},
        {(void **)&ov.core_read_model, "ov_core_read_model"},
        {(void **)&ov.core_compile, "ov_core_compile_model"},
        {(void **)&ov.core_import, "ov_core_import_model"},
        {(void **)&ov.compiled_export, "ov_compiled_model_export_model"},
        {(void **)&ov.model_free, "ov_model_free"},
        {(void **)&ov.ppp_create, "ov_preprocess_prepostprocessor_create"},
        {(void **)&ov.ppp_free, "ov_preprocess_prepostprocessor_free"},
        {(void **)&ov.ppp_input, "ov_preprocess_prepostprocessor_get_input_info_by_index"},
        {(void **)&ov.ppp_input_free, "ov_preprocess_input_info_free"},
        {(void **)&ov.ppp_tensor, "ov_preprocess_input_info_get_tensor_info"},
        {(void **)&ov.ppp_tensor_free, "ov_preprocess_input_tensor_info_free"},
        {(void **)&ov.ppp_set_type, "ov_preprocess_input_tensor_info_set_element_type"},
        {(void **)&ov.ppp_steps, "ov_preprocess_input_info_get_preprocess_steps"},
        {(void **)&ov.ppp_steps_free, "ov_preprocess_preprocess_steps_free"},
        {(void **)&ov.ppp_convert, "ov_preprocess_preprocess_steps_convert_element_type"},
        {(void **)&ov.ppp_mean, "ov_preprocess_preprocess_steps_mean"},
        {(void **)&ov.ppp_scale, "ov_preprocess_preprocess_steps_scale"},
        {(void **)&ov.ppp_output, "ov_preprocess_prepostprocessor_get_output_info_by_index"},
        {(void **)&ov.ppp_output_free, "ov_preprocess_output_info_free"},
        {(void **)&ov.ppp_output_tensor, "ov_preprocess_output_info_get_tensor_info"},
        {(void **)&ov.ppp_output_tensor_free, "ov_preprocess_output_tensor_info_free"},
        {(void **)&ov.ppp_output_set_type, "ov_preprocess_output_set_element_type"},
        {(void **)&ov.ppp_mean_each, "ov_preprocess_preprocess_steps_mean_multi_channels"},
        {(void **)&ov.ppp_scale_each, "ov_preprocess_preprocess_steps_scale_multi_channels"},
        {(void **)&ov.ppp_reverse, "ov_preprocess_preprocess_steps_reverse_channels"},
        {(void **)&ov.ppp_tensor_layout, "ov_preprocess_input_tensor_info_set_layout"},
        {(void **)&ov.ppp_model, "ov_preprocess_input_info_get_model_info"},
        {(void **)&ov.ppp_model_free, "ov_preprocess_input_model_info_free"},
        {(void **)&ov.ppp_model_layout, "ov_preprocess_input_model_info_set_layout"},
        {(void **)&ov.layout_create, "ov_layout_create"},
        {(void **)&ov.layout_free, "ov_layout_free"},
        {(void **)&ov.available_devices, "ov_core_get_available_devices"},
        {(void **)&ov.devices_free, "ov_available_devices_free"},
        {(void **)&ov.model_inputs, "ov_model_inputs_size"},
        {(void **)&ov.model_outputs, "ov_model_outputs_size"},
        {(void **)&ov.model_input, "ov_model_const_input_by_index"},
        {(void **)&ov.model_output, "ov_model_const_output_by_index"},
        {(void **)&ov.model_reshape, "ov_model_reshape_single_input"},
        {(void **)&ov.port_name, "ov_port_get_any_name"},
        {(void **)&ov.port_shape, "ov_port_get_partial_shape"},
        {(void **)&ov.port_type, "ov_port_get_element_type"},
        {(void **)&ov.port_free, "ov_output_const_port_free"},
        {(void **)&ov.partial_shape_create, "ov_partial_shape_create_static"},
        {(void **)&ov.partial_shape_free, "ov_partial_shape_free"},
        {(void **)&ov.ppp_build, "ov_preprocess_prepostprocessor_build"},
        {(void **)&ov.compiled_free, "ov_compiled_model_free"},
        {(void **)&ov.compiled_get_property, "ov_compiled_model_get_property"},
        {(void **)&ov.compiled_request, "ov_compiled_model_create_infer_request"},
        {(void **)&ov.request_free, "ov_infer_request_free"},
        {(void **)&ov.request_infer, "ov_infer_request_infer"},
        {(void **)&ov.request_input, "ov_infer_request_get_input_tensor_by_index"},
        {(void **)&ov.request_tensor, "ov_infer_request_get_tensor"},
        {(void **)&ov.request_output, "ov_infer_request_get_output_tensor_by_index"},
        {(void **)&ov.tensor_free, "ov_tensor_free"},
        {(void **)&ov.tensor_shape, "ov_tensor_get_shape"},
        {(void **)&ov.tensor_type, "ov_tensor_get_element_type"},
        {(void **)&ov.tensor_bytes, "ov_tensor_get_byte_size"},
        {(void **)&ov.tensor_data, "ov_tensor_data"},
        {(void **)&ov.shape_free, "ov_shape_free"},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        if (find(library, wanted[i].slot, wanted[i].name, error, error_size) != 0) return -1;
    return 0;
}

int kov_version(char *text, size_t size) {
    ov_version version = {0};
    int status = ov.get_version(&version);
    if (status == 0) {
        snprintf(text, size, "%s", version.build);
        ov.version_free(&version);
    }
    return status;
}

const char *kov_last_error(void) { return ov.last_error(); }
int kov_core_create(kov_core **core) { return ov.core_create(core); }
void kov_core_free(kov_core *core) { ov.core_free(core); }

static int copy_text(int status, char *value, char *text, size_t size) {
    if (status != 0) return status;
    snprintf(text, size, "%s", value);
    ov.free_text(value);
    return 0;
}

int kov_core_property(kov_core *core, const char *device, const char *key, char *text, size_t size) {
    char *value = NULL;
    return copy_text(ov.core_get_property(core, device, key, &value), value, text, size);
}

int kov_core_set(kov_core *core, const char *device, const char *key, const char *value) {
    return ov.core_set_property(core, device, key, value);
}

int kov_devices(kov_core *core, char *text, size_t size) {
    ov_devices devices = {0};
    int status = ov.available_devices(core, &devices);
    if (status != 0) return status;
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < devices.size && used + 1 < size; i++) {
        int count = snprintf(text + used, size - used, "%s%s", i ? " " : "", devices.devices[i]);
        used += count > 0 ? (size_t)count : 0;
    }
    ov.devices_free(&devices);
    return 0;
}

static int describe(ov_any *port, kov_port *result) {
    ov_partial_shape shape = {0};
    char *name = NULL;
    int type = 0;
    memset(result, 0, sizeof *result);
    // An output need not have a name.
    if (ov.port_name(port, &name) == 0) copy_text(0, name, result->name, sizeof result->name);
    int status = ov.port_type(port, &type);
    if (status == 0) status = ov.port_shape(port, &shape);
    if (status != 0) return status;
    result->type = type;
    result->rank = shape.rank.min == shape.rank.max && shape.rank.min <= 8 ? (int32_t)shape.rank.min : -1;
    for (int i = 0; i < result->rank; i++)
        result->dims[i] = shape.dims[i].min == shape.dims[i].max ? shape.dims[i].min : -1;
    ov.partial_shape_free(&shape);
    return 0;
}

static int describe_all(kov_model *model, int (*port)(const kov_model *, size_t, ov_any **), kov_port *ports,
                        size_t count) {
    int status = 0;
    for (size_t i = 0; i < count && status == 0; i++) {
        ov_any *one = NULL;
        status = port(model, i, &one);
        if (status == 0) status = describe(one, &ports[i]);
        if (one) ov.port_free(one);
    }
    return status;
}

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

int kov_inspect(kov_core *core, const char *path, kov_port *inputs, size_t *input_count, kov_port *outputs,
                size_t *output_count) {
    kov_model *model = NULL;
    size_t in = 0, out = 0;
    int status = ov.core_read_model(core, path, NULL, &model);
    if (status == 0) status = ov.model_inputs(model, &in);
    if (status == 0) status = ov.model_outputs(model, &out);
    if (status == 0) status = describe_all(model, ov.model_input, inputs, smaller(in, *input_count));
    if (status == 0) status = describe_all(model, ov.model_output, outputs, smaller(out, *output_count));
    if (model) ov.model_free(model);
    *input_count = in;
    *output_count = out;
    return status;
}

// Where the channels lie must be known to normalise or reverse them one by one, and to turn the picture into planes.
static int set_layouts(ov_any *info, ov_any *tensor, kov_conversion conversion) {
    ov_any *packed = NULL, *planes = NULL, *model = NULL;
    int status = ov.layout_create("NHWC", &packed);
    if (status == 0) status = ov.layout_create("NCHW", &planes);
    if (status == 0) status = ov.ppp_tensor_layout(tensor, packed);
    if (status == 0) status = ov.ppp_model(info, &model);
    if (status == 0) status = ov.ppp_model_layout(model, conversion.is_planar ? planes : packed);
    if (model) ov.ppp_model_free(model);
    if (planes) ov.layout_free(planes);
    if (packed) ov.layout_free(packed);
    return status;
}

static int normalise(ov_any *info, kov_conversion conversion) {
    ov_any *steps = NULL;
    int has_each = conversion.channels == 3;
    int status = ov.ppp_steps(info, &steps);
    if (status == 0) status = ov.ppp_convert(steps, OV_F32);
    if (status == 0 && conversion.reverses) status = ov.ppp_reverse(steps);
    if (status == 0 && has_each) status = ov.ppp_mean_each(steps, conversion.mean, 3);
    if (status == 0 && has_each) status = ov.ppp_scale_each(steps, conversion.scale, 3);
    if (status == 0 && !has_each && conversion.mean[0] != 0) status = ov.ppp_mean(steps, conversion.mean[0]);
    if (status == 0 && !has_each && conversion.scale[0] != 1) status = ov.ppp_scale(steps, conversion.scale[0]);
    if (steps) ov.ppp_steps_free(steps);
    return status;
}

// The model takes bytes and turns them into numbers inside the graph, where it costs next to nothing.
static int take_bytes(ov_any *ppp, kov_conversion conversion) {
    ov_any *info = NULL, *tensor = NULL;
    int is_identity = conversion.channels == 1 && conversion.mean[0] == 0 && conversion.scale[0] == 1;
    int status = ov.ppp_input(ppp, 0, &info);
    if (status == 0) status = ov.ppp_tensor(info, &tensor);
    if (status == 0) status = ov.ppp_set_type(tensor, OV_U8);
    if (status == 0 && (conversion.is_planar || conversion.reverses || conversion.channels == 3))
        status = set_layouts(info, tensor, conversion);
    if (status == 0 && (!is_identity || conversion.reverses)) status = normalise(info, conversion);
    if (tensor) ov.ppp_tensor_free(tensor);
    if (info) ov.ppp_input_free(info);
    return status;
}

static int reshape(kov_model *model, kov_conversion conversion) {
    ov_partial_shape shape = {0};
    int status = ov.partial_shape_create(conversion.rank, conversion.shape, &shape);
    if (status == 0) status = ov.model_reshape(model, shape);
    if (shape.dims) ov.partial_shape_free(&shape);
    return status;
}

static int give_floats(ov_any *ppp, size_t count) {
    int status = 0;
    for (size_t i = 0; i < count && status == 0; i++) {
        ov_any *info = NULL, *tensor = NULL;
        status = ov.ppp_output(ppp, i, &info);
        if (status == 0) status = ov.ppp_output_tensor(info, &tensor);
        if (status == 0) status = ov.ppp_output_set_type(tensor, OV_F32);
        if (tensor) ov.ppp_output_tensor_free(tensor);
        if (info) ov.ppp_output_free(info);
    }
    return status;
}

static int convert(kov_model **model, kov_conversion conversion) {
    ov_any *ppp = NULL;
    kov_model *built = NULL;
    size_t outputs = 0;
    int status = ov.ppp_create(*model, &ppp);
    if (status == 0 && conversion.convert) status = take_bytes(ppp, conversion);
    if (status == 0 && conversion.float_outputs) status = ov.model_outputs(*model, &outputs);
    if (status == 0) status = give_floats(ppp, outputs);
    if (status == 0) status = ov.ppp_build(ppp, &built);
    if (ppp) ov.ppp_free(ppp);
    if (status == 0) {
        ov.model_free(*model);
        *model = built;
    }
    return status;
}

int kov_compile(kov_core *core, const char *path, const char *device, kov_conversion conversion,
                kov_compiled **compiled) {
    kov_model *model = NULL;
    int status = ov.core_read_model(core, path, NULL, &model);
    if (status == 0 && conversion.rank > 0) status = reshape(model, conversion);
    if (status == 0) status = convert(&model, conversion);
    if (status == 0) status = ov.core_compile(core, model, device, 0, compiled);
    if (model) ov.model_free(model);
    return status;
}

int kov_import(kov_core *core, const void *bytes, size_t size, const char *device, kov_compiled **compiled) {
    return ov.core_import(core, bytes, size, device, compiled);
}

int kov_export(kov_compiled *compiled, const char *path) { return ov.compiled_export(compiled, path); }

void kov_compiled_free(kov_compiled *compiled) { ov.compiled_free(compiled); }

int kov_compiled_property(kov_compiled *compiled, const char *key, char *text, size_t size) {
    char *value = NULL;
    return copy_text(ov.compiled_get_property(compiled, key, &value), value, text, size);
}

int kov_request_create(kov_compiled *compiled, kov_request **request) { return ov.compiled_request(compiled, request); }
void kov_request_free(kov_request *request) { ov.request_free(request); }
int kov_request_infer(kov_request *request) { return ov.request_infer(request); }

static int look_into(kov_tensor *tensor, kov_view *view) {
    ov_shape shape = {0};
    int type = 0;
    int status = ov.tensor_data(tensor, &view->data);
    if (status == 0) status = ov.tensor_bytes(tensor, &view->byte_size);
    if (status == 0) status = ov.tensor_type(tensor, &type);
    if (status == 0) status = ov.tensor_shape(tensor, &shape);
    if (status != 0) return status;
    view->type = type;
    view->rank = (int32_t)(shape.rank > 8 ? 8 : shape.rank);
    for (int i = 0; i < view->rank; i++) view->dims[i] = shape.dims[i];
    ov.shape_free(&shape);
    return 0;
}

int kov_request_input(kov_request *request, size_t index, kov_tensor **tensor, kov_view *view) {
    int status = ov.request_input(request, index, tensor);
    return status != 0 ? status : look_into(*tensor, view);
}

int kov_request_output(kov_request *request, const char *name, kov_tensor **tensor, kov_view *view) {
    int status = ov.request_tensor(request, name, tensor);
    return status != 0 ? status : look_into(*tensor, view);
}

int kov_request_output_at(kov_request *request, size_t index, kov_tensor **tensor, kov_view *view) {
    int status = ov.request_output(request, index, tensor);
    return status != 0 ? status : look_into(*tensor, view);
}

void kov_tensor_free(kov_tensor *tensor) { ov.tensor_free(tensor); }
