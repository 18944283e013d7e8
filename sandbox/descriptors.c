/* SPDX-License-Identifier: MIT */
#include "sandbox/descriptors.h"

#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

bool descriptors_send(int socket, const void *bytes, size_t size_bytes, const int *descriptors,
		      size_t count)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int) * DESCRIPTORS_MAX)];
	} control = { .bytes = { 0 } };
	struct iovec vector = { (void *)(uintptr_t)bytes, size_bytes };
	struct msghdr message = { .msg_iov = &vector, .msg_iovlen = 1 };
	struct cmsghdr *header;
	ssize_t sent;

	assert(count <= DESCRIPTORS_MAX);
	if (count) {
		message.msg_control = &control;
		message.msg_controllen = CMSG_SPACE(count * sizeof(int));
		header = CMSG_FIRSTHDR(&message);
		header->cmsg_level = SOL_SOCKET;
		header->cmsg_type = SCM_RIGHTS;
		header->cmsg_len = CMSG_LEN(count * sizeof(int));
		memcpy(CMSG_DATA(header), descriptors, count * sizeof(int));
	}
	do
		sent = sendmsg(socket, &message, MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	return sent == (ssize_t)size_bytes;
}

bool descriptors_receive_one(int socket, int *fd)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	char byte;
	struct iovec vector = { &byte, 1 };
	struct msghdr message = {
		.msg_iov = &vector,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	const struct cmsghdr *header;
	ssize_t count;

	*fd = -1;
	do
		count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
	while (count < 0 && errno == EINTR);
	header = count == 1 ? CMSG_FIRSTHDR(&message) : NULL;
	if (header && header->cmsg_type == SCM_RIGHTS)
		memcpy(fd, CMSG_DATA(header), sizeof(*fd));
	return count == 1;
}
