// SPDX-License-Identifier: BSD-3-Clause
// Point arrays: gathered into the order of the leaves, or made values of cells.
#include "cuda/pointgrid/each.cuh"

namespace {

// Whole tuples in the order of the leaves, each of several words.
template <class Word> struct tuples {
  const Word *from;
  const int64_t *order;
  int64_t words;
  Word *to;
  __device__ void operator()(int64_t i) const {
    to[i] = from[order[i / words] * words + i % words];
  }
};

template <class Word>
tsr_status gather(tsr_pointgrid_device *s, const tsr_pointgrid_job *job, const void *from,
                  size_t bytes, void *host, tsr_error *error) {
  const int64_t words = (int64_t)(bytes / sizeof(Word)), n = s->frame.n * words;
  return tsr_points_array(s, job, tuples<Word>{(const Word *)from, s->order, words, nullptr}, n,
                          host, n, sizeof(Word), error);
}

tsr_status gather_tuples(tsr_pointgrid_device *s, const tsr_pointgrid_job *job,
                         const tsr_pointgrid_attribute *attribute, const void *from,
                         tsr_error *error) {
  const tsr_array *in = &attribute->in;
  const size_t bytes = tsr_type_size(in->type) * (size_t)in->components;
  if (bytes % 8 == 0)
    return gather<uint64_t>(s, job, from, bytes, attribute->out, error);
  if (bytes % 4 == 0)
    return gather<uint32_t>(s, job, from, bytes, attribute->out, error);
  return bytes % 2 == 0 ? gather<uint16_t>(s, job, from, bytes, attribute->out, error)
                        : gather<uint8_t>(s, job, from, bytes, attribute->out, error);
}

} // namespace

tsr_status tsr_pointgrid_cuda_attribute(tsr_pointgrid_device *s, const tsr_pointgrid_job *job,
                                        const tsr_pointgrid_attribute *attribute,
                                        tsr_error *error) {
  const tsr_on_device scope(s->state->device);
  TSR_STEP(scope.check(error));
  const bool points = job->output == TSR_POINTGRID_POINTS;
  const bool wanted = points ? attribute->out != nullptr
                             : attribute->mean || attribute->least || attribute->greatest;
  tsr_memory memory;
  void *from;
  if (!wanted)
    return TSR_OK;
  memory.use(s->state, s->stream);
  TSR_STEP(
      tsr_upload(s, job->execution, job->report, &memory, false, {attribute->in}, &from, error));
  return points ? gather_tuples(s, job, attribute, from, error)
                : tsr_points_values(s, job, attribute, from, error);
}
