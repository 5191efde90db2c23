#pragma once
#include <sys/prctl.h>
#include <vips/vips.h>

// Swift cannot call variadic C functions: one wrapper for each one that is needed, with the options it is needed with.

static inline VipsImage *pics_vips_open(VipsSource *source) {
    return vips_image_new_from_source(source, "", NULL);
}

static inline int pics_vips_thumbnail(
    VipsSource *source, VipsImage **out, int width, int height, VipsInteresting crop, const char *loader_options,
    const char *export_profile) {
    return vips_thumbnail_source(
        source, out, width, "height", height, "crop", crop, "option_string", loader_options, "size", VIPS_SIZE_DOWN,
        "export_profile", export_profile, NULL);
}

static inline int pics_vips_colourspace(VipsImage *in, VipsImage **out, VipsInterpretation space) {
    return vips_colourspace(in, out, space, NULL);
}

static inline int pics_vips_flatten(VipsImage *in, VipsImage **out, VipsArrayDouble *background) {
    return vips_flatten(in, out, "background", background, NULL);
}

static inline int pics_vips_jpegsave(VipsImage *in, VipsTarget *target, int quality) {
    return vips_jpegsave_target(in, target, "Q", quality, "optimize_coding", TRUE, "strip", TRUE, NULL);
}

static inline int pics_vips_webpsave(VipsImage *in, VipsTarget *target, int quality) {
    return vips_webpsave_target(in, target, "Q", quality, "strip", TRUE, NULL);
}

static inline int pics_vips_pngsave(VipsImage *in, VipsTarget *target) {
    return vips_pngsave_target(in, target, "strip", TRUE, NULL);
}

static inline int pics_prctl(int option, unsigned long value) {
    return prctl(option, value, 0, 0, 0);
}
