#!/usr/bin/env bash
# Every page of the docs is listed in docs/README.md, every link inside the repository leads somewhere, every scene the index names exists.
# arguments: program, source folder
cd "$2" || exit 1
bad=0
complain() { echo "$*"; bad=1; }

for page in $(cd docs && find . -name '*.md' ! -name README.md ! -path './notebook/*' | sed 's,^\./,,'); do
  grep -qF "]($page)" docs/README.md || complain "docs/README.md does not list docs/$page"
done
for page in README.md $(find docs -name '*.md' ! -path 'docs/notebook/*'); do
  for link in $(grep -oE '\]\([^) ]+\)' "$page" | sed -e 's/^](//' -e 's/)$//' -e 's/#.*//' -e '/^https*:/d' | sort -u); do
    [ -e "$(dirname "$page")/$link" ] || complain "$page: $link leads nowhere"
  done
  # code spans that name files of the repository: tools/x, scenes/x.lua, engine/x.c, docs/x.md ...
  for path in $(grep -oE '`(tools|scenes|engine|lua|tests|docs)/[A-Za-z0-9_./-]+`' "$page" | tr -d '`' | grep -v NAME | sort -u); do
    [ -e "$path" ] || complain "$page: there is no $path"
  done
done
for name in $(sed -n '/^## Scenes that come along/,$p' docs/README.md | grep '^|' | grep -oE '`[a-z_]+`' | tr -d '`'); do
  [ -f "scenes/$name.lua" ] || complain "docs/README.md names a scene $name that does not exist"
done
exit $bad
