// SPDX-License-Identifier: GPL-2.0-or-later
// Runs in the guest: echo requests to the gateway, one at a time with a mark for the plugin after each
// (count.c), or in windows of 32 for the time, or frames that nobody answers. Prints packets a
// second, from the median time of 32, so that a lost packet or a busy host moves it little.
// usage: echo single N | window N | send N IFINDEX
#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <netinet/ip_icmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { WINDOW = 32, HEADER = 20 };

static void mark(void)
{
    __asm__ volatile(".byte 0x0f, 0x1f, 0x80, 0x76, 0x6e, 0x65, 0x74" ::: "memory");
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static uint16_t checksum(const struct icmphdr *header)
{
    const uint16_t *word = (const uint16_t *)header;
    uint32_t sum = 0;

    for (size_t i = 0; i < sizeof(*header) / 2; i++) {
        sum += word[i];
    }
    sum = (sum >> 16) + (sum & 0xffff);
    return (uint16_t)~(sum + (sum >> 16));
}

static void request(int fd, unsigned int number)
{
    struct sockaddr_in to = { .sin_family = AF_INET, .sin_addr.s_addr = inet_addr("10.0.2.2") };
    struct icmphdr header = { .type = ICMP_ECHO };

    header.un.echo.id = htons((uint16_t)getpid());
    header.un.echo.sequence = htons((uint16_t)number);
    header.checksum = checksum(&header);
    (void)!sendto(fd, &header, sizeof(header), 0, (struct sockaddr *)&to, sizeof(to));
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *values, unsigned int n)
{
    qsort(values, n, sizeof(*values), compare);
    return values[n / 2];
}

static void echoes(unsigned int n, unsigned int window, int marked, double *durations)
{
    int fd = socket(AF_INET, SOCK_RAW, IPPROTO_ICMP);
    struct timeval patience = { .tv_sec = 1 };
    char buffer[256];

    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    for (unsigned int i = 0; i < n; i += window) {
        double begin = now();

        for (unsigned int k = 0; k < window; k++) {
            request(fd, i + k);
        }
        for (unsigned int k = 0; k < window; k++) {
            if (recv(fd, buffer, sizeof(buffer), 0) < HEADER) {
                break;
            }
        }
        durations[i / window] = now() - begin;
        if (marked) {
            mark();
        }
    }
    close(fd);
}

static void frames(unsigned int n, int ifindex, double *durations)
{
    static char frame[ETH_ZLEN] = { 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, (char)0x88, (char)0xb5 };
    struct sockaddr_ll to = { .sll_family = AF_PACKET, .sll_ifindex = ifindex, .sll_halen = 6 };
    int fd = socket(AF_PACKET, SOCK_RAW, 0);

    for (unsigned int i = 0; i < n; i += WINDOW) {
        double begin = now();

        for (unsigned int k = 0; k < WINDOW; k++) {
            (void)!sendto(fd, frame, sizeof(frame), 0, (struct sockaddr *)&to, sizeof(to));
        }
        durations[i / WINDOW] = now() - begin;
    }
    close(fd);
}

int main(int argc, char **argv)
{
    unsigned int n = argc > 2 ? (unsigned int)atoi(argv[2]) : 0;
    unsigned int window = argc > 1 && strcmp(argv[1], "single") == 0 ? 1 : WINDOW;
    double *durations;

    if (n < window) {
        fprintf(stderr, "usage: echo single N | window N | send N IFINDEX\n");
        return 2;
    }
    n -= n % window;
    durations = calloc(n / window, sizeof(*durations));
    if (!durations) {
        return 1;
    }
    if (strcmp(argv[1], "send") == 0) {
        frames(n, argc > 3 ? atoi(argv[3]) : 0, durations);
    } else {
        echoes(n, window, window == 1, durations);
    }
    printf("%.1f\n", window / median(durations, n / window));
    free(durations);
    return 0;
}
