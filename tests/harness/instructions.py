"""Instructions that a program takes, counted by callgrind: work that no load of the machine disturbs."""
import os
import re
import subprocess
import sys


def count(command, folder):
    """Of a run of `command` at home in `folder`, where the counts are left as well. What the run says does not matter."""
    run = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/callgrind.out", *command],
                         stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False,
                         env={"PATH": os.environ["PATH"], "HOME": str(folder), "LC_ALL": "C.UTF-8"})
    found = re.search(r"Collected : (\d+)", run.stderr)
    if not found:
        sys.exit(f"valgrind: {run.stderr[-500:]}")
    return int(found.group(1))
