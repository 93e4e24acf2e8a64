import { expect, it } from "vitest";
import { BEGINNING_FILE, BROTLI_ENDING, consoleFiles } from "./files.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

it("knows a file by its name, with its compressed form where that lies beside it", async () => {
  const compressed = bytes("compressed");
  const { byName, script } = await consoleFiles(
    new Map([
      ["main.js", bytes("main")],
      [`main.js${BROTLI_ENDING}`, compressed],
      ["style.css", bytes("style")],
      [BEGINNING_FILE, bytes('{"script":"main.js","preloaded":[],"style":"style.css"}')],
    ]),
  );
  expect(script).toBe("main.js");
  expect([...byName.keys()]).toEqual(["main.js", "style.css"]);
  expect(byName.get("main.js")?.brotli).toBe(compressed);
  expect(byName.get("style.css")?.brotli).toBeUndefined();
});
