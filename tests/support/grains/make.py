"""Writes the files of grains that tests/lua/read_grains.lua reads, with NumPy, VTK, gsd and LAMMPS themselves.

Grain i = 0 .. 4 has x = 0.1 i + 0.01, y = 0.2 i - 0.3, z = 0.05 i^2, radius = 0.01 + 0.001 i, velocity (1 + i, -i, 0.5),
spin (0.1 i, 2, -i), id 10 + i, type 1 + i % 2, density 2500 + i.
"""
import io, os, subprocess, sys
import numpy as np

os.chdir(os.path.dirname(os.path.abspath(__file__)))
i = np.arange(5.0)
x = np.stack([0.1 * i + 0.01, 0.2 * i - 0.3, 0.05 * i * i], 1)
r = 0.01 + 0.001 * i
v = np.stack([1 + i, -i, 0 * i + 0.5], 1)
w = np.stack([0.1 * i, 0 * i + 2, -i], 1)
ident = (10 + i).astype(np.int64)
kind = (1 + i % 2).astype(np.int32)
rho = 2500 + i
mass = rho * 4 / 3 * np.pi * r**3

def numpy_files():
    np.save("plain.npy", np.column_stack([x, r]))
    np.save("fortran.npy", np.asfortranarray(np.column_stack([x, r])))
    s = np.zeros(5, dtype=[("x", ">f8"), ("y", "<f8"), ("z", "<f8"), ("diameter", "<f4"), ("id", "<i4")])
    for k, n in enumerate("xyz"): s[n] = x[:, k]
    s["diameter"], s["id"] = 2 * r, ident
    np.save("fields.npy", s)
    np.savez("stored.npz", position=x, radius=r, velocity=v, spin=w, id=ident, type=kind)
    np.savez_compressed("packed.npz", pos=np.stack([x + 1, x]), r=r, note=np.array("text"))

def vtk_files():
    import vtk
    from vtk.util.numpy_support import numpy_to_vtk
    def points(grid):
        p = vtk.vtkPoints()
        p.SetDataTypeToDouble()
        for row in x: p.InsertNextPoint(*row)
        grid.SetPoints(p)
        for name, a in [("radius", r), ("velocity", v), ("omega", w), ("id", ident), ("type", kind), ("density", rho)]:
            array = numpy_to_vtk(a, deep=1)
            array.SetName(name)
            grid.GetPointData().AddArray(array)
        return grid
    poly = points(vtk.vtkPolyData())
    cells = vtk.vtkCellArray()
    for k in range(5):
        cells.InsertNextCell(1)
        cells.InsertCellPoint(k)
    poly.SetVerts(cells)
    grid = points(vtk.vtkUnstructuredGrid())
    grid.SetCells(vtk.VTK_VERTEX, cells)
    for name, mode, packer in [("ascii", "SetDataModeToAscii", 0), ("inline", "SetDataModeToBinary", 0), ("inline_packed", "SetDataModeToBinary", 1),
                               ("appended", "SetDataModeToAppended", 0), ("appended_packed", "SetDataModeToAppended", 1)]:
        for raw in ([0, 1] if "appended" in name else [0]):
            out = vtk.vtkXMLPolyDataWriter()
            out.SetFileName(name + ("_raw" if raw else "") + ".vtp")
            out.SetInputData(poly)
            getattr(out, mode)()
            if raw: out.EncodeAppendedDataOff()
            if not packer: out.SetCompressorTypeToNone()
            if raw and packer: out.SetHeaderTypeToUInt64()
            if name == "appended" and not raw: out.SetByteOrderToBigEndian()
            out.Write()
    out = vtk.vtkXMLUnstructuredGridWriter()
    out.SetFileName("grid.vtu")
    out.SetInputData(grid)
    out.Write()
    for binary in [0, 1]:
        out = vtk.vtkUnstructuredGridWriter()
        out.SetFileName("binary.vtk" if binary else "ascii.vtk")
        out.SetInputData(grid)
        if binary: out.SetFileTypeToBinary()
        out.Write()
        out = vtk.vtkPolyDataWriter()
        out.SetFileName("old_binary.vtk" if binary else "old_ascii.vtk")
        out.SetFileVersion(42)
        out.SetInputData(poly)
        if binary: out.SetFileTypeToBinary()
        out.Write()

def gsd_file():
    import gsd.hoomd
    q = np.array([[np.cos(0.1 * k), 0, np.sin(0.1 * k), 0] for k in range(5)])
    def mul(a, b):
        return np.array([a[0] * b[0] - a[1:] @ b[1:], *(a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:]))])
    with gsd.hoomd.open("hoomd.gsd", "wb") as f:
        for frame in range(2):
            s = gsd.hoomd.Snapshot()
            s.configuration.step, s.configuration.box = frame, [4, 4, 4, 0, 0, 0]
            s.particles.N, s.particles.types, s.particles.typeid = 5, ["A", "B"], kind - 1
            s.particles.position, s.particles.velocity = x + (0 if frame else 1), v
            s.particles.diameter, s.particles.mass, s.particles.orientation = 2 * r, mass, q
            s.particles.moment_inertia = np.outer(0.4 * mass * r * r, [1, 1, 1])
            # HOOMD: angmom = 2 q (0, I omega in body axes)
            p = []
            for k in range(5):
                body = mul(mul(q[k] * [1, -1, -1, -1], np.array([0, *w[k]])), q[k])[1:]
                p.append(2 * mul(q[k], np.array([0, *(0.4 * mass[k] * r[k]**2 * body)])))
            s.particles.angmom = np.array(p)
            f.append(s)

def lammps_files():
    atoms = "".join("%d %d %.17g %.17g %.17g %.17g %.17g\n" % (ident[k], kind[k], 2 * r[k], rho[k], *x[k]) for k in range(5))
    speeds = "".join("%d %.17g %.17g %.17g %.17g %.17g %.17g\n" % (ident[k], *v[k], *w[k]) for k in range(5))
    open("in.data", "w").write("LAMMPS data\n\n5 atoms\n2 atom types\n\n-1 1 xlo xhi\n-1 1 ylo yhi\n-1 1 zlo zhi\n\nAtoms # sphere\n\n" + atoms
                               + "\nVelocities\n\n" + speeds)
    open("in.lmp", "w").write("""units si
atom_style sphere
boundary p p f
read_data in.data
pair_style zero 0.1
pair_coeff * *
write_data lammps.data
dump 1 all custom 1 lammps.dump id type radius mass x y z vx vy vz omegax omegay omegaz
dump_modify 1 format float %.17g sort id
dump 2 all custom 1 scaled.dump.gz id type diameter xs ys zs
dump_modify 2 format float %.17g sort id
run 0
""")
    subprocess.run(["lmp", "-in", "in.lmp", "-log", "none", "-screen", "none"], check=True)
    for name in ["in.lmp", "in.data"]: os.remove(name)

for job in [numpy_files, vtk_files, gsd_file, lammps_files]: job()
