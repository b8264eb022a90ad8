#!/usr/bin/env bash
# Six decks of LIGGGHTS, LAMMPS and YADE beside their translations in this folder, for three seeds each, as a Markdown table.
#
#   tests/bench/peers/decks/decks.sh [SCREE [FOLDER]]     program (build/release/scree), folder for what is made (a new one under /tmp)
#
# Debian packages: liggghts, lammps with lammps-examples, yade. LIGGGHTS' decks are not in its package: LIGGGHTS_EXAMPLES names the folder
# examples/LIGGGHTS/Tutorials_public of its source tree. The decks of the other programs are unchanged, except for the seed and the output.
# YADE's tutorials leave parts to the reader; *_tail.py has these parts. YADE's drum turns for 5 s in both programs. DECKS names the decks to
# run, SEEDS the seeds. The script does not repeat runs that are in FOLDER. All programs together take about an hour of one core.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
scree=$(realpath "${1:-$here/../../../../build/release/scree}")
work=${2:-$(mktemp -d)}
liggghts_examples=${LIGGGHTS_EXAMPLES:-}
lammps_examples=${LAMMPS_EXAMPLES:-/usr/share/doc/lammps-examples/examples}
yade_examples=${YADE_EXAMPLES:-/usr/share/doc/yade/examples}
mkdir -p "$work"
cd "$work"
work=$PWD
export OMP_NUM_THREADS=1
primes=(0 32452867 49979687 67867967) # LIGGGHTS' seeds are primes; the first is that of its decks
columns="x y z vx vy vz omegax omegay omegaz radius mass"

# enter DECK PROGRAM SEED: makes and enters a folder; fails if the run is there already
enter() {
  [ -e "$work/$1.$2.$3/done" ] && return 1
  rm -rf "$work/$1.$2.$3"
  mkdir "$work/$1.$2.$3"
  cd "$work/$1.$2.$3"
}

# liggghts_deck DECK SEED FOLDER INPUT EVERY COLUMNS [EDIT...]: runs a deck of LIGGGHTS; EDIT: further arguments of sed
liggghts_deck() {
  local deck=$1 seed=$2 folder=$3 input=$4 every=$5 wanted=$6
  shift 6
  enter "$deck" "${program:-liggghts}" "$seed" || return 0
  cp -r "$liggghts_examples/$folder"/* .
  mkdir -p post
  sed -e "s/seed [0-9]*/seed ${primes[$seed]}/" -e "s|^dump\s*dmp.*|dump dmp all custom $every dump.* $wanted\ndump_modify dmp pad 7|" \
    -e '/^dump\s*dumpstress/d' "$@" "$input" >in
  liggghts -in in >out 2>&1 && touch done
}

# lammps_deck DECK SEED INPUT: runs a deck of LAMMPS
lammps_deck() {
  enter "$1" lammps "$2" || return 0
  sed -e "s/ 1 42424 / 1 $((42423 + $2)) /" -e "s|^thermo_modify.*lost warn|&\ndump out all custom 10000 dump.* id type $columns\ndump_modify out pad 7|" \
    "$lammps_examples/$3" >in
  lmp -in in >out 2>&1 && touch done
}

# yade_deck DECK SEED SCRIPT [FILE]: runs a script of YADE with our tail, without its windows
yade_deck() {
  enter "$1" yade "$2" || return 0
  [ $# -lt 4 ] || cp "$yade_examples/$4" .
  { sed -e '/qt\./d' -e '/import qt/d' -e '/^if nRead/d' -e "s/seed=1)/seed=$2)/" "$yade_examples/$3"; cat "$here/$1_tail.py"; } >deck.py
  SEED=$2 yade -n -x -j1 deck.py >out 2>&1 && touch done
}

# ours DECK SEED KEY=VALUE...: runs our translation
ours() {
  local deck=$1 seed=$2
  shift 2
  enter "$deck" scree "$seed" || return 0
  "$scree" run --trust -q -o . "$here/$deck.lua" seed="$seed" "$@" >out 2>&1 && touch done
}

# run DECK SEED: both sides
run() {
  case $1 in
    chute)
      liggghts_deck chute "$2" chute_wear in.chute_wear 2000 "id type $columns"
      program=bounded liggghts_deck chute "$2" chute_wear in.chute_wear 2000 "id type $columns" \
        -e '/^pair_style/s/$/ limitForce on tangential_damping off/; /^pair_style/s/#[^l]*//' -e '/wall\/gran/s/$/ limitForce on tangential_damping off/'
      ours chute "$2" deck="$liggghts_examples/chute_wear" ;;
    clumps)
      liggghts_deck clumps "$2" multisphere_stone_restitution in.multisphere 1000 "id type $columns mol"
      ours clumps "$2" file="$work/clumps.liggghts.$2/dump.0001000" ;;
    hopper) lammps_deck hopper "$2" granregion/in.granregion.funnel; ours hopper "$2" ;;
    mixer) lammps_deck mixer "$2" granregion/in.granregion.mixer; ours mixer "$2" ;;
    drum) yade_deck drum "$2" baraban/baraban.py baraban/baraban.stl; ours drum "$2" deck="$work/drum.yade.$2" ;;
    triaxial) yade_deck triaxial "$2" triax-tutorial/script-session1.py; ours triaxial "$2" deck="$work/triaxial.yade.$2" ;;
    *) echo "there is no deck $1" >&2; return 1 ;;
  esac
  cd "$work"
}

# frames DECK PROGRAM SEED: the files that judge.lua reads
frames() {
  case $1.$2 in
    triaxial.scree) echo "$1.$2.$3/series.csv" ;;
    triaxial.yade) echo "$1.$2.$3/series.txt" ;;
    *.scree) echo "$1.$2.$3/trajectory.scree" ;;
    *.yade) echo "$1.$2.$3"/frame.* ;;
    *) echo "$1.$2.$3"/dump.* ;;
  esac
}

# figures DECK PROGRAM: lines "name mean deviation" over the seeds
figures() {
  for seed in $seeds; do
    [ -e "$work/$1.$2.$seed/done" ] && "$scree" lua --trust --callback-time 1000 "$here/judge.lua" "$1" $(frames "$1" "$2" "$seed") 2>/dev/null
  done | awk -F'\t' '!($1 in n) { name[++names] = $1 } { n[$1]++; s[$1] += $2; q[$1] += $2 * $2 }
    END { for (k = 1; k <= names; k++) { i = name[k]; m = s[i] / n[i]; v = n[i] > 1 ? (q[i] - n[i] * m * m) / (n[i] - 1) : 0
      printf "%s\t%.4g ± %.2g\n", i, m, (v > 0 ? sqrt(v) : 0) } }'
}

seeds=${SEEDS:-1 2 3}
declare -A program_of=([chute]=liggghts [clumps]=liggghts [hopper]=lammps [mixer]=lammps [drum]=yade [triaxial]=yade)
echo "| deck | figure | program | scree |"
echo "|---|---|---|---|"
for deck in ${DECKS:-hopper drum chute mixer triaxial clumps}; do
  for seed in $seeds; do run "$deck" "$seed" || echo "$deck: seed $seed failed: $(tail -n 1 out)" >&2; cd "$work"; done
  theirs="${program_of[$deck]}"
  for other in $theirs $([ "$deck" = chute ] && echo bounded); do
    paste <(figures "$deck" "$other") <(figures "$deck" scree) |
      awk -F'\t' -v deck="$deck, $other" '{ printf "| %s | %s | %s | %s |\n", deck, $1, $2, $4 }'
  done
done
