/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The arguments of QEMU's trace events: built-in rows, and files that the user names.
 */
#include "qemu_events.h"

#include <string.h>

/*
 * Signatures of QEMU 7.2 to 10.2, from accel/kvm/trace-events and
 * hw/{virtio,net,block,scsi,char}/trace-events.
 * Where versions differ in the number of arguments the newest row comes first.
 */
static const char *const builtin[] = {
    "virtqueue_alloc_element(void *elem, size_t sz, unsigned in_num, unsigned out_num)",
    "virtqueue_fill(void *vq, const void *elem, unsigned int len, unsigned int idx)",
    "virtqueue_flush(void *vq, unsigned int count)",
    "virtqueue_pop(void *vq, void *elem, unsigned int in_num, unsigned int out_num)",
    "virtio_queue_notify(void *vdev, int n, void *vq)",
    "virtio_notify_irqfd(void *vdev, void *vq)",
    "virtio_notify(void *vdev, void *vq)",
    "virtio_notify_irqfd_deferred_fn(void *vdev, void *vq)",
    "virtio_set_status(void *vdev, uint8_t val)",
    "virtio_net_announce_notify(void)",
    "virtio_net_announce_timer(int round)",
    "virtio_net_handle_announce(int round)",
    "virtio_net_post_load_device(void)",
    "virtio_net_rss_disable(void *nic)",
    "virtio_net_rss_disable(void)",
    "virtio_net_rss_error(void *nic, const char *msg, uint32_t value)",
    "virtio_net_rss_error(const char *msg, uint32_t value)",
    "virtio_net_rss_enable(void *nic, uint32_t p1, uint16_t p2, uint8_t p3)",
    "virtio_net_rss_enable(uint32_t p1, uint16_t p2, uint8_t p3)",
    "virtio_net_rss_load(void *nic, size_t nfds, void *fds)",
    "virtio_net_rss_attach_ebpf(void *nic, int prog_fd)",
    "virtio_blk_req_complete(void *vdev, void *req, int status)",
    "virtio_blk_rw_complete(void *vdev, void *req, int ret)",
    "virtio_blk_handle_write(void *vdev, void *req, uint64_t sector, size_t nsectors)",
    "virtio_blk_handle_read(void *vdev, void *req, uint64_t sector, size_t nsectors)",
    "virtio_blk_submit_multireq(void *vdev, void *mrb, int start, int num_reqs, "
    "uint64_t offset, size_t size, bool is_write)",
    "virtio_blk_data_plane_start(void *s)",
    "virtio_blk_data_plane_stop(void *s)",
    "virtio_blk_zone_report_complete(void *vdev, void *req, unsigned int nr_zones, int ret)",
    "virtio_blk_zone_mgmt_complete(void *vdev, void *req, int ret)",
    "virtio_blk_zone_append_complete(void *vdev, void *req, int64_t sector, int ret)",
    "virtio_blk_handle_zone_report(void *vdev, void *req, int64_t sector, unsigned int nr_zones)",
    "virtio_blk_handle_zone_mgmt(void *vdev, void *req, uint8_t op, int64_t sector, int64_t len)",
    "virtio_blk_handle_zone_reset_all(void *vdev, void *req, int64_t sector, int64_t len)",
    "virtio_blk_handle_zone_append(void *vdev, void *req, int64_t sector)",
    "virtio_scsi_cmd_req(int lun, uint32_t tag, uint8_t cmd)",
    "virtio_scsi_cmd_resp(int lun, uint32_t tag, int response, uint8_t status)",
    "virtio_scsi_tmf_req(int lun, uint32_t tag, int subtype)",
    "virtio_scsi_tmf_resp(int lun, uint32_t tag, int response)",
    "virtio_scsi_an_req(int lun, uint32_t event_requested)",
    "virtio_scsi_an_resp(int lun, int response)",
    "virtio_scsi_event(int lun, int event, int reason)",
    "virtio_serial_send_control_event(unsigned int port, uint16_t event, uint16_t value)",
    "virtio_serial_throttle_port(unsigned int port, bool throttle)",
    "virtio_serial_handle_control_message(uint16_t event, uint16_t value)",
    "virtio_serial_handle_control_message_port(unsigned int port)",
    "virtio_console_flush_buf(unsigned int port, size_t len, ssize_t ret)",
    "virtio_console_chr_read(unsigned int port, int size)",
    "virtio_console_chr_event(unsigned int port, int event)",
    "virtio_balloon_bad_addr(uint64_t gpa)",
    "virtio_balloon_handle_output(const char *name, uint64_t gpa)",
    "virtio_balloon_get_config(uint32_t num_pages, uint32_t actual)",
    "virtio_balloon_set_config(uint32_t actual, uint32_t oldactual)",
    "virtio_balloon_to_target(uint64_t target, uint32_t num_pages)",
    "virtio_pci_notify(uint16_t vector)",
    "virtio_pci_notify_write(uint64_t addr, uint64_t val, unsigned int size)",
    "virtio_pci_notify_write_pio(uint64_t addr, uint64_t val, unsigned int size)",
    "virtio_mmio_read(uint64_t offset)",
    "virtio_mmio_write_offset(uint64_t offset, uint64_t value)",
    "virtio_mmio_guest_page(uint64_t size, int shift)",
    "virtio_mmio_queue_write(uint64_t value, int max_size)",
    "virtio_mmio_setting_irq(int level)",
    "vhost_dev_cleanup(void *dev)",
    "vhost_dev_start(void *dev, const char *name, bool vrings)",
    "vhost_dev_stop(void *dev, const char *name, bool vrings)",
    "vhost_user_set_mem_table_postcopy(uint64_t client_addr, uint64_t qhva, int reply_i, "
    "int region_i)",
    "vhost_user_set_mem_table_withfd(int index, const char *name, uint64_t memory_size, "
    "uint64_t guest_phys_addr, uint64_t userspace_addr, uint64_t offset)",
    "vhost_user_read(uint32_t req, uint32_t flags)",
    "vhost_user_write(uint32_t req, uint32_t flags)",
    "vhost_user_create_notifier(int idx, void *n)",
    "vhost_user_event(const char *chr, int event)",
    "vhost_vdpa_set_vring_kick(void *dev, unsigned int index, int fd)",
    "vhost_vdpa_set_vring_call(void *dev, unsigned int index, int fd)",
    "vhost_vdpa_set_vring_num(void *dev, unsigned int index, unsigned int num)",
    "vhost_vdpa_set_vring_base(void *dev, unsigned int index, unsigned int num)",
    "vhost_vdpa_get_vring_base(void *dev, unsigned int index, unsigned int num)",
    "vhost_vdpa_set_vring_ready(void *dev)",
    "vhost_vdpa_set_vring_addr(void *dev, unsigned int index, unsigned int flags, "
    "uint64_t desc_user_addr, uint64_t used_user_addr, uint64_t avail_user_addr, "
    "uint64_t log_guest_addr)",
    "vhost_vdpa_add_status(void *dev, uint8_t status)",
    "vhost_vdpa_dev_start(void *dev, bool started)",
    "vhost_vdpa_suspend(void *dev)",
    "vhost_vdpa_set_features(void *dev, uint64_t features)",
    "vhost_vdpa_get_features(void *dev, uint64_t features)",
    "vhost_commit(bool started, bool changed)",
    "vhost_region_add_section(const char *name, uint64_t gpa, uint64_t size, uint64_t host)",
    "vhost_region_add_section_merge(const char *name, uint64_t new_size, uint64_t gpa, "
    "uint64_t owr)",
    "vhost_region_add_section_aligned(const char *name, uint64_t gpa, uint64_t size, "
    "uint64_t host)",
    "vhost_section(const char *name)",
    "vhost_reject_section(const char *name, int d)",
    "vhost_iotlb_miss(void *dev, int step)",
    "kvm_ioctl(unsigned long type, void *arg)",
    "kvm_vm_ioctl(unsigned long type, void *arg)",
    "kvm_vcpu_ioctl(int cpu_index, unsigned long type, void *arg)",
    "kvm_run_exit(int cpu_index, uint32_t reason)",
    "kvm_device_ioctl(int fd, unsigned long type, void *arg)",
    "kvm_init_vcpu(int cpu_index, unsigned long arch_cpu_id)",
    "kvm_irqchip_commit_routes(void)",
    "kvm_irqchip_add_msi_route(char *name, int vector, int virq)",
    "kvm_irqchip_update_msi_route(int virq)",
    "kvm_irqchip_release_virq(int virq)",
    "kvm_set_ioeventfd_mmio(int fd, uint64_t addr, uint32_t val, bool assign, uint32_t size, "
    "bool datamatch)",
    "kvm_set_ioeventfd_pio(int fd, uint16_t addr, uint32_t val, bool assign, uint32_t size, "
    "bool datamatch)",
    "kvm_set_user_memory(uint16_t as, uint16_t slot, uint32_t flags, uint64_t guest_phys_addr, "
    "uint64_t memory_size, uint64_t userspace_addr, uint32_t fd, uint64_t fd_offset, int ret)",
    "kvm_set_user_memory(uint32_t slot, uint32_t flags, uint64_t guest_phys_addr, "
    "uint64_t memory_size, uint64_t userspace_addr, int ret)",
    "kvm_clear_dirty_log(uint32_t slot, uint64_t start, uint32_t size)",
    "kvm_resample_fd_notify(int gsi)",
    "kvm_dirty_ring_full(int id)",
    "kvm_dirty_ring_reap_vcpu(int id)",
    "kvm_dirty_ring_page(int vcpu, uint32_t slot, uint64_t offset)",
    "kvm_dirty_ring_reaper(const char *s)",
    "kvm_dirty_ring_reap(uint64_t count, int64_t t)",
    "kvm_dirty_ring_reaper_kick(const char *reason)",
    "kvm_dirty_ring_flush(int finished)",
    "kvm_slots_grow(unsigned int old, unsigned int new)",
    "kvm_x86_fixup_msi_error(uint32_t gsi)",
    "kvm_x86_add_msi_route(int virq)",
    "kvm_x86_remove_msi_route(int virq)",
    "kvm_x86_update_msi_routes(int num)",
    "kvm_create_vcpu(int cpu_index, unsigned long arch_cpu_id, int kvm_fd)",
    "kvm_destroy_vcpu(int cpu_index, unsigned long arch_cpu_id)",
    "kvm_park_vcpu(int cpu_index, unsigned long arch_cpu_id)",
    "kvm_unpark_vcpu(unsigned long arch_cpu_id, const char *msg)",
    "kvm_failed_get_vcpu_mmap_size(void)",
    "kvm_cpu_exec(void)",
    "kvm_interrupt_exit_request(void)",
    "kvm_io_window_exit(void)",
    "kvm_run_exit_system_event(int cpu_index, uint32_t event_type)",
    "kvm_convert_memory(uint64_t start, uint64_t size, const char *msg)",
    "kvm_memory_fault(uint64_t start, uint64_t size, uint64_t flags)",
};

