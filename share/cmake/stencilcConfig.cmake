# stencilcConfig.cmake: stencil programs in CMake projects.
#
#   find_package(stencilc REQUIRED)
#   stencilc_add_library(cooling HOST cooling.st)          # NAME_host, C with OpenMP
#   stencilc_add_library(cooling_gpu CUDA cooling.st)      # NAME, CUDA C
#   target_link_libraries(program PRIVATE cooling)
#
# stencilc_add_library(TARGET HOST|CUDA FILE.st ... [OPTIONS option ...]) makes a
# static library of what stencilc makes of the files.  The headers and the
# run-time library come with it; imports are dependencies.  CUDA needs the language
# enabled: project(... LANGUAGES C CUDA).

get_filename_component(stencilc_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
find_program(STENCILC_EXECUTABLE stencilc HINTS "${stencilc_PREFIX}/bin")
find_library(STENCILC_RUNTIME stencilrt HINTS "${stencilc_PREFIX}/lib")
find_path(STENCILC_INCLUDE_DIR stencilrt.h HINTS "${stencilc_PREFIX}/include")
find_path(STENCILC_DEVICE_DIR stencil_kernel.h
	HINTS "${stencilc_PREFIX}/share/stencilc/device")
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(stencilc REQUIRED_VARS
	STENCILC_EXECUTABLE STENCILC_RUNTIME STENCILC_INCLUDE_DIR STENCILC_DEVICE_DIR)

function(stencilc_add_library target kind)
	cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "OPTIONS")
	if(kind STREQUAL "HOST")
		set(suffix c)
		set(flags -ffp-contract=off -fopenmp)
	elseif(kind STREQUAL "CUDA")
		set(suffix cu)
		set(flags -fmad=false -Xcompiler=-ffp-contract=off)
	else()
		message(FATAL_ERROR "stencilc_add_library: ${kind} is neither HOST nor CUDA")
	endif()
	get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
	if(kind STREQUAL "CUDA" AND NOT "CUDA" IN_LIST languages)
		message(FATAL_ERROR "stencilc_add_library(${target} CUDA ...): the project has no "
			"CUDA: write project(... LANGUAGES C CUDA), or enable_language(CUDA)")
	endif()
	string(TOLOWER "${kind}" language)
	set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}.stencil")
	file(MAKE_DIRECTORY "${folder}")
	set(outputs)
	foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
		get_filename_component(source "${source}" ABSOLUTE)
		get_filename_component(base "${source}" NAME_WLE)
		set(output "${folder}/${base}.${suffix}")
		add_custom_command(OUTPUT "${output}" "${folder}/${base}.h"
			COMMAND "${STENCILC_EXECUTABLE}" ${arg_OPTIONS} --target=${language}
				-MD -MF "${output}.d" -o "${output}" "${source}"
			DEPENDS "${source}" "${STENCILC_EXECUTABLE}"
			DEPFILE "${output}.d" VERBATIM)
		list(APPEND outputs "${output}" "${folder}/${base}.h")
	endforeach()
	add_library(${target} STATIC ${outputs})
	target_compile_options(${target} PRIVATE ${flags})
	target_include_directories(${target}
		PUBLIC "${folder}" "${STENCILC_INCLUDE_DIR}" PRIVATE "${STENCILC_DEVICE_DIR}")
	target_link_libraries(${target} PUBLIC "${STENCILC_RUNTIME}" m)
	if(kind STREQUAL "HOST")
		target_link_options(${target} PUBLIC -fopenmp)
		set_target_properties(${target} PROPERTIES C_STANDARD 11 C_EXTENSIONS ON)
	else()
		set_target_properties(${target} PROPERTIES CUDA_STANDARD 17)
	endif()
endfunction()
