"""Does every reader of the field open the file, and see the same names, shapes and values? `check_file(path)` raises
AssertionError with one line for the first thing that is wrong; it returns the number of variables. As a script:
`readers.py FILE ...`, exit 1 with that line."""
import re
import shutil
import subprocess
import sys

import h5netcdf
import h5py
import netCDF4
import numpy as np
import xarray as xr


def datasets(file):
    """All datasets of an open h5py file by their path, in the order of their creation."""
    found = {}
    file.visititems(lambda name, item: found.__setitem__("/" + name, item) if isinstance(item, h5py.Dataset) else None)
    return found


def paths(found):
    """The path of each dataset by its address in the file: HDF5 searches the whole file for the name of what a reference
    points to."""
    return {h5py.h5o.get_info(data.id).addr: name for name, data in found.items()}


def path_of(dataset, by_address):
    return by_address[h5py.h5o.get_info(dataset.id).addr]


def is_scale(dataset):
    return dataset.attrs.get("CLASS") == b"DIMENSION_SCALE"


def check_scales(path):
    """Every axis of every dataset has exactly one scale, of its length, a coordinate of the same group or above."""
    with h5py.File(path) as file:
        found = datasets(file)
        by_address = paths(found)
        for name, data in found.items():
            own = name.rsplit("/", 1)[1]
            if is_scale(data):
                assert data.ndim == 1, f"{name}: a scale of rank {data.ndim}"
                assert data.attrs["NAME"].decode() == own, f"{name}: the scale is named {data.attrs['NAME']}"
                assert "DIMENSION_LIST" not in data.attrs, f"{name}: a scale has scales"
                continue
            for axis, dimension in enumerate(data.dims):
                assert len(dimension) == 1, f"{name}: axis {axis} has {len(dimension)} scales"
                scale = dimension[0]
                place = path_of(scale, by_address).rsplit("/", 1)[0] + "/"
                assert name.startswith(place), f"{name}: axis {axis}: the scale lies in {place}"
                assert scale.shape == (data.shape[axis],), f"{name}: axis {axis}: the scale has shape {scale.shape}"
                assert scale.maxshape == (data.maxshape[axis],), f"{name}: axis {axis}: grows, or its scale does"


def check_attributes(path):
    """units and long_name everywhere, _FillValue = fill value = NaN on floats that are no coordinates, nothing of its own."""
    with h5py.File(path) as file:
        assert file.attrs.get("Conventions") == "CF-1.10", "/: Conventions is not CF-1.10"
        for name in ("title", "history"):
            assert isinstance(file.attrs.get(name), str), f"/: no {name}"
        for name, data in datasets(file).items():
            for wanted in ("units", "long_name"):
                text = data.attrs.get(wanted)
                assert isinstance(text, str) and text, f"{name}: no {wanted}"
            fill = data.attrs.get("_FillValue")
            if data.dtype.kind == "f" and not is_scale(data):
                assert fill is not None, f"{name}: no _FillValue"
                assert fill.dtype == data.dtype and fill.shape == (1,), f"{name}: _FillValue is of type {fill.dtype}{fill.shape}"
                assert np.isnan(fill[0]) and np.isnan(data.fillvalue), f"{name}: _FillValue is not NaN"
            else:
                assert fill is None, f"{name}: a _FillValue"
            for foreign in ("_Netcdf4Dimid", "_nc3_strict"):
                assert foreign not in data.attrs, f"{name}: {foreign}"
            if data.dtype == np.int8:
                flags, words = data.attrs.get("flag_values"), data.attrs.get("flag_meanings", "")
                assert flags is not None and flags.dtype == np.int8, f"{name}: flag_values are missing or not int8"
                assert len(words.split()) == len(flags), f"{name}: {len(flags)} flags, meanings '{words}'"


def check_types(path):
    """Little-endian numbers of the plain kinds and variable-length UTF-8; deflate and shuffle only; no time stamps."""
    plain = {"<f4", "<f8", "|i1", "<i2", "<i4", "<i8"}
    with h5py.File(path) as file:
        for name, data in datasets(file).items():
            if data.dtype.kind == "O":
                info = h5py.check_string_dtype(data.dtype)
                assert info and info.length is None and info.encoding == "utf-8", f"{name}: not variable-length UTF-8"
            else:
                assert data.dtype.str in plain, f"{name}: type {data.dtype.str}"
            creation = data.id.get_create_plist()
            for i in range(creation.get_nfilters()):
                kind = creation.get_filter(i)[0]
                assert kind in (h5py.h5z.FILTER_DEFLATE, h5py.h5z.FILTER_SHUFFLE), f"{name}: filter {kind}"
            assert not creation.get_obj_track_times(), f"{name}: carries time stamps"


def expected(path):
    """What h5py sees: {dataset: (dimension names, shape)}."""
    out = {}
    with h5py.File(path) as file:
        found = datasets(file)
        by_address = paths(found)
        for name, data in found.items():
            scales = [name] if is_scale(data) else [path_of(d[0], by_address) for d in data.dims]
            names = [scale.rsplit("/", 1)[1] for scale in scales]
            out[name] = (tuple(names), data.shape)
    return out


