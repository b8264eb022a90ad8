// Prints one line of JSON for each MJCF file of a list: [file, { mass, centre, bodies, dof, limits }] by MuJoCo, with all joints at their start.
// Bodies that do not move do not count. A model that MuJoCo refuses has { error }.
import load from 'mujoco-js';
import fs from 'fs';
import { copyModel } from './files.mjs';
const mj = await load({ print: () => {}, printErr: () => {} });
function measure(file) {
  copyModel(mj, file);
  const m = mj.MjModel.loadFromXML(file);
  const d = new mj.MjData(m);
  mj.mj_forward(m, d);
  let mass = 0;
  const centre = [0, 0, 0], moving = new Set(), limits = [];
  for (let b = 1; b < m.nbody; b++) {
    if (m.body_weldid[b] === 0) continue;
    mass += m.body_mass[b];
    moving.add(m.body_weldid[b]);
    for (let k = 0; k < 3; k++) centre[k] += m.body_mass[b] * d.xipos[3 * b + k];
  }
  for (let j = 0; j < m.njnt; j++) {
    const start = m.qpos0[m.jnt_qposadr[j]];
    if (m.jnt_type[j] >= 2 && m.jnt_limited[j]) limits.push([m.jnt_range[2 * j] - start, m.jnt_range[2 * j + 1] - start]);
  }
  const result = { mass, centre: centre.map(x => (mass ? x / mass : 0)), bodies: moving.size, dof: m.nv, limits };
  d.delete();
  m.delete();
  return result;
}
for (const file of fs.readFileSync(process.argv[2], 'utf8').trim().split('\n')) {
  let result;
  try { result = measure(file); } catch (e) { result = { error: String(e.message || e).slice(0, 200) }; }
  console.log(JSON.stringify([file, result]));
}
