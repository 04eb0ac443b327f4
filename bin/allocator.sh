# Sourced by bin/pippin and scripts/run.sh: how glibc hands out memory. Other C libraries do not read these names.
#
# The API keeps many small bodies for long, among large buffers that live for a moment. Left alone glibc learns to cut the
# large ones out of the same pages (it raises its threshold with each that is freed), and what is free again stays ours.
: "${MALLOC_MMAP_THRESHOLD_:=131072}" "${MALLOC_ARENA_MAX:=2}"
export MALLOC_MMAP_THRESHOLD_ MALLOC_ARENA_MAX
