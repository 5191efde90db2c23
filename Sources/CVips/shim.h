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

static inline int pics_vips_avifsave(VipsImage *in, VipsTarget *target, int quality, int effort) {
    return vips_heifsave_target(
        in, target, "Q", quality, "compression", VIPS_FOREIGN_HEIF_COMPRESSION_AV1, "effort", effort, "strip", TRUE,
        NULL);
}

static inline int pics_vips_pngsave(VipsImage *in, VipsTarget *target) {
    return vips_pngsave_target(in, target, "strip", TRUE, NULL);
}

// What lies in memory, made smaller; never larger with VIPS_SIZE_DOWN, to exactly this size with VIPS_SIZE_FORCE.
static inline int pics_vips_thumbnail_image(
    VipsImage *in, VipsImage **out, int width, int height, VipsInteresting crop, VipsSize size) {
    return vips_thumbnail_image(in, out, width, "height", height, "crop", crop, "size", size, NULL);
}

static inline int pics_vips_extract_area(VipsImage *in, VipsImage **out, int left, int top, int width, int height) {
    return vips_extract_area(in, out, left, top, width, height, NULL);
}

static inline int pics_vips_extract_bands(VipsImage *in, VipsImage **out, int first, int count) {
    return vips_extract_band(in, out, first, "n", count, NULL);
}

static inline int pics_vips_bandjoin2(VipsImage *first, VipsImage *second, VipsImage **out) {
    return vips_bandjoin2(first, second, out, NULL);
}

// The same pixels as an image of its own, whose metadata may be changed.
static inline int pics_vips_copy(VipsImage *in, VipsImage **out) {
    return vips_copy(in, out, NULL);
}

static inline int pics_vips_copy_as(VipsImage *in, VipsImage **out, VipsInterpretation space) {
    return vips_copy(in, out, "interpretation", space, NULL);
}

static inline int pics_vips_cast(VipsImage *in, VipsImage **out, VipsBandFormat format) {
    return vips_cast(in, out, format, NULL);
}

// The matrix leads from the input to the output.
static inline int pics_vips_affine(
    VipsImage *in, VipsImage **out, double a, double b, double c, double d, double odx, double ody,
    VipsArrayInt *area, VipsExtend extend, VipsArrayDouble *background) {
    VipsInterpolate *bicubic = vips_interpolate_new("bicubic");
    int status;
    if (!bicubic) return -1;
    status = vips_affine(
        in, out, a, b, c, d, "odx", odx, "ody", ody, "oarea", area, "background", background, "extend",
        extend, "interpolate", bicubic, NULL);
    g_object_unref(bicubic);
    return status;
}

static inline int pics_vips_rot(VipsImage *in, VipsImage **out, VipsAngle angle) {
    return vips_rot(in, out, angle, NULL);
}

static inline int pics_vips_flip(VipsImage *in, VipsImage **out, VipsDirection direction) {
    return vips_flip(in, out, direction, NULL);
}

static inline int pics_vips_recomb(VipsImage *in, VipsImage **out, VipsImage *matrix) {
    return vips_recomb(in, out, matrix, NULL);
}

static inline int pics_vips_linear(VipsImage *in, VipsImage **out, double factor, double addend, gboolean uchar) {
    return vips_linear1(in, out, factor, addend, "uchar", uchar, NULL);
}

static inline int pics_vips_maplut(VipsImage *in, VipsImage **out, VipsImage *table) {
    return vips_maplut(in, out, table, NULL);
}

static inline int pics_vips_shrink(VipsImage *in, VipsImage **out, int side) {
    return vips_shrink(in, out, side, side, "ceil", TRUE, NULL);
}

static inline int pics_vips_zoom(VipsImage *in, VipsImage **out, int side) {
    return vips_zoom(in, out, side, side, NULL);
}

static inline int pics_vips_xyz(VipsImage **out, int width, int height) {
    return vips_xyz(out, width, height, NULL);
}

static inline int pics_vips_multiply(VipsImage *first, VipsImage *second, VipsImage **out) {
    return vips_multiply(first, second, out, NULL);
}

static inline int pics_vips_add(VipsImage *first, VipsImage *second, VipsImage **out) {
    return vips_add(first, second, out, NULL);
}

static inline int pics_vips_pow(VipsImage *in, VipsImage **out, double exponent) {
    return vips_pow_const1(in, out, exponent, NULL);
}

static inline int pics_vips_embed(
    VipsImage *in, VipsImage **out, int x, int y, int width, int height, VipsArrayDouble *background) {
    return vips_embed(
        in, out, x, y, width, height, "extend", VIPS_EXTEND_BACKGROUND, "background", background, NULL);
}

// One below the other.
static inline int pics_vips_stack(VipsImage **in, VipsImage **out, int count) {
    return vips_arrayjoin(in, out, count, "across", 1, NULL);
}

static inline int pics_prctl(int option, unsigned long value) {
    return prctl(option, value, 0, 0, 0);
}
