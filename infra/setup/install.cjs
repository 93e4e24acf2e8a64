// Runs before `npm start` and `npm test`: makes node_modules what the lockfile says, and does nothing when it already is.
// Plain JavaScript for whichever Node a machine has: the Node that runs everything else comes with the packages.
"use strict";

const { spawnSync } = require("node:child_process");
const { existsSync, readFileSync } = require("node:fs");
const { join } = require("node:path");

const ROOT = join(__dirname, "..", "..");
const NEEDED_NODE = 24;

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (_unreadable) {
    return undefined;
  }
}

/** True when each package of the lockfile lies in node_modules in that version; packages for other machines may be missing. */
function isInstalled() {
  const wanted = readJson(join(ROOT, "package-lock.json"));
  const present = readJson(join(ROOT, "node_modules", ".package-lock.json"));
  if (!wanted || !present) return false;
  return Object.keys(wanted.packages).every((path) => {
    if (path === "") return true;
    const want = wanted.packages[path];
    const have = present.packages[path];
    if (!have) return want.optional === true || want.devOptional === true || want.peer === true;
    return have.version === want.version && (have.integrity === want.integrity || !have.integrity || !want.integrity);
  });
}

function install() {
  process.stderr.write("Installing what package-lock.json names (once) ...\n");
  const flags = ["ci", "--ignore-scripts", "--include=dev", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"];
  // The npm that runs this script, on the Node that runs it: `npm ci` replaces the Node inside node_modules.
  const npm = process.env.npm_execpath;
  // All of it on standard error: what a command prints on standard output is its answer.
  const options = { cwd: ROOT, stdio: ["ignore", 2, 2] };
  const done = npm
    ? spawnSync(process.env.npm_node_execpath || process.execPath, [npm].concat(flags), options)
    : spawnSync("npm", flags, Object.assign({ shell: process.platform === "win32" }, options));
  if (done.status === 0) return;
  process.stderr.write("The packages could not be installed: see npm's message above, then run the same command again.\n");
  process.exit(1);
}

/** The Node that the scripts of this project will find first on their path: the one that came with the packages, else this one. */
function nodeOfScripts() {
  const own = join(ROOT, "node_modules", ".bin", "node");
  if (!existsSync(own)) return process.versions.node;
  const asked = spawnSync(own, ["--version"], { encoding: "utf8" });
  return asked.status === 0 ? asked.stdout.trim().replace(/^v/, "") : "none that runs";
}

if (!isInstalled()) install();
if (Number(process.versions.node.split(".")[0]) < NEEDED_NODE) {
  const found = nodeOfScripts();
  if (!(Number(found.split(".")[0]) >= NEEDED_NODE)) {
    process.stderr.write(
      `This project needs Node.js ${NEEDED_NODE} or newer (found: ${found}); please install it and run the same command again.\n`,
    );
    process.exit(1);
  }
}
