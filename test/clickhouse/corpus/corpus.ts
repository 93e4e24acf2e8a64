import type { Case } from "./case.ts";
import { CONTRACT } from "./contract.ts";
import { DOCUMENTED } from "./documented.ts";
import { GENERATED } from "./generated.ts";
import { RETENTION } from "./retention.ts";
import { TRENDS } from "./trends.ts";

/**
 * The corpus, frozen before its first run against our engine: cases may be added, but none is changed or taken away because of what
 * an engine answers.
 */
export const CORPUS: readonly Case[] = [...CONTRACT, ...GENERATED, ...DOCUMENTED, ...TRENDS, ...RETENTION];
