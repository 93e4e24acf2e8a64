import { describe, expect, it } from "vitest";
import { Faults } from "../parsing/faults.ts";
import { sourceContext } from "./context.ts";
import { mapFrame } from "./map-frame.ts";
import { readRawFrame } from "./raw-frame.ts";
import { frameRawId, parseRawId } from "./raw-id.ts";
import { readResolvedFrame } from "./resolved-frame.ts";

const CHECKOUT = {
  platform: "python",
  filename: "app/views.py",
  module: "app.views",
  function: "checkout",
  lineno: 42,
  in_app: true,
  context_line: "    total = cart.total()",
  pre_context: ["def checkout(cart):"],
  post_context: ["    return total"],
};
const frame = (sent: object) => readRawFrame({ ...sent }, { path: "frame", faults: new Faults() });
const mapped = (sent: object) => mapFrame(frame(sent));

describe("the raw id", () => {
  it("is a digest of what was sent of a python frame", () => {
    expect(frameRawId(frame(CHECKOUT))).toBe(
      "83782efde9a97e9dfbac07896803a52117b7f0153ebfafaea47d0fddf3648e58b38a498667d7500c7cac785e5a71c0d78c5f2997770dbaec5575496d40b1bad2/0",
    );
  });
  it("is taken apart into digest and part; what is written otherwise is a digest as a whole", () => {
    expect(parseRawId("ab/3")).toEqual({ hash: "ab", part: 3 });
    for (const odd of ["ab", "ab/", "ab/x", "a/b/3", "ab/-1"]) expect(parseRawId(odd)).toEqual({ hash: odd, part: 0 });
  });
});

describe("a python frame", () => {
  it("keeps its function as resolved name, its line and no column", () => {
    expect(mapped({ ...CHECKOUT, colno: 3 })).toEqual({
      raw_id: expect.any(String),
      mangled_name: "checkout",
      line: 42,
      source: "app/views.py",
      module: "app.views",
      in_app: true,
      resolved_name: "checkout",
      lang: "python",
      resolved: true,
      synthetic: false,
      suspicious: false,
    });
  });
  it.each([
    ["an installed package", { abs_path: "/venv/lib/site-packages/x.py" }, false],
    ["an installed package without a path", { filename: "/usr/dist-packages/x.py" }, false],
    ["python's own folder", { abs_path: "/usr/lib/python3.11/json/decoder.py" }, false],
    ["a module of the standard library without a path", { module: "json.decoder" }, false],
    [
      "a pseudo file of the standard library",
      { abs_path: "<frozen>", filename: "<frozen importlib._bootstrap>", module: "importlib._bootstrap" },
      false,
    ],
    ["a client's module that is called like one, with a path", { abs_path: "/app/json/decoder.py", module: "json.decoder" }, true],
    ["what the client says is not its own", { in_app: false }, false],
  ])("of %s is the client's own: %s", (_, more, own) => {
    expect(mapped({ ...CHECKOUT, ...more }).in_app).toBe(own);
  });
});

describe("a node frame", () => {
  const NODE = { platform: "node:javascript", filename: "/app/a.mjs", function: "f", lineno: 1, colno: 2 };
  it("is never the client's own in node_modules or in node itself", () => {
    expect(mapped(NODE).in_app).toBe(true);
    expect(mapped({ ...NODE, filename: "/app/node_modules/x/i.js" }).in_app).toBe(false);
    expect(mapped({ ...NODE, filename: "node:internal/timers" }).in_app).toBe(false);
  });
  it("of a chunk without a map loses its name when its lines are those of a bundle", () => {
    expect(mapped({ ...NODE, chunk_id: "c", context_line: "x".repeat(301) })).toMatchObject({ resolved: false, mangled_name: "f" });
    expect(mapped({ ...NODE, chunkId: "c", context_line: "short" })).toMatchObject({ resolved: true, resolved_name: "f" });
  });
});

describe("a browser's frame", () => {
  const WEB = { platform: "web:javascript", function: "t", filename: "https://shop.test/static/app.js:1:5", lineno: 1, colno: 5 };
  it("has the path of its address as source", () => {
    expect(mapped(WEB)).toMatchObject({ source: "/static/app.js", resolved: true, resolved_name: "t", line: 1, column: 5 });
  });
  it("loses its name beyond column 300 or with a chunk that has no map", () => {
    for (const more of [{ colno: 301 }, { chunk_id: "c" }]) {
      const minified = mapped({ ...WEB, ...more });
      expect(minified).toMatchObject({ resolved: false, resolve_failure: expect.any(String) });
      expect(minified).not.toHaveProperty("resolved_name");
    }
  });
  it("of a file that is no address keeps its name and has no source", () => {
    const local = mapped({ ...WEB, filename: "app.js", colno: 9999 });
    expect(local).toMatchObject({ resolved: true, resolved_name: "t" });
    expect(local).not.toHaveProperty("source");
  });
  it("without a whole place is resolved, and not the client's own where it is anonymous", () => {
    const nowhere = mapped({ ...WEB, colno: undefined, filename: "<anonymous>" });
    expect(nowhere).toMatchObject({ resolved: true, in_app: false });
    expect(nowhere).not.toHaveProperty("line");
  });
});

