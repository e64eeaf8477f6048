#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a seed corpus for fuzz_curves: good views of every kind, for the fuzzer to spoil.

Use: make_seeds.py FOLDER
The order of the bytes is that of decode_view and decode_options in fuzz_curves.c.
"""
import os
import random
import struct
import sys


def number(value):
    return struct.pack("<Bh", 0, int(value * 256))


def seed(rng, kind, flags, use):
    n, lengths = 24, (7, 7, 1, 9)
    data = bytes([n, 1])
    data += b"".join(number(rng.uniform(-4, 4)) for _ in range(3 * n))
    data += bytes([flags])
    if flags & 1:
        data += b"".join(number(rng.uniform(0.2, 4)) for _ in range(n))
    data += bytes([len(lengths), sum(lengths)])
    data += bytes([0, *lengths])
    ids = [i % n for i in range(sum(lengths))]
    ids[6] = ids[0] if kind < 7 and use & 1 else ids[6]
    data += bytes(ids) + bytes([kind])
    data += bytes([1]) + bytes([9, 0]) + b"".join(number(rng.uniform(-9, 9)) for _ in range(n))
    data += bytes([use, rng.randrange(3), 1, 8])
    if use & 1:
        data += number(16) + bytes([4, 28])
    for bit, value in ((1, 0.0625), (2, 10.0), (3, 0.5), (4, 0.25)):
        if use >> bit & 1:
            data += number(value)
    return data + bytes([1, rng.randrange(8), 0, 1, 2])


def main(folder):
    os.makedirs(folder, exist_ok=True)
    rng = random.Random(1)
    for kind in range(1, 9):
        for flags in range(4):
            for use in (0x01, 0x02, 0x82, 0xA2, 0x8E, 0x9F, 0x1F):
                name = os.path.join(folder, f"kind{kind}_flags{flags}_use{use:02x}")
                with open(name, "wb") as file:
                    file.write(seed(rng, kind, flags, use))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
