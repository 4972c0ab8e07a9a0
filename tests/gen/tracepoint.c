/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Tracepoints of Linux 6.12 on x86-64, as in its events/SYSTEM/NAME/format files.
 */
#include "tracepoint.h"

#include <string.h>

#include "bytes_out.h"

const char tracepoint_header_page[] =
    "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
    "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
    "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
    "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n";

const char tracepoint_header_event[] =
    "# compressed entry header\n"
    "\ttype_len    :    5 bits\n"
    "\ttime_delta  :   27 bits\n"
    "\tarray       :   32 bits\n"
    "\n"
    "\tpadding     : type == 29\n"
    "\ttime_extend : type == 30\n"
    "\ttime_stamp : type == 31\n"
    "\tdata max type_len  == 28\n";

/* What of a KernelRecord fills a field. */
typedef enum FieldSource {
    FROM_CONSTANT,
    FROM_NAME,
    FROM_PTR,
    FROM_PTR2,
    FROM_NUM0,
    FROM_NUM1,
    FROM_NUM2,
} FieldSource;

typedef struct FormatField {
    const char *type;
    const char *name;
    guint8 offset;
    guint8 size;
    gboolean is_signed;
    FieldSource from;
    guint32 constant;
} FormatField;

enum { MAX_FIELDS = 20 };

typedef struct Tracepoint {
    const char *system;
    const char *name;
    guint16 type;
    guint8 size; /* of the fixed part, with the common fields */
    FormatField fields[MAX_FIELDS];
    const char *print;
} Tracepoint;

#define SOFTIRQ(name_, type_)                                                                    \
    {                                                                                            \
        "irq", name_, type_, 12, {{"unsigned int", "vec", 8, 4, FALSE, FROM_NUM0}},              \
            "\"vec=%u [action=%s]\", REC->vec, __print_symbolic(REC->vec, { 0, \"HI\" }, "       \
            "{ 1, \"TIMER\" }, { 2, \"NET_TX\" }, { 3, \"NET_RX\" }, { 4, \"BLOCK\" }, "         \
            "{ 5, \"IRQ_POLL\" }, { 6, \"TASKLET\" }, { 7, \"SCHED\" }, { 8, \"HRTIMER\" }, "    \
            "{ 9, \"RCU\" })"                                                                    \
    }

#define NET_DEV(name_, type_)                                                                    \
    {                                                                                            \
        "net", name_, type_, 24,                                                                 \
            {{"void *", "skbaddr", 8, 8, FALSE, FROM_PTR},                                       \
             {"unsigned int", "len", 16, 4, FALSE, FROM_NUM0},                                   \
             {"__data_loc char[]", "name", 20, 4, FALSE, FROM_NAME}},                            \
            "\"dev=%s skbaddr=%p len=%u\", __get_str(name), REC->skbaddr, REC->len"              \
    }

