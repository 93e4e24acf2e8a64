import { rememberingTexts } from "./cleaned-texts.ts";

/** A longer path is nobody's file. */
const MOST_CHARACTERS = 2_000;

/** What may be of a release or a machine in a path: most have nothing of it. */
const MAY_BE_OF_A_RELEASE = /[\d?#@:]|[a-z][A-Z]|_modules\/|-packages\/|\/gems\/|\.app\//;

/**
 * A path of code without what changes from one release or installation to the next: hashes of bundles, folders of deployments and of
 * versions, the container of an application. A path that has nothing of the kind is returned as it is.
 */
export const cleanPath = (path: string): string =>
  path.length > MOST_CHARACTERS || !MAY_BE_OF_A_RELEASE.test(path) ? path : cleanMarkedPath(path);

const cleanMarkedPath = rememberingTexts((path) => {
  const [file = ""] = withoutScheme(path).split(/[?#]/, 1);
  const segments = withinInstallation(file).split("/");
  const last = segments.length - 1;
  return segments
    .flatMap((segment, at) => (at === last ? cleanFile(segment) : isOfARelease(segment, segments[at - 1]) ? [] : withoutVersion(segment)))
    .join("/");
});

/** Schemes by which runtimes and tools that bundle name files. Of the web the path alone counts. */
const withoutScheme = (path: string): string =>
  path
    .replace(/^address at /, "")
    .replace(/^(?:webpack-internal|webpack|turbopack|app|file|capacitor|ionic|ng|rsc|vite):\/\/\/?/, "")
    .replace(/^[a-z][a-z0-9+.-]{1,30}:\/\/[^/]{0,255}\//i, "/")
    .replace(/^(?:\([a-z-]{1,30}\)\/)?\.\//, "");

/** Folders into which packages are installed: what stands before them is of the machine. */
const PACKAGES = ["/site-packages/", "/dist-packages/", "/node_modules/", "/gems/"];
const APPLICATION = ".app/";
const CRATES = "/index.crates.io-";

const withinInstallation = (path: string): string => {
  const crates = path.lastIndexOf(CRATES);
  if (crates >= 0) return path.slice(path.indexOf("/", crates + CRATES.length) + 1);
  const packages = Math.max(...PACKAGES.map((folder) => path.lastIndexOf(folder)));
  if (packages >= 0) return path.slice(packages + 1);
  const application = path.lastIndexOf(APPLICATION);
  return application < 0 ? path : path.slice(path.lastIndexOf("/", application) + 1);
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const VERSION = /^v?\d+\.\d[\w.+-]*$/;
const DATE = /^\d{8,}$/;
const HEX = /^[0-9a-f]{7,64}$/;

/** Folders below which each release has one of its own. */
const RELEASES: ReadonlySet<string | undefined> = new Set(["releases", "deployments"]);

const isOfARelease = (segment: string, before: string | undefined): boolean =>
  RELEASES.has(before) || UUID.test(segment) || VERSION.test(segment) || DATE.test(segment) || isHexHash(segment);

const isHexHash = (text: string): boolean => HEX.test(text) && /\d/.test(text) && (text.length >= 8 || /[a-f]/.test(text));

/** A package's folder without its version: `express@4.18.2`, `rails-7.1.2`, `python3.11`. */
const withoutVersion = (folder: string): string => {
  const at = folder.search(/-\d+\.\d/);
  const name = at > 0 && /^-\d+\.\d[\w.+-]*$/.test(folder.slice(at)) ? folder.slice(0, at) : folder;
  return name.replace(/(.)@v?\d[\w.+-]*$/, "$1").replace(/^(python|ruby|php|node)-?\d+(?:\.\d+)*$/, "$1");
};

const POSSIBLE_HASH = /(?:^|[.~_-])([0-9A-Za-z]{6,64})(?=[.-])/g;

/** A file's name without the hash of its contents: `app.4f3a9c1b.js`, `index-BkX9d2aQ.js`, `main.4f3a9c1b.chunk.js`. */
const cleanFile = (file: string): string =>
  UUID.test(file) ? "" : file.replace(POSSIBLE_HASH, (whole, part: string) => (isBundleHash(part) ? "" : whole));

const isBundleHash = (part: string): boolean => isHexHash(part) || /^\d{6,}$/.test(part) || isMixed(part);

/** Eight characters of small and capital letters or digits, as they stand in no word. */
const isMixed = (part: string): boolean => part.length === 8 && /[a-z]/.test(part) && /\d|.[A-Z]/.test(part) && /[A-Z]/.test(part);