def compare(reader, name, dims, shape, wanted):
    assert not any("phony" in d for d in dims), f"{reader}: {name}: dimensions {dims}"
    assert (tuple(dims), tuple(shape)) == wanted, f"{reader}: {name}: {dims}{shape} where h5py has {wanted}"


def check_ncdump(path, variables):
    program = shutil.which("ncdump")
    assert program, "ncdump is not installed (Debian: netcdf-bin)"
    header = subprocess.run([program, "-h", path], capture_output=True, text=True)
    assert header.returncode == 0, f"ncdump -h: {header.stderr.strip()}"
    assert "phony_dim" not in header.stdout, "ncdump -h: phony_dim"
    declared = re.findall(r"^\s+(?:byte|short|int|int64|float|double|string) \S+?(?:\(.*\))? ;$", header.stdout, re.M)
    assert len(declared) == variables, f"ncdump -h: {len(declared)} variables of {variables}"
    data = subprocess.run([program, path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert data.returncode == 0, f"ncdump: {data.stderr.strip()}"


def same(a, b):
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape:
        return False
    if "O" in (a.dtype.kind, b.dtype.kind) or "U" in (a.dtype.kind, b.dtype.kind) or "T" in (a.dtype.kind, b.dtype.kind):
        return a.ravel().tolist() == b.ravel().tolist()
    return np.array_equal(a, b, equal_nan=a.dtype.kind == "f")


def values(path):
    """Every array as h5py reads it."""
    with h5py.File(path) as file:
        return {n: (d.asstr()[()] if d.dtype.kind == "O" else d[()]) for n, d in datasets(file).items()}


def check_netcdf4(path, wanted, arrays):
    def walk(group):
        for variable in group.variables.values():
            name = (group.path.rstrip("/") + "/" + variable.name)
            seen.add(name)
            compare("netCDF4", name, variable.dimensions, variable.shape, wanted[name])
            assert same(variable[...], arrays[name]), f"netCDF4: {name}: other values than h5py"
        for child in group.groups.values():
            walk(child)

    seen = set()
    with netCDF4.Dataset(path) as file:
        file.set_auto_mask(False)
        walk(file)
    assert seen == set(wanted), f"netCDF4: {sorted(set(wanted) ^ seen)} seen by one reader only"


def check_h5netcdf(path, wanted):
    def walk(group):
        for name, variable in group.variables.items():
            full = group.name.rstrip("/") + "/" + name
            seen.add(full)
            compare("h5netcdf", full, variable.dimensions, variable.shape, wanted[full])
        for child in group.groups.values():
            walk(child)

    seen = set()
    with h5netcdf.File(path, "r") as file:
        walk(file)
    assert seen == set(wanted), f"h5netcdf: {sorted(set(wanted) ^ seen)} seen by one reader only"


def check_variables(reader, path, variables, wanted, arrays):
    for name, variable in variables.items():
        full = path.rstrip("/") + "/" + name
        compare(reader, full, variable.dims, variable.shape, wanted[full])
        assert same(variable.values, arrays[full]), f"{reader}: {full}: other values than h5py"


def check_tree(path, engine, wanted, arrays):
    """The file as one tree."""
    seen = set()
    with xr.open_datatree(path, engine=engine) as tree:
        for node in tree.subtree:
            variables = node.to_dataset(inherit=False).variables
            check_variables(f"xarray datatree ({engine})", node.path, variables, wanted, arrays)
            seen.update(node.path.rstrip("/") + "/" + name for name in variables)
    assert seen == set(wanted), f"xarray datatree ({engine}): {sorted(set(wanted) ^ seen)} seen by one reader only"


def check_groups(path, engine, wanted, arrays, step):
    """Every step-th group by itself; each time the whole file is opened."""
    groups = sorted({name.rsplit("/", 1)[0] for name in wanted})
    for group in groups[::step]:
        with xr.open_dataset(path, group=group, engine=engine) as data:
            check_variables(f"xarray ({engine})", group, data.variables, wanted, arrays)
            for name in data.variables:
                is_coordinate = wanted[f"{group}/{name}"][0] == (name,)
                assert (name in data.coords) == is_coordinate, f"xarray ({engine}): {group}/{name}: coordinate or not"


def check_xarray(path, wanted, arrays):
    """Every group. Small files as a whole too: in one of hundreds of groups these readers search it for the name of every
    dimension, minutes in all, where a group alone takes a tenth of a second."""
    groups = len({name.rsplit("/", 1)[0] for name in wanted})
    check_groups(path, "h5netcdf", wanted, arrays, 1)
    check_groups(path, "netcdf4", wanted, arrays, max(1, groups // 8))
    if groups > 64:
        return
    check_h5netcdf(path, wanted)
    for engine in ("netcdf4", "h5netcdf"):
        check_tree(path, engine, wanted, arrays)


def check_file(path):
    path = str(path)
    check_scales(path)
    check_attributes(path)
    check_types(path)
    wanted, arrays = expected(path), values(path)
    assert wanted, "no dataset"
    check_ncdump(path, len(wanted))
    check_netcdf4(path, wanted, arrays)
    check_xarray(path, wanted, arrays)
    return len(wanted)


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        try:
            variables = check_file(argument)
        except AssertionError as problem:
            sys.exit(f"{argument}: {problem}")
        print(f"{argument}: every reader agrees on {variables} variables")