static const Tracepoint tracepoints[N_TRACEPOINTS] = {
    [TP_NET_QUEUE] = NET_DEV("net_dev_queue", 1455),
    [TP_NET_START_XMIT] =
        {"net", "net_dev_start_xmit", 1458, 64,
         {{"__data_loc char[]", "name", 8, 4, FALSE, FROM_NAME},
          {"u16", "queue_mapping", 12, 2, FALSE, FROM_NUM1},
          {"const void *", "skbaddr", 16, 8, FALSE, FROM_PTR},
          {"bool", "vlan_tagged", 24, 1, FALSE, FROM_CONSTANT, 0},
          {"u16", "vlan_proto", 26, 2, FALSE, FROM_CONSTANT, 0},
          {"u16", "vlan_tci", 28, 2, FALSE, FROM_CONSTANT, 0},
          {"u16", "protocol", 30, 2, FALSE, FROM_CONSTANT, 0x0800},
          {"u8", "ip_summed", 32, 1, FALSE, FROM_CONSTANT, 0},
          {"unsigned int", "len", 36, 4, FALSE, FROM_NUM0},
          {"unsigned int", "data_len", 40, 4, FALSE, FROM_CONSTANT, 0},
          {"int", "network_offset", 44, 4, TRUE, FROM_CONSTANT, 14},
          {"bool", "transport_offset_valid", 48, 1, FALSE, FROM_CONSTANT, 1},
          {"int", "transport_offset", 52, 4, TRUE, FROM_CONSTANT, 34},
          {"u8", "tx_flags", 56, 1, FALSE, FROM_CONSTANT, 0},
          {"u16", "gso_size", 58, 2, FALSE, FROM_NUM2},
          {"u16", "gso_segs", 60, 2, FALSE, FROM_CONSTANT, 0},
          {"u16", "gso_type", 62, 2, FALSE, FROM_CONSTANT, 0}},
         "\"dev=%s queue_mapping=%u skbaddr=%p vlan_tagged=%d vlan_proto=0x%04x vlan_tci=0x%04x "
         "protocol=0x%04x ip_summed=%d len=%u data_len=%u network_offset=%d "
         "transport_offset_valid=%d transport_offset=%d tx_flags=%d gso_size=%d gso_segs=%d "
         "gso_type=%#x\", __get_str(name), REC->queue_mapping, REC->skbaddr, REC->vlan_tagged, "
         "REC->vlan_proto, REC->vlan_tci, REC->protocol, REC->ip_summed, REC->len, REC->data_len, "
         "REC->network_offset, REC->transport_offset_valid, REC->transport_offset, REC->tx_flags, "
         "REC->gso_size, REC->gso_segs, REC->gso_type"},
    [TP_NET_XMIT] = {"net", "net_dev_xmit", 1457, 28,
                     {{"void *", "skbaddr", 8, 8, FALSE, FROM_PTR},
                      {"unsigned int", "len", 16, 4, FALSE, FROM_NUM0},
                      {"int", "rc", 20, 4, TRUE, FROM_NUM1},
                      {"__data_loc char[]", "name", 24, 4, FALSE, FROM_NAME}},
                     "\"dev=%s skbaddr=%p len=%u rc=%d\", __get_str(name), REC->skbaddr, REC->len, "
                     "REC->rc"},
    [TP_NAPI_RECEIVE] =
        {"net", "napi_gro_receive_entry", 1451, 80,
         {{"__data_loc char[]", "name", 8, 4, FALSE, FROM_NAME},
          {"unsigned int", "napi_id", 12, 4, FALSE, FROM_NUM2},
          {"u16", "queue_mapping", 16, 2, FALSE, FROM_NUM1},
          {"const void *", "skbaddr", 24, 8, FALSE, FROM_PTR},
          {"bool", "vlan_tagged", 32, 1, FALSE, FROM_CONSTANT, 0},
          {"u16", "vlan_proto", 34, 2, FALSE, FROM_CONSTANT, 0},
          {"u16", "vlan_tci", 36, 2, FALSE, FROM_CONSTANT, 0},
          {"u16", "protocol", 38, 2, FALSE, FROM_CONSTANT, 0x0800},
          {"u8", "ip_summed", 40, 1, FALSE, FROM_CONSTANT, 0},
          {"u32", "hash", 44, 4, FALSE, FROM_CONSTANT, 0},
          {"bool", "l4_hash", 48, 1, FALSE, FROM_CONSTANT, 0},
          {"unsigned int", "len", 52, 4, FALSE, FROM_NUM0},
          {"unsigned int", "data_len", 56, 4, FALSE, FROM_CONSTANT, 0},
          {"unsigned int", "truesize", 60, 4, FALSE, FROM_CONSTANT, 1280},
          {"bool", "mac_header_valid", 64, 1, FALSE, FROM_CONSTANT, 1},
          {"int", "mac_header", 68, 4, TRUE, FROM_CONSTANT, (guint32)-14},
          {"unsigned char", "nr_frags", 72, 1, FALSE, FROM_CONSTANT, 0},
          {"u16", "gso_size", 74, 2, FALSE, FROM_CONSTANT, 0},
          {"u16", "gso_type", 76, 2, FALSE, FROM_CONSTANT, 0}},
         "\"dev=%s napi_id=%#x queue_mapping=%u skbaddr=%p vlan_tagged=%d vlan_proto=0x%04x "
         "vlan_tci=0x%04x protocol=0x%04x ip_summed=%d hash=0x%08x l4_hash=%d len=%u data_len=%u "
         "truesize=%u mac_header_valid=%d mac_header=%d nr_frags=%d gso_size=%d gso_type=%#x\", "
         "__get_str(name), REC->napi_id, REC->queue_mapping, REC->skbaddr, REC->vlan_tagged, "
         "REC->vlan_proto, REC->vlan_tci, REC->protocol, REC->ip_summed, REC->hash, REC->l4_hash, "
         "REC->len, REC->data_len, REC->truesize, REC->mac_header_valid, REC->mac_header, "
         "REC->nr_frags, REC->gso_size, REC->gso_type"},
    [TP_NETIF_RECEIVE] = NET_DEV("netif_receive_skb", 1454),
    [TP_NAPI_POLL] = {"napi", "napi_poll", 1442, 28,
                      {{"struct napi_struct *", "napi", 8, 8, FALSE, FROM_PTR},
                       {"__data_loc char[]", "dev_name", 16, 4, FALSE, FROM_NAME},
                       {"int", "work", 20, 4, TRUE, FROM_NUM0},
                       {"int", "budget", 24, 4, TRUE, FROM_CONSTANT, 64}},
                      "\"napi poll on napi struct %p for device %s work %d budget %d\", REC->napi, "
                      "__get_str(dev_name), REC->work, REC->budget"},
    [TP_IRQ_ENTRY] = {"irq", "irq_handler_entry", 157, 16,
                      {{"int", "irq", 8, 4, TRUE, FROM_NUM0},
                       {"__data_loc char[]", "name", 12, 4, FALSE, FROM_NAME}},
                      "\"irq=%d name=%s\", REC->irq, __get_str(name)"},
    [TP_IRQ_EXIT] = {"irq", "irq_handler_exit", 156, 16,
                     {{"int", "irq", 8, 4, TRUE, FROM_NUM0},
                      {"int", "ret", 12, 4, TRUE, FROM_NUM1}},
                     "\"irq=%d ret=%s\", REC->irq, REC->ret ? \"handled\" : \"unhandled\""},
    [TP_SOFTIRQ_RAISE] = SOFTIRQ("softirq_raise", 153),
    [TP_SOFTIRQ_ENTRY] = SOFTIRQ("softirq_entry", 155),
    [TP_SOFTIRQ_EXIT] = SOFTIRQ("softirq_exit", 154),
    [TP_SKB_CONSUME] = {"skb", "consume_skb", 1460, 24,
                        {{"void *", "skbaddr", 8, 8, FALSE, FROM_PTR},
                         {"void *", "location", 16, 8, FALSE, FROM_PTR2}},
                        "\"skbaddr=%p location=%pS\", REC->skbaddr, REC->location"},
    [TP_SKB_KFREE] =
        {"skb", "kfree_skb", 1461, 40,
         {{"void *", "skbaddr", 8, 8, FALSE, FROM_PTR},
          {"void *", "location", 16, 8, FALSE, FROM_PTR2},
          {"void *", "rx_sk", 24, 8, FALSE, FROM_CONSTANT, 0},
          {"unsigned short", "protocol", 32, 2, FALSE, FROM_CONSTANT, 0x0800},
          {"enum skb_drop_reason", "reason", 36, 4, FALSE, FROM_NUM0}},
         "\"skbaddr=%p rx_sk=%p protocol=%u location=%pS reason: %s\", REC->skbaddr, REC->rx_sk, "
         "REC->protocol, REC->location, __print_symbolic(REC->reason, { 2, \"NOT_SPECIFIED\" }, "
         "{ 3, \"NO_SOCKET\" }, { 57, \"QDISC_DROP\" })"},
    [TP_SKB_COPY] = {"skb", "skb_copy_datagram_iovec", 1459, 20,
                     {{"const void *", "skbaddr", 8, 8, FALSE, FROM_PTR},
                      {"int", "len", 16, 4, TRUE, FROM_NUM0}},
                     "\"skbaddr=%p len=%d\", REC->skbaddr, REC->len"},
    [TP_KVM_ENTRY] = {"kvm", "kvm_entry", 2001, 25,
                      {{"unsigned int", "vcpu_id", 8, 4, FALSE, FROM_NUM0},
                       {"unsigned long", "rip", 16, 8, FALSE, FROM_PTR},
                       {"bool", "immediate_exit", 24, 1, FALSE, FROM_CONSTANT, 0}},
                      "\"vcpu %u, rip 0x%lx%s\", REC->vcpu_id, REC->rip, REC->immediate_exit ? "
                      "\"[immediate exit]\" : \"\""},
    [TP_KVM_EXIT] =
        {"kvm", "kvm_exit", 2002, 60,
         {{"unsigned int", "exit_reason", 8, 4, FALSE, FROM_NUM1},
          {"unsigned long", "guest_rip", 16, 8, FALSE, FROM_PTR},
          {"u32", "isa", 24, 4, FALSE, FROM_CONSTANT, 1},
          {"u64", "info1", 32, 8, FALSE, FROM_CONSTANT, 0},
          {"u64", "info2", 40, 8, FALSE, FROM_CONSTANT, 0},
          {"u32", "intr_info", 48, 4, FALSE, FROM_CONSTANT, 0},
          {"u32", "error_code", 52, 4, FALSE, FROM_CONSTANT, 0},
          {"unsigned int", "vcpu_id", 56, 4, FALSE, FROM_NUM0}},
         "\"vcpu %u reason %u rip 0x%lx info1 0x%016llx info2 0x%016llx intr_info 0x%08x "
         "error_code 0x%08x\", REC->vcpu_id, REC->exit_reason, REC->guest_rip, REC->info1, "
         "REC->info2, REC->intr_info, REC->error_code"},
};

