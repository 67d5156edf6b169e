"""The tour notebook runs from the first cell to the last on the quickstart's file, and every figure is drawn."""
import os
import pathlib
import subprocess
import sys
import tempfile

import nbformat
from nbclient import NotebookClient

BINARY, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])

with tempfile.TemporaryDirectory() as name:
    out = pathlib.Path(name) / "first.h5"
    subprocess.run([BINARY, "run", str(SOURCE / "data/models/llama-3.1-8b.json"), "sinusoidal", "learned", "alibi:heads=8",
                    "yarn:factor=4,original=8192", "--length", "8192", "--quiet", "-o", str(out)], check=True)
    os.environ["POSENC_FILE"] = str(out)
    notebook = nbformat.read(SOURCE / "notebooks/tour.ipynb", as_version=4)
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": name}}).execute()
    stem = pathlib.Path(name) / "figure"
    drawn = subprocess.run([sys.executable, str(SOURCE / "tools/plot.py"), str(out), str(stem)], check=True, capture_output=True, text=True)
    assert all((pathlib.Path(name) / f"figure.{suffix}").stat().st_size > 20_000 for suffix in ("png", "svg")), drawn.stdout

figures = sum("image/png" in output.get("data", {}) for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs)
print(f"the notebook drew {figures} figures")
assert figures == 5
