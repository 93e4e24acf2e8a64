// Runs before the scripts of package.json: makes node_modules what the lockfile says, and does nothing when it already is. With the
// word `run` that is what the platform runs on; without it, what tests and deploying need as well.
// Plain JavaScript for whichever Node a machine has: the Node that runs everything else comes with the packages.
"use strict";

const { spawn, spawnSync } = require("node:child_process");
const { existsSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
const progress = require("./progress.cjs");
const sizes = require("./sizes.json");

const ROOT = join(__dirname, "..", "..");
const NEEDED_NODE = 24;
const OWN_NODE = join(ROOT, "node_modules", ".bin", "node");
const NODE_PACKAGES = Object.keys(require("./node/package.json").optionalDependencies);

const isNewEnough = (version) => Number(version.split(".")[0]) >= NEEDED_NODE;

/** The Node of the packages is kept where there is one, and wanted where the machine's own is older. */
const wantsNode = existsSync(OWN_NODE) || !isNewEnough(process.versions.node);

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (_unreadable) {
    return undefined;
  }
}

const wanted = readJson(join(ROOT, "package-lock.json"));
const present = readJson(join(ROOT, "node_modules", ".package-lock.json"));

/** Whether more lies there than the platform runs on. */
const hasDev = present !== undefined && Object.values(present.packages).some(({ dev }) => dev === true);

/** The paths of the lockfile's packages that make a set; those for other machines are among them. */
function pathsOf(set) {
  return Object.keys(wanted.packages).filter((path) => {
    const { dev, link } = wanted.packages[path];
    if (!path.startsWith("node_modules/") || link) return false;
    if (NODE_PACKAGES.includes(path.slice("node_modules/".length))) return wantsNode;
    return set === "all" || dev !== true;
  });
}

/** True when each package of a set lies in node_modules in its version; packages for other machines may be missing. */
function isInstalled(set) {
  if (!wanted || !present) return false;
  const lacksNode = wantsNode && !existsSync(OWN_NODE) && NODE_PACKAGES.includes(`node-${process.platform}-${process.arch}`);
  if (lacksNode) return false;
  return pathsOf(set).every((path) => {
    const want = wanted.packages[path];
    const have = present.packages[path];
    if (!have) return want.optional === true || want.devOptional === true || want.peer === true;
    return have.version === want.version && (have.integrity === want.integrity || !have.integrity || !want.integrity);
  });
}

/** True for what npm installs on this machine; a package without a word on that is for all. */
function isForThisMachine({ os = [process.platform], cpu = [process.arch], libc = [] }) {
  const ours = process.report.getReport().header.glibcVersionRuntime === undefined ? "musl" : "glibc";
  return os.includes(process.platform) && cpu.includes(process.arch) && (libc.length === 0 || libc.includes(ours));
}

/** What is to come, and how much of it. */
function announcement(set) {
  if (present && !isInstalled("run")) return "Making node_modules what package-lock.json names now ...";
  if (hasDev) return "Adding to node_modules what package-lock.json names ...";
  const isMore = present !== undefined;
  const less = isMore ? sizes.run : { diskMb: 0, networkMb: 0 };
  const node = wantsNode && !existsSync(OWN_NODE) ? sizes.node : { diskMb: 0, networkMb: 0 };
  const megabytes = (unit) => sizes[set][unit] - less[unit] + node[unit];
  const what = isMore ? "what tests and deploying need besides" : set === "run" ? "what the platform runs on" : "all packages";
  return (
    `Installing ${what}, once: ${megabytes("diskMb")} MB in node_modules, ${megabytes("networkMb")} MB over the network ` +
    "where npm has not kept them. That takes from ten seconds to a few minutes."
  );
}

/** Calls npm, on the Node that runs it, as it may replace the Node inside node_modules; gives its exit status and what it said. */
function npm(flags) {
  const program = process.env.npm_execpath;
  // All of it on standard error: what a command prints on standard output is its answer.
  const options = { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] };
  const child = program
    ? spawn(process.env.npm_node_execpath || process.execPath, [program].concat(flags), options)
    : spawn("npm", flags, Object.assign({ shell: process.platform === "win32" }, options));
  let said = "";
  const hear = (text) => {
    said += text;
  };
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ status: 1, said: `${error.message}\n` }));
    child.once("close", (status) => resolve({ status, said }));
  });
}

async function install(set) {
  // What is there stays: only a tree that is not of this lockfile is made anew.
  const isMore = set === "all" && isInstalled("run");
  const command = isMore ? ["install", "--no-save"] : ["ci"];
  const flags = ["--ignore-scripts", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"];
  process.stderr.write(`${announcement(set)}\n`);
  const paths = wanted ? pathsOf(set).filter((path) => isForThisMachine(wanted.packages[path])) : [];
  const finish = progress(ROOT, paths);
  const { status, said } = await npm(
    command.concat(flags, set === "all" ? "--include=dev" : "--omit=dev", wantsNode ? [] : "--workspaces=false"),
  );
  finish(status === 0);
  if (status === 0) return;
  process.stderr.write(`${said}The packages could not be installed: see npm's message above, then run the same command again.\n`);
  process.exit(1);
}

/** The Node that the scripts of this project will find first on their path: the one that came with the packages, else this one. */
function nodeOfScripts() {
  if (!existsSync(OWN_NODE)) return process.versions.node;
  const asked = spawnSync(OWN_NODE, ["--version"], { encoding: "utf8" });
  return asked.status === 0 ? asked.stdout.trim().replace(/^v/, "") : "none that runs";
}

async function main() {
  // What is there for tests stays, whoever installs next.
  const set = process.argv[2] === "run" && !hasDev ? "run" : "all";
  if (!isInstalled(set)) await install(set);
  if (isNewEnough(process.versions.node)) return;
  const found = nodeOfScripts();
  if (isNewEnough(found)) return;
  process.stderr.write(
    `This project needs Node.js ${NEEDED_NODE} or newer (found: ${found}); please install it and run the same command again.\n`,
  );
  process.exit(1);
}

void main();