const char *tracepoint_system(TracepointId id)
{
    return tracepoints[id].system;
}

const char *tracepoint_name(TracepointId id)
{
    return tracepoints[id].name;
}

guint tracepoint_type(TracepointId id)
{
    return tracepoints[id].type;
}

char *tracepoint_format(TracepointId id)
{
    const Tracepoint *tracepoint = &tracepoints[id];
    GString *text = g_string_new(NULL);

    g_string_append_printf(
        text,
        "name: %s\nID: %u\nformat:\n"
        "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
        "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
        "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
        "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n",
        tracepoint->name, tracepoint->type);
    for (const FormatField *field = tracepoint->fields; field->type; field++) {
        g_string_append_printf(text, "\tfield:%s %s;\toffset:%u;\tsize:%u;\tsigned:%d;\n",
                               field->type, field->name, field->offset, field->size,
                               field->is_signed);
    }
    g_string_append_printf(text, "\nprint fmt: %s\n", tracepoint->print);
    return g_string_free(text, FALSE);
}

static guint64 field_value(const FormatField *field, const KernelRecord *record, guint name_at)
{
    switch (field->from) {
    case FROM_NAME:
        return (strlen(record->name) + 1) << 16 | name_at;
    case FROM_PTR:
        return record->ptr;
    case FROM_PTR2:
        return record->ptr2;
    case FROM_NUM0:
    case FROM_NUM1:
    case FROM_NUM2:
        return record->num[field->from - FROM_NUM0];
    case FROM_CONSTANT:
        break;
    }
    return field->constant;
}

