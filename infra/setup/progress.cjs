"use strict";

const { existsSync } = require("node:fs");
const { join } = require("node:path");

const LOOK_MS = 500;
/** Elsewhere than on a terminal a line is written this often. */
const LINE_MS = 10000;
/** So few packages that are still missing are named: the largest come last. */
const MAX_NAMED = 2;

const nameOf = (path) => path.replace(/^.*node_modules\//, "");

/**
 * Says on standard error, until the function that it returns is called, how many of the packages at the given paths are there: one line
 * that moves on a terminal, a line now and then elsewhere.
 */
module.exports = function progress(root, paths) {
  const begun = Date.now();
  const isTerminal = process.stderr.isTTY === true;
  const seconds = () => Math.round((Date.now() - begun) / 1000);
  const show = (text) => process.stderr.write(isTerminal ? `\r\u001b[K${text}` : `${text}\n`);
  const look = () => {
    const missing = paths.filter((path) => !existsSync(join(root, path, "package.json")));
    const last = missing.length === 0 || missing.length > MAX_NAMED ? "" : `, waiting for ${missing.map(nameOf).join(" and ")}`;
    show(`  ${paths.length - missing.length} of ${paths.length} packages after ${seconds()} s${last}`);
  };
  const timer = setInterval(look, isTerminal ? LOOK_MS : LINE_MS);
  return (isDone) => {
    clearInterval(timer);
    show(isDone ? `  installed in ${seconds()} s` : "");
    if (isTerminal) process.stderr.write("\n");
  };
};
