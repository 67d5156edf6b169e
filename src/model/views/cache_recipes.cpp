#include "model/views/cache_recipes.hpp"

#include <array>

namespace posenc::model {
namespace {

using math::bf16_format;
using math::f16_format;
using math::f32_format;
using math::f64_format;
using From = math::Stages::Recurrence;

const std::array all{
    CacheRecipe{"exact values", {}},
    CacheRecipe{"computed in float64", {.frequency = &f64_format, .angle = &f64_format}},
    CacheRecipe{"computed in float32", {.frequency = &f32_format, .angle = &f32_format}},
    CacheRecipe{"frequencies in float32, the rest in float64", {.frequency = &f32_format, .angle = &f64_format}},
    CacheRecipe{"frequencies in float64, angles rounded to float32", {.frequency = &f64_format, .angle = &f32_format}},
    CacheRecipe{"positions rounded to bfloat16, the rest in float32",
                {.frequency = &f32_format, .position = &bf16_format, .angle = &f32_format}},
    CacheRecipe{"positions rounded to float16, the rest in float32",
                {.frequency = &f32_format, .position = &f16_format, .angle = &f32_format}},
    CacheRecipe{"frequencies rounded to bfloat16, the rest in float32", {.frequency = &bf16_format, .angle = &f32_format}},
    CacheRecipe{"frequencies rounded to float16, the rest in float32", {.frequency = &f16_format, .angle = &f32_format}},
    CacheRecipe{"angles rounded to bfloat16", {.frequency = &f32_format, .angle = &bf16_format}},
    CacheRecipe{"angles rounded to float16", {.frequency = &f32_format, .angle = &f16_format}},
    CacheRecipe{"frequencies and positions rounded to bfloat16, angles in float32",
                {.frequency = &bf16_format, .position = &bf16_format, .angle = &f32_format}},
    CacheRecipe{"frequencies and positions rounded to float16, angles in float32",
                {.frequency = &f16_format, .position = &f16_format, .angle = &f32_format}},
    CacheRecipe{"frequencies, positions and angles rounded to bfloat16",
                {.frequency = &bf16_format, .position = &bf16_format, .angle = &bf16_format}},
    CacheRecipe{"frequencies, positions and angles rounded to float16",
                {.frequency = &f16_format, .position = &f16_format, .angle = &f16_format}},
    CacheRecipe{"frequencies by float32 products from the first", {.recurrence = From::frequency}},
    CacheRecipe{"angles by float32 products from the position", {.recurrence = From::angle}},
};

}  // namespace

std::span<const CacheRecipe> cache_recipes() { return all; }

}  // namespace posenc::model
