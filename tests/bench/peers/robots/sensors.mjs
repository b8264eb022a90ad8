// Prints the values of all sensors of an MJCF file as JSON, after steps without controls by the Runge-Kutta integrator with a fifth of the model's step.
// Usage: sensors.mjs FILE STEPS
import load from 'mujoco-js';
import fs from 'fs';
import { copyModel } from './files.mjs';
const mj = await load({ print: () => {}, printErr: () => {} });
const RUNGE_KUTTA = 1, PARTS = 5, SENSOR = 20;
const [file, steps] = process.argv.slice(2);
copyModel(mj, file);
const m = mj.MjModel.loadFromXML(file);
const d = new mj.MjData(m);
m.opt.integrator = RUNGE_KUTTA;
m.opt.timestep /= PARTS;
for (let i = 0; i < PARTS * Number(steps); i++) mj.mj_step(m, d);
mj.mj_forward(m, d);
const values = {};
for (let s = 0; s < m.nsensor; s++) {
  const at = m.sensor_adr[s];
  values[mj.mj_id2name(m, SENSOR, s)] = Array.from(d.sensordata.slice(at, at + m.sensor_dim[s]));
}
console.log(JSON.stringify(values));
