// SPDX-License-Identifier: GPL-2.0-or-later
// A TCG plugin: counts the guest's instructions, all of them and those in kernel modules, and prints
// what was counted since the last mark whenever the guest runs a mark (see echo.c). The functions are
// those of QEMU's plugin interface, version 1, whose header distributions do not package.
#include <glib.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef struct qemu_info qemu_info_t;

extern void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
                                                  void (*cb)(qemu_plugin_id_t,
                                                             struct qemu_plugin_tb *));
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
extern struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t idx);
extern const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
extern size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
extern uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
extern void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *insn, int op, void *ptr,
                                                       uint64_t imm);
extern void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
                                                   void (*cb)(unsigned int, void *), int flags,
                                                   void *data);
extern void qemu_plugin_outs(const char *text);

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

static const uint64_t modules = 0xffffffffc0000000; // x86-64: MODULES_VADDR without KASLR's 1 GiB more
static const uint8_t mark[] = { 0x0f, 0x1f, 0x80, 0x76, 0x6e, 0x65, 0x74 };
static uint64_t count_all, count_modules;

static void on_mark(unsigned int cpu, void *data)
{
    static uint64_t last_all, last_modules;
    g_autofree char *line = g_strdup_printf("%" PRIu64 " %" PRIu64 "\n", count_all - last_all,
                                            count_modules - last_modules);

    (void)cpu;
    (void)data;
    qemu_plugin_outs(line);
    last_all = count_all;
    last_modules = count_modules;
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);

        qemu_plugin_register_vcpu_insn_exec_inline(insn, 0, &count_all, 1);
        if (qemu_plugin_insn_vaddr(insn) >= modules) {
            qemu_plugin_register_vcpu_insn_exec_inline(insn, 0, &count_modules, 1);
        }
        if (qemu_plugin_insn_size(insn) == sizeof(mark) &&
            memcmp(qemu_plugin_insn_data(insn), mark, sizeof(mark)) == 0) {
            qemu_plugin_register_vcpu_insn_exec_cb(insn, on_mark, 0, NULL);
        }
    }
}

__attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id,
                                                               const qemu_info_t *info, int argc,
                                                               char **argv)
{
    (void)info;
    (void)argc;
    (void)argv;
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
    return 0;
}
