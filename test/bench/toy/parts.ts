import { spawn } from "node:child_process";
import type { Part } from "../figures.ts";

/** Parts that end in every way in which a part can end. */
export const parts: readonly Part[] = [
  {
    name: "throws",
    seconds: 0,
    measures: [],
    run: () => Promise.reject(new Error("the platform did not start")),
  },
  {
    name: "dies",
    seconds: 0,
    measures: [],
    run: async () => process.exit(7),
  },
  {
    name: "leaves",
    seconds: 0,
    measures: [],
    async run() {
      await besides();
      throw new Error("something is still running");
    },
  },
  {
    name: "lasts",
    seconds: 0,
    measures: [],
    async run() {
      await besides();
      return new Promise(() => undefined);
    },
  },
  {
    name: "measures",
    seconds: 0,
    measures: [],
    run: async () => [{ name: "measures.answer", value: 42, unit: "", baseline: "always" }],
  },
];

/** A process besides, which is heard as long as it lives by whoever listens at the port of the environment. */
const besides = async (): Promise<void> => {
  const program = `require("net").connect(${process.env.TOY_PORT}).on("connect", () => console.log("there"))`;
  const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise((resolve) => child.stdout.once("data", resolve));
};
