// Prints one line of JSON for each MJCF file of a list: [file, { free, full }], how the bodies move in MuJoCo within 100 steps of the model without controls,
// by the Runge-Kutta integrator with a fifth of the model's step. Models of more than 100 degrees of freedom are left out. free: without contacts; full: with contacts.
// Each of both has `bodies`: by name [start, end] of the body's frame [m]; `doubt`: how far the end moves if half the model's step is taken [m];
// `limits`, `contacts`: whether these act. `other`: what acts besides joints, springs and actuators. `fall`: way of a free fall in this time [m].
import load from 'mujoco-js';
import fs from 'fs';
import { copyModel } from './files.mjs';
const mj = await load({ print: () => {}, printErr: () => {} });
const CONTACT = 1 << 4, RUNGE_KUTTA = 1, STEPS = 100, MOST = 100;
function positions(m, d) {
  const all = {};
  for (let b = 1; b < m.nbody; b++) {
    const name = mj.mj_id2name(m, 1, b) || `body_${b}`; // as scree numbers bodies without a name
    if (m.body_weldid[b] !== 0) all[name] = [0, 1, 2].map(k => d.xpos[3 * b + k]);
  }
  return all;
}
const sum = list => Array.from(list).reduce((a, b) => a + Math.abs(b), 0);
// Returns what acts in a model besides rigid bodies, joints, springs and dampers of joints and tendons, and actuators.
function others(m) {
  const found = [];
  if (m.nflex > 0) found.push('flex');
  if (m.ntendon > 0 && sum(m.tendon_frictionloss) + sum(m.tendon_limited) > 0) found.push('tendon');
  if (m.na > 0) found.push('activation');
  if (m.opt.density > 0 || m.opt.viscosity > 0) found.push('fluid');
  if (sum(m.body_gravcomp) > 0) found.push('gravcomp');
  if (m.nplugin > 0) found.push('plugin');
  if (m.neq > 0) found.push('equality');
  if (sum(m.dof_frictionloss) > 0) found.push('frictionloss');
  return found;
}
function run(m, parts, flags) {
  const step = m.opt.timestep, before = m.opt.disableflags;
  m.opt.timestep = step / parts;
  m.opt.disableflags = before | flags;
  const d = new mj.MjData(m);
  mj.mj_forward(m, d);
  const start = positions(m, d);
  let contacts = false, limits = false;
  for (let i = 0; i < STEPS * parts; i++) {
    mj.mj_step(m, d);
    contacts = contacts || d.ncon > 0;
    limits = limits || d.nl > 0;
  }
  mj.mj_kinematics(m, d);
  const end = positions(m, d);
  const time = d.time;
  d.delete();
  m.opt.timestep = step;
  m.opt.disableflags = before;
  if (Math.abs(time - STEPS * step) > 1e-6 * step * STEPS) throw new Error('MuJoCo has started again: the state was not finite');
  return { start, end, contacts, limits };
}
function compare(m, flags) {
  const fine = run(m, 5, flags), coarse = run(m, 2, flags), bodies = {};
  let doubt = 0;
  for (const name in fine.start) {
    bodies[name] = [fine.start[name], fine.end[name]];
    doubt = Math.max(doubt, Math.hypot(...fine.end[name].map((x, k) => x - coarse.end[name][k])));
  }
  return { bodies, doubt, limits: fine.limits, contacts: fine.contacts };
}
for (const file of fs.readFileSync(process.argv[2], 'utf8').trim().split('\n')) {
  let result;
  try {
    copyModel(mj, file);
    const m = mj.MjModel.loadFromXML(file);
    if (m.nv > MOST) throw new Error('the model has more degrees of freedom');
    m.opt.integrator = RUNGE_KUTTA;
    const fall = Math.hypot(...[0, 1, 2].map(k => m.opt.gravity[k])) * (STEPS * m.opt.timestep) ** 2 / 2;
    result = { other: others(m), fall, free: compare(m, CONTACT), full: compare(m, 0) };
    m.delete();
  } catch (e) { result = { error: String(e.message || e).slice(0, 200) }; }
  console.log(JSON.stringify([file, result]));
}
