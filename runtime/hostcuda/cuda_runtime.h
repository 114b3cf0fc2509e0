/* cuda_runtime.h: the emulation of CUDA C++, for a .cu compiled by g++ or clang++.
 *
 *     g++ -x c++ -std=c++17 -ffp-contract=off -DSTENCIL_EMULATED -I runtime/hostcuda ...
 *
 * Everything a generated kernel and its host code use is here or in the device
 * vocabulary (runtime/device); there is no <<< >>> and no __shared__ on purpose.
 * Link with libstencilemu.a and -lpthread.
 */
#ifndef STENCIL_EMU_CUDA_RUNTIME_H
#define STENCIL_EMU_CUDA_RUNTIME_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "emu_device.h"
#include "emu_warp.h"
#include "emu_atomic.h"
#include "emu_math.h"
#include "emu_launch.h"

#endif
