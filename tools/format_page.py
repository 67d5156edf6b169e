"""Fills the tables of data/FORMAT.md from the program's own schemas.

usage: format_page.py POSENC [--check]      --check: exit 1 where the page differs from what it would be
"""
import json
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).parent.parent / "data/FORMAT.md"


def variables(binary, analysis):
    text = subprocess.run([binary, "analyses", analysis, "--json"], check=True, capture_output=True, text=True).stdout
    return json.loads(text)["variables"]


def row(variable):
    shape = f"({', '.join(variable['dims'])})" if variable["dims"] else ""
    about = variable["about"].replace("|", "\\|")
    return f"| `{variable['name']}{shape}` | {variable['unit']} | {about} |"


def table(binary, analysis):
    seen, rows = set(), ["| variable | unit | meaning |", "|---|---|---|"]
    for variable in variables(binary, analysis):
        key = (variable["name"], tuple(variable["dims"]))
        if key not in seen:
            seen.add(key)
            rows.append(row(variable))
    return "\n".join(rows)


def filled(binary):
    def fill(match):
        return f"{match[1]}\n{table(binary, match[2])}\n{match[3]}"

    return re.sub(r"(<!-- variables of ([a-z]+) -->)\n.*?(<!-- end -->)", fill, PAGE.read_text(), flags=re.S)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--check"]):
        sys.exit(__doc__)
    page = filled(sys.argv[1])
    if sys.argv[2:]:
        if page != PAGE.read_text():
            sys.exit("data/FORMAT.md is not what the schemas say: run tools/format_page.py")
    else:
        PAGE.write_text(page)
