"""Files of coarse-grained fields beside the table of the same run: cells in the same order, middles where the table has them.

usage: read_fields.py FILE.vti|FILE.vts TABLE.csv     read by VTK where it is installed, else as XML.
"""
import csv
import sys
import xml.etree.ElementTree as tree

name, table = sys.argv[1:]
with open(table, newline="") as file:
    rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]


def by_vtk():
    from vtkmodules.vtkIOXML import vtkXMLImageDataReader, vtkXMLStructuredGridReader
    reader = (vtkXMLImageDataReader if name.endswith(".vti") else vtkXMLStructuredGridReader)()
    reader.SetFileName(name)
    reader.Update()
    grid = reader.GetOutput()
    data, middles = grid.GetCellData(), []
    for i in range(grid.GetNumberOfCells()):
        points = grid.GetCell(i).GetPoints()
        corners = [points.GetPoint(k) for k in range(points.GetNumberOfPoints())]
        middles.append([sum(c[k] for c in corners) / len(corners) for k in range(3)])
    return middles, {n: [data.GetArray(n).GetTuple(i) for i in range(len(middles))] for n in ("density", "momentum", "kinetic", "contact")}


def by_xml():
    root = tree.parse(name).getroot()[0]
    extent = [int(n) for n in root.get("WholeExtent").split()]
    n, out = extent[1::2], {}
    for array in root.iter("DataArray"):
        values, width = [float(v) for v in array.text.split()], int(array.get("NumberOfComponents"))
        out[array.get("Name")] = [values[i:i + width] for i in range(0, len(values), width)]
    corners = out.get(None) or [[float(o) + i * float(s) for o, s, i in zip(root.get("Origin").split(), root.get("Spacing").split(), at)]
                                for at in ((i, j, k) for k in range(n[2] + 1) for j in range(n[1] + 1) for i in range(n[0] + 1))]
    at = lambda i, j, k: corners[i + (n[0] + 1) * (j + (n[1] + 1) * k)]
    middles = [[(a + b) / 2 for a, b in zip(at(i, j, k), at(i + 1, j + 1, k + 1))] for k in range(n[2]) for j in range(n[1]) for i in range(n[0])]
    return middles, out


try:
    middles, found = by_vtk()
    print("read by VTK")
except ImportError:
    middles, found = by_xml()
assert len(middles) == len(rows) and len(rows) > 10, (len(middles), len(rows))
size = max(abs(r[k]) for r in rows for k in "xyz")
largest = max(r["density"] for r in rows)
for middle, row, density in zip(middles, rows, found["density"]):
    assert all(abs(m - row[k]) < 1e-6 * size for m, k in zip(middle, "xyz")), (middle, row)
    assert abs(density[0] - row["density"]) < 1e-6 * largest
for array, columns in {"momentum": ["momentum_x", "momentum_y", "momentum_z"], "contact": ["contact_" + i + j for i in "xyz" for j in "xyz"],
                       "kinetic": ["kinetic_" + (i + j if i <= j else j + i) for i in "xyz" for j in "xyz"]}.items():
    most = max(abs(row[c]) for row in rows for c in columns)
    assert most > 0, array
    for values, row in zip(found[array], rows):
        assert all(abs(v - row[c]) < 1e-6 * most for v, c in zip(values, columns)), (array, values)
