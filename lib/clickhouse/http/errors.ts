import { Unavailable } from "../../core/unavailable.ts";
import { Defect } from "../../core/unreachable.ts";
import { FAULTS, type Fault, queryError } from "../../engine/faults.ts";
import { GoneFile } from "../../engine/gone-file.ts";
import { Unreachable } from "./unreachable.ts";

/** ClickHouse's own error: its text may hold a customer's values, so it goes no further than the function below. */
export interface Refusal {
  readonly code: number;
  readonly text: string;
}

/** Faults by ClickHouse's codes. Those that an author can mend are what the embedded engine says of the same query. */
const FAULT_CODES: readonly (readonly [fault: Fault, codes: readonly number[]])[] = [
  // TIMEOUT_EXCEEDED, TOO_SLOW
  [FAULTS.timeout, [159, 160]],
  // MEMORY_LIMIT_EXCEEDED, CANNOT_ALLOCATE_MEMORY, TOO_LARGE_ARRAY_SIZE, TOO_LARGE_STRING_SIZE
  [FAULTS.memory, [241, 173, 128, 131]],
  // TOO_MANY_ROWS_OR_BYTES
  [FAULTS.tooLarge, [396]],
  // TOO_DEEP_AST, TOO_BIG_AST, TOO_DEEP_RECURSION, TOO_DEEP_SUBQUERIES
  [FAULTS.tooDeep, [167, 168, 306, 162]],
  // CANNOT_PARSE_ (TEXT, ESCAPE_SEQUENCE, QUOTED_STRING, INPUT_ASSERTION_FAILED, DATE, DATETIME, NUMBER, UUID, BOOL, IPV4, IPV6),
  // CANNOT_CONVERT_TYPE, ATTEMPT_TO_READ_AFTER_EOF, CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN
  [FAULTS.conversion, [6, 25, 26, 27, 38, 41, 72, 376, 467, 675, 676, 70, 32, 349]],
  // CANNOT_COMPILE_REGEXP
  [FAULTS.pattern, [427]],
  // VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE, DECIMAL_OVERFLOW, ARGUMENT_OUT_OF_BOUND
  [FAULTS.range, [321, 407, 69]],
  // ILLEGAL_DIVISION
  [FAULTS.division, [153]],
  // INCORRECT_RESULT_OF_SCALAR_SUBQUERY
  [FAULTS.subquery, [125]],
  // BAD_ARGUMENTS, NUMBER_OF_ARGUMENTS_DOESNT_MATCH, ILLEGAL_TYPE_OF_ARGUMENT, ILLEGAL_COLUMN, NOT_IMPLEMENTED, UNKNOWN_TYPE, TYPE_MISMATCH,
  // SIZES_OF_ARRAYS_DONT_MATCH, NO_COMMON_TYPE, FUNCTION_THROW_IF_VALUE_IS_NON_ZERO
  [FAULTS.types, [36, 42, 43, 44, 48, 50, 53, 190, 386, 395]],
];

const FAULT_OF: ReadonlyMap<number, Fault> = new Map(FAULT_CODES.flatMap(([fault, codes]) => codes.map((code) => [code, fault] as const)));

/** UNKNOWN_USER, WRONG_PASSWORD, REQUIRED_PASSWORD, AUTHENTICATION_FAILED */
const AUTHENTICATION_CODES: ReadonlySet<number> = new Set([192, 193, 194, 516]);

/** Whether ClickHouse says by a code that it does not know us by our password. */
export const isAuthenticationError = (code: number): boolean => AUTHENTICATION_CODES.has(code);

/**
 * The former; IP_ADDRESS_NOT_ALLOWED, ACCESS_DENIED; TOO_MANY_SIMULTANEOUS_QUERIES;
 * SOCKET_TIMEOUT, NETWORK_ERROR, ALL_CONNECTION_TRIES_FAILED, CLUSTER_DOESNT_EXIST, TABLE_IS_READ_ONLY, NOT_ENOUGH_SPACE; what the store
 * says beside a file that is gone.
 */
const UNREACHABLE_CODES: ReadonlySet<number> = new Set([...AUTHENTICATION_CODES, 195, 497, 202, 209, 210, 279, 701, 242, 243, 499]);

const S3_ERROR = 499;
const CANCELLED = 394;
const GONE = /HTTP response code: 404|NoSuchKey|specified key does not exist/;

/** What a refusal of ClickHouse means to whoever asked. None of its text is in the message. */
export const refusalError = ({ code, text }: Refusal, queryId: string): Error => {
  const fault = FAULT_OF.get(code);
  if (fault !== undefined) return queryError(fault);
  if (code === S3_ERROR && GONE.test(text)) return new GoneFile("A file that the query reads was replaced meanwhile.");
  if (code === CANCELLED) return new Unavailable("The query was ended.");
  const said = `ClickHouse answered query ${queryId} with code ${code}`;
  return UNREACHABLE_CODES.has(code) ? new Unreachable(said) : new Defect(said);
};
