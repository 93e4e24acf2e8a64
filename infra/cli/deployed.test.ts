import { expect, it } from "vitest";
import { stackNames } from "../outputs.ts";
import { readArguments } from "./deployed.ts";

it.each(["shop", "shop-2", "data", "big-database"])("a stage may be called %s", (stage) => {
  expect(readArguments(["--stage", stage], "Usage")).toMatchObject({ stage });
});

it("no stage may be called as a stack of another one", () => {
  const { front, ...behind } = stackNames("shop");
  expect(readArguments(["--stage", front], "Usage")).toMatchObject({ stage: "shop" });
  for (const stack of Object.values(behind))
    expect(() => readArguments(["--stage", stack], "Usage")).toThrow(`a stage shop has a stack ${stack}`);
});
