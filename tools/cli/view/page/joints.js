// Joints, as run.json had them at the start of the run: {type, a, b, at: in a's frame, at_b: in b's or the ground's, axis: in a's frame}.

// Draws a rod from each body to the joint's point and a short rod along its axis; a distance joint is a rod between its anchors.
function putJoints(strips, frame, joints, extent) {
  const place = (id, local) => {
    if (id === 0) return vec.sub(local, frame.origin);
    const row = frame.roster.find(id);
    if (row < 0) return null;
    const turn = frame.turn ? Array.from(frame.turn.subarray(4 * row, 4 * row + 4)) : [1, 0, 0, 0];
    return vec.add(Array.from(frame.position.subarray(3 * row, 3 * row + 3)), turnVector(turn, local));
  };
  const near = (at, other) => at && other && frame.cell ? frame.cell.near(at, other) : at;
  const rods = [];
  for (const joint of joints) {
    const at = place(joint.a, joint.at), other = near(place(joint.b, joint.at_b), at), centre = place(joint.a, [0, 0, 0]);
    if (!at || !other) continue;
    const row = frame.roster.find(joint.a), reach = Math.min(0.5 * (frame.roster.radius[row] || extent), 0.08 * extent);
    if (joint.type === "distance") rods.push([at, other, 0.12 * reach]);
    else rods.push([centre, at, 0.10 * reach]);
    if (joint.type !== "distance" && joint.b) rods.push([at, near(place(joint.b, [0, 0, 0]), at), 0.10 * reach]);
    if (!joint.axis || joint.type === "distance" || joint.type === "ball") continue;
    const tip = place(joint.a, vec.add(joint.at, vec.scale(joint.axis, reach)));
    rods.push([vec.sub(vec.scale(at, 2), tip), tip, 0.16 * reach]);
  }
  strips.begin(rods.length);
  strips.own.uPlain.value = 1;
  for (const [from, to, wide] of rods) {
    const k = strips.batch.count;
    strips.add(from, 0, 0, wide, 0);
    for (let c = 0; c < 3; c++) strips.batch.array.to[3 * k + c] = to[c];
  }
  strips.end();
}