describe("a frame that lacks something", () => {
  const NATIVE = { platform: "apple", package: "/private/var/Shop.app/Shop", module: "Shop", image_addr: "0x0000000104a00000" };

  it.each([
    [
      "an async gap of dart",
      { platform: "dart", abs_path: "<asynchronous suspension>", in_app: false },
      "<asynchronous suspension>",
      "dart",
    ],
    ["a stripped frame of a phone", { ...NATIVE, instruction_addr: "0x0000000104a041c0" }, "Shop + 0x41c0", "swift"],
    ["an address outside of its image", { ...NATIVE, instruction_addr: "0x10" }, "<unknown>", "swift"],
    ["a top level of php", { platform: "php", filename: "index.php", lineno: 3 }, "<unknown>", "php"],
    ["a separator of node", { platform: "node:javascript", filename: "--------" }, "<unknown>", "javascript"],
  ])("is unresolved and says why: %s", (_, sent, mangled_name, lang) => {
    expect(mapped(sent)).toMatchObject({ mangled_name, lang, resolved: false, resolve_failure: "The frame has no function." });
    expect(mapped(sent)).not.toHaveProperty("resolved_name");
  });

  it("has another raw id at another address, and the same one where its image is loaded elsewhere", () => {
    const at = (instruction_addr: string, image_addr = NATIVE.image_addr) => mapped({ ...NATIVE, instruction_addr, image_addr }).raw_id;
    expect(at("0x0000000104a041c0")).not.toBe(at("0x0000000104a041c8"));
    expect(at("0x0000000104a041c0")).toBe(at("0x00000001000041c0", "0x0000000100000000"));
  });

  it("keeps its addresses, for whoever has the symbols", () => {
    expect(mapped({ ...NATIVE, instruction_addr: "0x0000000104a041c0" }).junk_drawer).toEqual({
      instruction_addr: "0x0000000104a041c0",
      image_addr: NATIVE.image_addr,
      package: NATIVE.package,
    });
  });

  it("is unresolved without a filename where it is known by that", () => {
    expect(mapped({ ...CHECKOUT, filename: undefined })).toMatchObject({
      mangled_name: "checkout",
      resolved: false,
      resolve_failure: "The frame has no filename.",
    });
  });

  it("is read as one that a client made where nobody knows its platform", () => {
    const cobol = { platform: "cobol", function: "MAIN", filename: "pay.cbl" };
    expect(mapped(cobol)).toMatchObject({ lang: "cobol", mangled_name: "MAIN", source: "pay.cbl", resolved: false });
    expect(mapped({ ...cobol, resolved: true, platform: 5 })).toMatchObject({ lang: "", resolved: true, resolved_name: "MAIN" });
  });

  it.each([["a text"], [5], [null], [["f"]]])("is kept as it was sent where it is none: %j", (sent) => {
    const faults = new Faults();
    expect(mapFrame(readRawFrame(sent, { path: "here", faults }))).toMatchObject({
      in_app: false,
      resolved: false,
      resolve_failure: "The frame could not be read.",
      junk_drawer: { raw: JSON.stringify(sent) },
    });
    expect(faults.sentences).toEqual(["here must be an object"]);
  });

  it("is kept in bounds", () => {
    const faults = new Faults();
    expect(readRawFrame("x".repeat(10_000_000), { path: "here", faults }).unread).toHaveLength(1_000);
  });
});

describe("a frame that comes resolved", () => {
  const resolved = (sent: unknown) => {
    const faults = new Faults();
    return { frame: readResolvedFrame(sent, { path: "here", faults }), faults: faults.sentences };
  };
  it("is taken as it is, and needs no field", () => {
    const whole = { raw_id: "ab/0", mangled_name: "t", resolved_name: "total", lang: "go", line: 3, in_app: false, resolved: true };
    expect(resolved(whole)).toEqual({ frame: { ...whole, synthetic: false, suspicious: false }, faults: [] });
    expect(resolved({ resolved_name: "total" }).frame).toMatchObject({
      raw_id: expect.stringMatching(/^[0-9a-f]{128}\/0$/),
      mangled_name: "total",
      resolved: true,
    });
    expect(resolved({}).frame).toMatchObject({ mangled_name: "<unknown>", resolved: false, resolve_failure: "The frame has no name." });
  });
  it("loses what is of another type, and says so", () => {
    expect(resolved({ raw_id: 5, mangled_name: "f", line: -1, resolved: "yes" })).toMatchObject({
      frame: { mangled_name: "f", resolved: true },
      faults: ["here: line must be a line or column number", "here: raw_id must be a string", "here: resolved must be true or false"],
    });
    expect(resolved("f").frame).toMatchObject({ in_app: false, resolved: false, junk_drawer: { raw: '"f"' } });
  });
});

describe("the lines around a frame", () => {
  it("begin with the nearest before it", () => {
    const context = sourceContext(frame({ ...CHECKOUT, pre_context: ["a", "b"] }));
    expect(context).toEqual({
      before: [
        { number: 41, line: "b" },
        { number: 40, line: "a" },
      ],
      line: { number: 42, line: "    total = cart.total()" },
      after: [{ number: 43, line: "    return total" }],
    });
  });
  it("are there only with a line and its number, and are cut at 300 characters", () => {
    expect(sourceContext(frame({ ...CHECKOUT, lineno: undefined }))).toBeNull();
    expect(sourceContext(frame({ ...CHECKOUT, context_line: "x".repeat(400) }))?.line.line).toBe(`${"x".repeat(300)}…`);
    expect(sourceContext(frame({ ...CHECKOUT, context_line: "😀".repeat(300) }))?.line.line).toBe("😀".repeat(300));
    expect(sourceContext(frame({ ...CHECKOUT, context_line: "😀".repeat(301) }))?.line.line).toBe(`${"😀".repeat(300)}…`);
  });
});
