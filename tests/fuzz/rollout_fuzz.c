/* Any bytes as a rollout of Codex: no crash, no hang, turns that hold together, and the same turns
 * when the file is read a second time. The first byte bounds what is read of it. */
#define _GNU_SOURCE
#include "input/rollout.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define NOW_MS ((int64_t)1795957200 * 1000)
#define NAME_BYTES_MAX 256
#define ERROR_BYTES_MAX 8192

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check(const struct turn *turn)
{
    bool is_over = turn->end == TURN_ANSWERED || turn->end == TURN_FAILED;
    if (turn->id.len == 0 || turn->id.len > 2 * NAME_BYTES_MAX ||
        turn->model.len > NAME_BYTES_MAX || turn->client_version.len > NAME_BYTES_MAX ||
        turn->error.len > ERROR_BYTES_MAX || turn->context_tokens < -1 ||
        turn->context_window < -1 || turn->duration_ms < -1 || turn->session_ms < -1 ||
        turn->limit_permille < -1 || (is_over && turn->ended_ms <= 0)) {
        abort();
    }
}

static size_t read_all(struct arena *arena, int fd, size_t max_bytes)
{
    struct turns turns = {0};
    const struct rollout_terms terms = {
        .session = STR("s"), .max_bytes = max_bytes, .now_ms = NOW_MS};
    if (lseek(fd, 0, SEEK_SET) != 0) {
        abort();
    }
    rollout_read(arena, fd, &terms, &turns);
    for (size_t i = 0; i < turns.count; i++) {
        check(&turns.items[i]);
    }
    return turns.count;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    int fd = memfd_create("rollout", 0);
    struct arena *arena = arena_create();
    size_t max_bytes = size && bytes[0] % 4 == 0 ? (size_t)bytes[0] * 64 + 1 : SIZE_MAX;
    if (fd < 0 || write(fd, bytes, size) != (ssize_t)size) {
        abort();
    }
    if (read_all(arena, fd, max_bytes) != read_all(arena, fd, max_bytes)) {
        abort();
    }
    close(fd);
    arena_free(arena);
    return 0;
}
