// SPDX-License-Identifier: BSD-3-Clause
#include "hidden.h"

#include <map>
#include <mutex>
#include <sys/mman.h>

namespace {

const size_t page = 4096, alignment = 256;

struct region {
  char *pages;
  size_t bytes; // of all pages
  bool hides;
};

std::mutex lock;
std::map<const void *, region> &regions = *new std::map<const void *, region>;
int working;

void protect(const region &it, int how) {
  if (it.hides)
    mprotect(it.pages, it.bytes, how);
}

} // namespace

namespace emulator {

// The memory ends with a page, and a page that is never open follows.
void *hidden_alloc(size_t bytes) {
  const size_t whole = (bytes + page - 1) / page * page;
  void *const pages =
      mmap(nullptr, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED)
    return nullptr;
  mprotect((char *)pages + whole, page, PROT_NONE);
  char *const memory = (char *)pages + whole - (bytes + alignment - 1) / alignment * alignment;
  const std::lock_guard<std::mutex> hold(lock);
  regions[memory] = {(char *)pages, whole, false};
  return memory;
}

void hide(void *memory) {
  const std::lock_guard<std::mutex> hold(lock);
  region &it = regions[memory];
  it.hides = true;
  if (working == 0)
    protect(it, PROT_NONE);
}

bool hidden_free(void *memory) {
  const std::lock_guard<std::mutex> hold(lock);
  const auto at = regions.find(memory);
  if (at == regions.end())
    return false;
  munmap(at->second.pages, at->second.bytes + page);
  regions.erase(at);
  return true;
}

device_works::device_works() {
  const std::lock_guard<std::mutex> hold(lock);
  if (working++ == 0)
    for (const auto &at : regions)
      protect(at.second, PROT_READ | PROT_WRITE);
}

device_works::~device_works() {
  const std::lock_guard<std::mutex> hold(lock);
  if (--working == 0)
    for (const auto &at : regions)
      protect(at.second, PROT_NONE);
}

} // namespace emulator