guint tracepoint_encode(const KernelRecord *record, guint8 ret_payload[MAX_PAYLOAD])
{
    const Tracepoint *tracepoint = &tracepoints[record->id];
    guint size = tracepoint->size;

    memset(ret_payload, 0, MAX_PAYLOAD);
    memcpy(ret_payload, &tracepoint->type, sizeof(tracepoint->type));
    memcpy(ret_payload + 4, &record->tid, sizeof(guint32));
    for (const FormatField *field = tracepoint->fields; field->type; field++) {
        guint64 value = field_value(field, record, tracepoint->size);

        memcpy(ret_payload + field->offset, &value, field->size);
        if (field->from == FROM_NAME) {
            size += g_strlcpy((char *)ret_payload + tracepoint->size, record->name,
                              MAX_PAYLOAD - tracepoint->size) + 1;
        }
    }
    return (size + 3) & ~3u;
}

static void append_system(GByteArray *out, const char *system, const TracepointId *ids, guint n_ids)
{
    guint32 count = 0;

    for (guint i = 0; i < n_ids; i++) {
        count += g_str_equal(tracepoint_system(ids[i]), system);
    }
    bytes_append(out, system, strlen(system) + 1);
    bytes_append_u32(out, count);
    for (guint i = 0; i < n_ids; i++) {
        if (g_str_equal(tracepoint_system(ids[i]), system)) {
            g_autofree char *format = tracepoint_format(ids[i]);

            bytes_append_text64(out, format);
        }
    }
}

void tracepoint_append_formats(GByteArray *out, const TracepointId *ids, guint n_ids)
{
    g_autoptr(GPtrArray) systems = g_ptr_array_new();

    for (guint i = 0; i < n_ids; i++) {
        const char *system = tracepoint_system(ids[i]);

        if (!g_ptr_array_find_with_equal_func(systems, system, g_str_equal, NULL)) {
            g_ptr_array_add(systems, (gpointer)system);
        }
    }
    bytes_append(out, "header_page", sizeof("header_page"));
    bytes_append_text64(out, tracepoint_header_page);
    bytes_append(out, "header_event", sizeof("header_event"));
    bytes_append_text64(out, tracepoint_header_event);
    bytes_append_u32(out, 0); /* formats of ftrace's own events */
    bytes_append_u32(out, systems->len);
    for (guint i = 0; i < systems->len; i++) {
        append_system(out, g_ptr_array_index(systems, i), ids, n_ids);
    }
}
