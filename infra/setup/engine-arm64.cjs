// `npm run engine`: fetches the query engine's native code for the deployed functions (linux on arm64), whatever machine this is.
// With `--if-missing`, before a synthesis, nothing is fetched where it is there, and a registry out of reach is told and no end.
// It has a folder and a lockfile of its own, because npm would put it in the place of this machine's own code.
"use strict";

const { spawnSync } = require("node:child_process");
const { closeSync, existsSync, openSync, readSync } = require("node:fs");
const { join } = require("node:path");

const FOLDER = join(__dirname, "engine-arm64");
const NATIVE = join(FOLDER, "node_modules", "@duckdb", "node-bindings-linux-arm64", "duckdb.node");
const MACHINE_AT = 18;
const ARM64 = 0xb7;

function isForArm64() {
  if (!existsSync(NATIVE)) return false;
  const machine = Buffer.alloc(2);
  const file = openSync(NATIVE, "r");
  readSync(file, machine, 0, 2, MACHINE_AT);
  closeSync(file);
  return machine.readUInt16LE(0) === ARM64;
}

const ifMissing = process.argv.includes("--if-missing");
if (ifMissing && isForArm64()) process.exit(0);

const target = ["--os=linux", "--cpu=arm64", "--libc=glibc"];
const flags = ["ci", "--prefer-offline", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"].concat(target);
const npm = process.env.npm_execpath;
const options = { cwd: FOLDER, stdio: ["ignore", 2, 2] };
const done = npm
  ? spawnSync(process.env.npm_node_execpath || process.execPath, [npm].concat(flags), options)
  : spawnSync("npm", flags, Object.assign({ shell: process.platform === "win32" }, options));

// npm ends well also where it could not get the package, because it is an optional one: so look at the file itself.
if (done.status !== 0 || !isForArm64()) {
  process.stderr.write("The engine's code for arm64 could not be fetched: see npm's message above; it needs the package registry.\n");
  process.exit(ifMissing ? 0 : 1);
}
process.stderr.write("The query engine's code for the deployed functions is in place.\n");
