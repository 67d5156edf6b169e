"""data/FORMAT.md says what the schemas say, and a real file holds nothing that the page does not describe."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import h5py

BINARY, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
PAGE = (SOURCE / "data/FORMAT.md").read_text()


def described():
    """{group: {(variable, dims)}} of the page's tables."""
    out = {}
    for name, table in re.findall(r"<!-- variables of ([a-z]+) -->\n(.*?)<!-- end -->", PAGE, flags=re.S):
        rows = re.findall(r"^\| `(\w+)(?:\(([^)]*)\))?` \|", table, flags=re.M)
        assert rows, f"{name}: an empty table"
        out[name] = {(variable, tuple(filter(None, re.split(r",\s*", dims)))) for variable, dims in rows}
    return out


def dims_of(dataset):
    own = dataset.name.split("/")[-1]
    if dataset.is_scale:
        return (own,)
    return tuple(scale[0].name.split("/")[-1] for scale in dataset.dims)


def scheme_keys(scheme):
    text = subprocess.run([BINARY, "schemes", scheme, "--json"], check=True, capture_output=True, text=True).stdout
    return {key["name"].replace("-", "_") for key in json.loads(text)["fields"]}


def analysis_options(analysis):
    text = subprocess.run([BINARY, "analyses", analysis, "--json"], check=True, capture_output=True, text=True).stdout
    return {option["name"].replace("-", "_") for option in json.loads(text)["options"]}


subprocess.run([sys.executable, str(SOURCE / "tools/format_page.py"), BINARY, "--check"], check=True)
variables = described()
root_words = set(re.findall(r"`(\w+)`", PAGE[PAGE.index("## Attributes of the root"):PAGE.index("## Attributes of a leaf group")]))
leaf_words = set(re.findall(r"`(\w+)`", PAGE[PAGE.index("## Attributes of a leaf group"):PAGE.index("## /encodings")]))
seen = set()
with tempfile.TemporaryDirectory() as name:
    out = f"{name}/all.h5"
    subprocess.run([BINARY, "run", "standard", "--length", "256", "--quiet", "-o", out], check=True)
    with h5py.File(out) as file:
        unknown = set(file.attrs) - root_words
        assert not unknown, f"attributes of the root that the page does not describe: {unknown}"
        for analysis in file:
            if analysis == "summary":
                continue
            assert analysis in variables, f"group /{analysis} is not on the page"
            options = analysis_options(analysis)
            for label, group in file[analysis].items():
                for variable, dataset in group.items():
                    entry = (variable, dims_of(dataset))
                    assert entry in variables[analysis], f"/{analysis}/{label}: {entry} is not on the page"
                    seen.add((analysis, variable))
                keys = scheme_keys(group.attrs["scheme"])
                for attribute in group.attrs:
                    known = attribute in leaf_words | keys | options or attribute.startswith("not_applicable_")
                    assert known, f"/{analysis}/{label}: attribute {attribute} is not on the page"
print(f"{len(seen)} variables of a real file are as the page describes them")
assert len(seen) > 80
