// Copies the files of models into the memory of MuJoCo.
import fs from 'fs';
import path from 'path';
const copied = new Set();
// Copies a file, or the files of a folder, into the memory of MuJoCo.
function copy(mj, name, depth) {
  if (copied.has(name) || !fs.existsSync(name)) return;
  copied.add(name);
  const info = fs.statSync(name);
  if (info.isDirectory()) {
    for (const entry of depth > 0 ? fs.readdirSync(name) : []) copy(mj, path.join(name, entry), depth - 1);
  } else if (/\.(xml|stl|obj|ply|msh|bin|skn)$/i.test(name) && info.size < 2e7) {
    let at = '';
    for (const part of path.dirname(name).split('/').filter(Boolean)) {
      at += '/' + part;
      try { mj.FS.mkdir(at); } catch { /* exists */ }
    }
    mj.FS.writeFile(name, fs.readFileSync(name));
  }
}
// Copies an MJCF file with the files that it names.
export function copyModel(mj, file) {
  copy(mj, path.dirname(file), 4);
  for (const m of fs.readFileSync(file, 'utf8').matchAll(/(?:file|meshdir|assetdir)="([^"]+)"/g)) copy(mj, path.resolve(path.dirname(file), m[1]), 3);
}
