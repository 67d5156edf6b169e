"""README's table of published numbers is what the program prints, and every scheme that it lists is there, and the other way round."""
import json
import pathlib
import re
import subprocess
import sys

BINARY, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
PAGE = (SOURCE / "README.md").read_text()

subprocess.run([sys.executable, str(SOURCE / "tools/readme_page.py"), BINARY, "--check"], check=True)

listed = set()
for row in re.search(r"## The schemes\n(.*?)\nWhere public", PAGE, flags=re.S)[1].splitlines():
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    if len(cells) == 2 and not set(cells[0]) <= {"-", " "} and cells[0] != "family":
        listed |= {name.strip() for name in cells[1].split(",")}
schemes = json.loads(subprocess.run([BINARY, "schemes", "--json"], check=True, capture_output=True, text=True).stdout)["schemes"]
built = {scheme["name"] for scheme in schemes}
assert listed == built, f"only in README: {listed - built}, only in the program: {built - listed}"
assert f"the {len(built)} schemes" in PAGE, f"README must say that there are {len(built)} schemes"
assert len(re.search(r"\nNot yet:\n\n(.*?)\n\n", PAGE, flags=re.S)[1].splitlines()) <= 2 + 5, "more than five schemes are not yet there"
print(f"{len(built)} schemes and the published numbers are as README says")
