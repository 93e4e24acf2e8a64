import type { Case, Part } from "./corpus/case.ts";
import { CORPUS } from "./corpus/corpus.ts";

export const PARTS: readonly Part[] = ["contract", "generated", "documented", "trends", "retention"];

export const CASES: readonly Case[] = CORPUS;
