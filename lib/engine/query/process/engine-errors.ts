import { Defect } from "../../../core/unreachable.ts";
import { QueryError } from "../../../hogql/errors.ts";
import { FAULTS, type Fault, queryError } from "../../faults.ts";

/** A local file lacks bytes that the engine asked for: fetch the file whole and run again. */
export class IncompleteFile extends Error {
  override readonly name = "IncompleteFile";
}

interface Rule {
  readonly pattern: RegExp;
  readonly fault: Fault;
}

/** Faults that a query's author can cause and mend. The engine's own text names internal relations and is never shown. */
const RULES: readonly Rule[] = [
  { pattern: /expression depth limit|tree depth of/i, fault: FAULTS.tooDeep },
  { pattern: /^Conversion Error/i, fault: FAULTS.conversion },
  {
    pattern:
      /regular expression|regex|^Invalid Input Error: (missing [\])]|unexpected \)|trailing \\|no argument for repetition|invalid repetition|bad repetition|invalid perl|invalid named capture|invalid escape|invalid character class|pattern too large)/i,
    fault: FAULTS.pattern,
  },
  { pattern: /^Invalid Input Error: Division by zero/i, fault: FAULTS.division },
  { pattern: /^Invalid Input Error: (the text|a list of a moving sum|range) is too long/i, fault: FAULTS.tooLong },
  { pattern: /^Invalid Input Error: \w+ needs an (IPv4 )?address/i, fault: FAULTS.address },
  { pattern: /^Invalid Input Error: Map keys/i, fault: FAULTS.mapKeys },
  { pattern: /^Invalid Input Error: The map key list does not align/i, fault: FAULTS.mapSizes },
  { pattern: /^Invalid Input Error: More than one row returned by a subquery/i, fault: FAULTS.subquery },
  { pattern: /^Out of Range Error|overflow/i, fault: FAULTS.range },
  {
    pattern: /^(Binder|Invalid Input|Not implemented|Invalid Type|Mismatch Type|Parameter Not Resolved|Syntax) Error/i,
    fault: FAULTS.types,
  },
];

/** A limit that was hit, or a file that lacks bytes, as the error that says so; else what was thrown. `expired`: the time was up. */
export const limitError = (thrown: unknown, expired: boolean): unknown => {
  if (thrown instanceof QueryError || thrown instanceof Defect || !(thrown instanceof Error)) return thrown;
  if (expired) return queryError(FAULTS.timeout, thrown);
  if (/^Out of Memory Error|max_temp_directory_size|failed to offload/i.test(thrown.message)) {
    return queryError(FAULTS.memory, thrown);
  }
  if (/TProtocolException|Invalid string encoding found in Parquet|No magic bytes|Failed to read (Parquet|page)/i.test(thrown.message)) {
    return new IncompleteFile("a local file is incomplete", { cause: thrown });
  }
  return thrown;
};

/** A fault of a tenant's query that its author can mend, as a `QueryError`; else what was thrown. */
export const authorError = (thrown: unknown): unknown => {
  if (thrown instanceof QueryError || thrown instanceof Defect || !(thrown instanceof Error)) return thrown;
  const rule = RULES.find(({ pattern }) => pattern.test(thrown.message));
  return rule ? queryError(rule.fault, thrown) : thrown;
};
