// Compares the module with the known answers of tests/reference/goldens.json, and the picture's numbers with those of examples/walks.cpp.
//
//     node examples/web/test.mjs FOLDER docs/images/walks.svg          FOLDER: that of build.sh
import { readFile, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { join } from "node:path";

const [folder, picture] = process.argv.slice(2);
const { load } = await import(join(process.cwd(), folder, "rng.mjs"));
const rng = await load(await readFile(join(folder, "rng.wasm")));
const reference = fileURLToPath(new URL("../../tests/reference/goldens.json", import.meta.url));

/** A number as C's %a writes it, such as 0x1.8p+1. */
function real(text) {
  const [, sign, whole, fraction = "", exponent] = /^(-?)0x(\d)\.?([0-9a-f]*)p([+-]\d+)$/.exec(text);
  return (sign ? -1 : 1) * Number(`0x${whole}${fraction}`) * 2 ** (Number(exponent) - 4 * fraction.length);
}

// Those of over a million values that `rng verify` recomputes.
const long = (await readFile(new URL("../../src/verify/goldens_long.inc", import.meta.url), "utf8")).matchAll(
  /^\{"(.*?)", "(.*?)", "(.*?)", \{(.*?)\}, (\w+), (\w+), (\w+), (\w+), (\w+)\},$/gm);
const rows = JSON.parse(await readFile(reference)).goldens;
for (const [, engine, name, dtype, parameters, seed, id, position, n, digest] of long) {
  rows.push({ engine, name, dtype, seed, id, position, digest, n: Number(n), parameters: parameters ? JSON.parse(`[${parameters}]`) : [] });
}

let compared = 0, most = 0;
const wrong = [];
for (const row of rows) {
  if (row.engine !== "philox4x32-10" || !rng.has(row.name, row.dtype)) continue;
  rng.stream({ seed: BigInt(row.seed), id: BigInt(row.id), position: BigInt(row.position) });
  const values = rng.fill(row.name, row.dtype, row.n, row.parameters.map(real));
  compared += 1;
  most = Math.max(most, row.n);
  if (rng.digest(values) !== BigInt(row.digest)) wrong.push(`${row.name} ${row.dtype} ${row.parameters} n=${row.n}`);
}

const lines = [...(await readFile(picture, "utf8")).matchAll(/points="([^"]*)"/g)];
lines.forEach(([, points], walk) => {
  rng.stream({ seed: 42n });
  rng.fork("walks");
  rng.fork(walk);
  let y = 160;
  const heights = [y];
  for (const step of rng.fill("normal", "f64", 240, [0, 4])) heights.push((y += step));
  const drawn = points.split(" ").map((point) => Number(point.split(",")[1]));
  if (drawn.length !== 241 || drawn.some((height, i) => Math.abs(height - heights[i]) > 0.0500001)) wrong.push(`walk ${walk}`);
});

const { size } = await stat(join(folder, "rng.wasm"));
if (size > 150_000) wrong.push(`rng.wasm has ${size} bytes, more than 150000`);
if (compared < 40 || most < 1e6 || lines.length !== 32) wrong.push(`only ${compared} goldens and ${lines.length} walks were compared`);
console.log(`${compared} goldens, ${lines.length} walks, ${size} bytes: ${wrong.length} faults`);
for (const fault of wrong) console.log(`  ${fault}`);
process.exitCode = wrong.length === 0 ? 0 : 1;
