/* SPDX-License-Identifier: MIT */
/* Sends open descriptors to another process over a UNIX socket. */
#ifndef SANDBOX_DESCRIPTORS_H
#define SANDBOX_DESCRIPTORS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attributes.h"

/* The maximum number of descriptors in a message: the socket and the files of a job. */
#define DESCRIPTORS_MAX 33u

/*
 * Sends a message with count descriptors, which stay open here. Returns false if the other end is
 * closed.
 */
bool descriptors_send(int socket, const void *bytes, size_t size_bytes, const int *descriptors,
		      size_t count) WARN_UNUSED;

/*
 * Receives a message of one byte with at most one descriptor. *fd becomes -1 if there is no
 * descriptor. Returns false at the end of the stream.
 */
bool descriptors_receive_one(int socket, int *fd) WARN_UNUSED;

#endif
