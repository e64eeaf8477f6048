// SPDX-License-Identifier: BSD-3-Clause
// Writes curved meshes as the steps of deal.II do, with DataOut and write_higher_order_cells: a
// ball of hexahedra, and the half sphere of step 38. For NAME.vtu there is NAME.txt: places on the
// outside, as deal.II's mapping evaluates them. Use: write_curved_dealii FOLDER
#include <deal.II/base/function_lib.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/mapping_q.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/manifold_lib.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/vector.h>
#include <deal.II/numerics/data_out.h>
#include <deal.II/numerics/vector_tools.h>

#include <fstream>
#include <iomanip>

using namespace dealii;

namespace {

constexpr int steps = 5; // in each direction, as in write_curved_vtu.py

/// Writes the mesh with a field.
template <int dim>
void write_mesh(const Triangulation<dim, 3> &mesh, const Mapping<dim, 3> &mapping,
                unsigned int degree, const std::string &path) {
  FE_Q<dim, 3> elements(degree);
  DoFHandler<dim, 3> dofs(mesh);
  dofs.distribute_dofs(elements);
  Vector<double> field(dofs.n_dofs());
  VectorTools::interpolate(mapping, dofs, Functions::CosineFunction<3>(), field);
  DataOut<dim, 3> out;
  DataOutBase::VtkFlags flags;
  flags.write_higher_order_cells = true;
  out.set_flags(flags);
  out.attach_dof_handler(dofs);
  out.add_data_vector(field, "field", DataOut<dim, 3>::type_dof_data);
  out.build_patches(mapping, degree, DataOut<dim, 3>::curved_inner_cells);
  std::ofstream file(path + ".vtu");
  out.write_vtu(file);
}

/// Writes places on one face of a cell, or on the whole cell of a surface, given by a map of the
/// unit square.
template <int dim, typename Map>
void write_places(std::ofstream &file, const typename Triangulation<dim, 3>::cell_iterator &cell,
                  const Mapping<dim, 3> &mapping, const Map &unit) {
  for (int i = 0; i <= steps; ++i)
    for (int j = 0; j <= steps; ++j) {
      const Point<2> on(double(i) / steps, double(j) / steps);
      file << mapping.transform_unit_to_real_cell(cell, unit(on)) << '\n';
    }
}

void ball(unsigned int degree, const std::string &path) {
  Triangulation<3> mesh;
  GridGenerator::hyper_ball(mesh);
  mesh.refine_global(1);
  const MappingQ<3> mapping(degree);
  write_mesh<3>(mesh, mapping, degree, path);
  std::ofstream file(path + ".txt");
  file << std::setprecision(17);
  for (const auto &cell : mesh.active_cell_iterators())
    for (const unsigned int f : cell->face_indices())
      if (cell->face(f)->at_boundary())
        write_places<3>(file, cell, mapping, [&](const Point<2> &on) {
          const unsigned int axis = f / 2; // face f is at 0 or 1 of this axis
          Point<3> to;
          to[axis] = f % 2;
          to[(axis + 1) % 3] = on[0];
          to[(axis + 2) % 3] = on[1];
          return to;
        });
}

void half_sphere(unsigned int degree, const std::string &path) {
  Triangulation<3> whole;
  Triangulation<2, 3> mesh;
  GridGenerator::half_hyper_ball(whole);
  GridGenerator::extract_boundary_mesh(whole, mesh, {0});
  mesh.set_all_manifold_ids(0);
  mesh.set_manifold(0, SphericalManifold<2, 3>());
  mesh.refine_global(1);
  const MappingQ<2, 3> mapping(degree);
  write_mesh<2>(mesh, mapping, degree, path);
  std::ofstream file(path + ".txt");
  file << std::setprecision(17);
  for (const auto &cell : mesh.active_cell_iterators())
    write_places<2>(file, cell, mapping, [](const Point<2> &on) { return on; });
}

} // namespace

int main(int argc, char **arguments) {
  const std::string folder = argc > 1 ? arguments[1] : ".";
  for (const unsigned int degree : {2, 3, 4}) {
    ball(degree, folder + "/dealii-ball_" + std::to_string(degree));
    half_sphere(degree, folder + "/dealii-half-sphere_" + std::to_string(degree));
  }
  return 0;
}
