"""Fills README's table of published numbers from `posenc reproduce --markdown`.

usage: readme_page.py POSENC [--check]      --check: exit 1 where a row's name, published number or verdict differs
"""
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).parent.parent / "README.md"
PART = re.compile(r"(<!-- posenc reproduce --markdown -->)\n.*?(<!-- end -->)", flags=re.S)


def rows(table):
    """Names, published numbers and verdicts; ours depend on the instruction set in the last digits."""
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.replace("\\|", "/").splitlines() if line.startswith("|")]
    return [(row[0], row[1], *row[3:]) for row in cells]


def main(binary, check):
    made = subprocess.run([binary, "reproduce", "--markdown"], check=True, capture_output=True, text=True).stdout.strip()
    page = PAGE.read_text()
    if check:
        found = PART.search(page)
        if not found or rows(found[0]) != rows(made):
            sys.exit("README.md's table is not what the program says: run tools/readme_page.py")
    else:
        PAGE.write_text(PART.sub(lambda match: f"{match[1]}\n{made}\n{match[2]}", page))


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--check"]):
        sys.exit(__doc__)
    main(sys.argv[1], bool(sys.argv[2:]))