struct QemuEvents {
    GPtrArray *signatures; /* owns all QemuSignature */
    GHashTable *by_name;   /* name, owned by a signature → GPtrArray of QemuSignature */
};

static void add_signature(GHashTable *by_name, QemuSignature *signature)
{
    GPtrArray *variants = g_hash_table_lookup(by_name, signature->name);

    if (variants == NULL) {
        variants = g_ptr_array_new();
        g_hash_table_insert(by_name, signature->name, variants);
    }
    g_ptr_array_add(variants, signature);
}

static gboolean load_files(QemuEvents *events, char **files, GError **error)
{
    for (guint i = 0; files != NULL && files[i] != NULL; i++) {
        if (!trace_events_file_load(files[i], events->signatures, error)) {
            return FALSE;
        }
    }
    for (guint i = 0; i < events->signatures->len; i++) {
        add_signature(events->by_name, g_ptr_array_index(events->signatures, i));
    }
    return TRUE;
}

static void add_builtin(QemuEvents *events)
{
    g_autoptr(GHashTable) replaced = g_hash_table_new(g_str_hash, g_str_equal);

    for (guint i = 0; i < events->signatures->len; i++) {
        QemuSignature *signature = g_ptr_array_index(events->signatures, i);

        g_hash_table_add(replaced, signature->name);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(builtin); i++) {
        g_autoptr(QemuSignature) signature = qemu_signature_parse(builtin[i]);

        if (!g_hash_table_contains(replaced, signature->name)) {
            add_signature(events->by_name, signature);
            g_ptr_array_add(events->signatures, g_steal_pointer(&signature));
        }
    }
}

