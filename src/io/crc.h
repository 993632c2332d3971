/* crc.h: the checksum of PNG chunks and of members of zip archives (ISO 3309, reflected). */
#pragma once
#include <stddef.h>
#include <stdint.h>

uint32_t ik_crc32(const void *bytes, size_t len);
