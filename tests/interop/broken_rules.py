"""Does readers.check_file notice? `broken_rules.py FILE` breaks one rule at a time in a copy of a good file; exit 1 if one
goes unnoticed."""
import pathlib
import shutil
import sys
import tempfile

import h5py
import numpy as np

sys.dont_write_bytecode = True
from readers import check_file  # noqa: E402

DATA = "/encodings/rope/cos"


def detach_scale(file):
    file[DATA].dims[0].detach_scale(file["/encodings/rope/position"])


def attach_two_scales(file):
    file["/encodings/rope/other"] = np.arange(300.0)
    file["/encodings/rope/other"].make_scale("other")
    file[DATA].dims[0].attach_scale(file["/encodings/rope/other"])


def attach_scale_of_a_sibling(file):
    file[DATA].dims[0].detach_scale(file["/encodings/rope/position"])
    file[DATA].dims[0].attach_scale(file["/encodings/rope32/position"])


def attach_scale_of_another_length(file):
    file[DATA].dims[0].detach_scale(file["/encodings/rope/position"])
    file[DATA].dims[0].attach_scale(file["/encodings/rope/pair"])


def add_dataset_without_scales(file):
    data = file.create_dataset("/encodings/rope/bare", data=np.zeros(5))
    data.attrs.update(units="1", long_name="bare")
    data.attrs.create("_FillValue", np.array([np.nan]))


def rename_scale(file):
    scale = file["/encodings/rope/position"]
    scale.attrs["NAME"] = np.bytes_("phony_dim_0")


def drop_units(file):
    del file[DATA].attrs["units"]


def drop_long_name(file):
    del file[DATA].attrs["long_name"]


def drop_fill_value(file):
    del file[DATA].attrs["_FillValue"]


def fill_value_of_another_type(file):
    del file[DATA].attrs["_FillValue"]
    file[DATA].attrs.create("_FillValue", np.array([np.nan], dtype="f4"))


def add_netcdf4_dimid(file):
    file["/encodings/rope/position"].attrs["_Netcdf4Dimid"] = np.int32(0)


def add_half_precision(file):
    data = file.create_dataset("/encodings/rope/half", data=np.zeros(7, "f2"), fillvalue=np.nan)
    data.attrs.update(units="1", long_name="half")
    data.attrs.create("_FillValue", np.array([np.nan], dtype="f2"))
    data.dims[0].attach_scale(file["/encodings/rope/pair"])


def drop_conventions(file):
    del file.attrs["Conventions"]


RULES = [detach_scale, attach_two_scales, attach_scale_of_a_sibling, attach_scale_of_another_length, add_dataset_without_scales,
         rename_scale, drop_units, drop_long_name, drop_fill_value, fill_value_of_another_type, add_netcdf4_dimid,
         add_half_precision, drop_conventions]

if __name__ == "__main__":
    check_file(sys.argv[1])
    unnoticed = []
    with tempfile.TemporaryDirectory() as folder:
        for rule in RULES:
            copy = pathlib.Path(folder) / f"{rule.__name__}.h5"
            shutil.copy(sys.argv[1], copy)
            with h5py.File(copy, "r+") as file:
                rule(file)
            try:
                check_file(copy)
                unnoticed.append(rule.__name__)
            except AssertionError as problem:
                print(f"{rule.__name__}: {problem}")
    sys.exit(f"unnoticed: {', '.join(unnoticed)}" if unnoticed else 0)
