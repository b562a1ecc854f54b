"""What the scripts share. Importing it checks that scripts/requirements.txt is installed."""

import sys
from importlib.util import find_spec

if missing := [name for name in ("chess", "tqdm") if find_spec(name) is None]:
    print(f"not installed: {', '.join(missing)}; run: pip install -r scripts/requirements.txt", file=sys.stderr)
    raise SystemExit(2)