QemuEvents *qemu_events_new(char **files, GError **error)
{
    g_autoptr(QemuEvents) events = g_new0(QemuEvents, 1);

    events->signatures = g_ptr_array_new_with_free_func((GDestroyNotify)qemu_signature_free);
    events->by_name =
        g_hash_table_new_full(g_str_hash, g_str_equal, NULL, (GDestroyNotify)g_ptr_array_unref);
    if (!load_files(events, files, error)) {
        return NULL;
    }
    add_builtin(events);
    return g_steal_pointer(&events);
}

void qemu_events_free(QemuEvents *events)
{
    if (events == NULL) {
        return;
    }
    g_hash_table_unref(events->by_name);
    g_ptr_array_unref(events->signatures);
    g_free(events);
}

const GPtrArray *qemu_events_find(const QemuEvents *events, const char *name)
{
    return g_hash_table_lookup(events->by_name, name);
}

gboolean qemu_arg_slot(const EventKindInfo *info, const char *arg, EventSlot *ret_slot)
{
    for (const EventField *field = info->fields; field->name != NULL; field++) {
        if (strcmp(field->name, arg) == 0) {
            *ret_slot = field->slot;
            return TRUE;
        }
    }
    return FALSE;
}

void qemu_describe_number(const QemuArg *arg, guint64 value, TraceFieldFunc func,
                          gpointer user_data)
{
    /* Integers up to here are exact in every JSON reader. */
    const guint64 max_exact = G_GUINT64_CONSTANT(1) << 53;
    char text[32];
    gboolean is_exact;

    if (arg->type == QEMU_ARG_POINTER) {
        g_snprintf(text, sizeof(text), "0x%" G_GINT64_MODIFIER "x", value);
        is_exact = FALSE;
    } else if (arg->type == QEMU_ARG_SIGNED) {
        g_snprintf(text, sizeof(text), "%" G_GINT64_FORMAT, (gint64)value);
        is_exact = value <= max_exact || -value <= max_exact;
    } else {
        g_snprintf(text, sizeof(text), "%" G_GUINT64_FORMAT, value);
        is_exact = value <= max_exact;
    }
    func(arg->name, text, is_exact, user_data);
}
