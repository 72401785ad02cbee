"""Writes the generated files of src/bv_sdk from docs/openapi.json. With `--check` it only reports drift.

datamodel-code-generator prints the types. The methods and error codes are printed here.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from api_document import Api, read_api
from print_errors import print_errors
from print_operations import print_operations

ROOT = Path(__file__).parents[1]
HEADER = "# Generated from docs/openapi.json by scripts/generate.py; changes belong in libs/contract.\n"


def print_types(schemas: dict[str, Any]) -> str:
    document = {
        "openapi": "3.1.0",
        "info": {"title": "types", "version": "1"},
        "paths": {},
        "components": {"schemas": schemas},
    }
    with tempfile.TemporaryDirectory() as scratch:
        source, target = Path(scratch, "types.json"), Path(scratch, "types.py")
        source.write_text(json.dumps(document))
        command = [sys.executable, "-m", "datamodel_code_generator"]
        command += ["--input", str(source), "--input-file-type", "openapi", "--output", str(target)]
        command += ["--output-model-type", "typing.TypedDict", "--target-python-version", "3.10"]
        command += ["--enum-field-as-literal", "all", "--disable-timestamp", "--use-generic-container-types"]
        command += ["--use-field-description", "--use-schema-description", "--use-standard-collections"]
        command += ["--use-union-operator", "--formatters", "builtin", "--custom-file-header", HEADER]
        subprocess.run(command, check=True)
        return target.read_text()


def format_python(text: str) -> str:
    """Formats with the settings of this package."""
    ruff = [sys.executable, "-m", "ruff"]
    options = ["--stdin-filename", str(ROOT / "src/bv_sdk/types.py"), "-"]
    for words in (["check", "--fix-only", "--quiet", "--select", "I,F401,UP"], ["format"]):
        done = subprocess.run(
            [*ruff, *words, *options], input=text, capture_output=True, text=True, check=True, cwd=ROOT
        )
        text = done.stdout
    return text


def generate(api: Api) -> dict[str, str]:
    texts = {
        "types.py": print_types(api.schemas),
        "operations.py": HEADER + print_operations(api),
        "error_codes.py": HEADER + print_errors(api),
    }
    return {name: format_python(text) for name, text in texts.items()}


def main() -> int:
    check = "--check" in sys.argv
    differing = 0
    for name, text in generate(read_api(ROOT / "../../docs/openapi.json")).items():
        path = ROOT / "src/bv_sdk" / name
        if path.exists() and path.read_text() == text:
            continue
        differing += 1
        print(f"{'drifted' if check else 'written'}: {path.relative_to(ROOT)}")
        if not check:
            path.write_text(text)
    if differing == 0:
        print("generated Python files are up to date")
    elif check:
        print("run `pnpm generate:python` and commit the files")
    return 1 if check and differing else 0


if __name__ == "__main__":
    sys.exit(main())
