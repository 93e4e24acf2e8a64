import type { Case, Part } from "./corpus/case.ts";
import { CONTRACT } from "./corpus/contract.ts";
import { DOCUMENTED } from "./corpus/documented.ts";

export const PARTS: readonly Part[] = ["contract", "generated", "documented", "trends", "retention"];

export const CASES: readonly Case[] = [...CONTRACT, ...DOCUMENTED];
