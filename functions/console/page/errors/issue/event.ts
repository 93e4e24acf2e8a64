import { readExact } from "../../../calls/exact.ts";
import { valueText } from "../../../parts/number/exact.ts";

/** A frame of a stack as it is stored with an event. */
export interface Frame {
  readonly raw_id: string;
  readonly mangled_name: string;
  readonly resolved_name?: string;
  readonly source?: string;
  readonly module?: string;
  readonly line?: number;
  readonly column?: number;
  readonly in_app: boolean;
  readonly lang?: string;
  readonly resolved?: boolean;
  /** Why its name and place are not those of the source. */
  readonly resolve_failure?: string;
}

/** One exception of a chain; the next one is its cause. */
export interface Exception {
  readonly type: string;
  readonly value: string;
  readonly handled: boolean | undefined;
  /** The innermost first; undefined where none were sent. */
  readonly frames: readonly Frame[] | undefined;
}

/** Something that happened before an exception. */
export interface Step {
  readonly message: string;
  readonly at: string | number | undefined;
  readonly kind: string | undefined;
  readonly rest: Readonly<Record<string, unknown>>;
}

/** What an event says of its exceptions, and what else it says. */
export interface ExceptionEvent {
  readonly uuid: string;
  readonly timestamp: string;
  readonly distinctId: string;
  readonly exceptions: readonly Exception[];
  readonly steps: readonly Step[];
  readonly fingerprint: string | undefined;
  readonly release: ReleaseOfEvent | undefined;
  /** What of it could not be read. */
  readonly faults: readonly string[];
  /** All properties but those that are shown elsewhere. */
  readonly properties: Readonly<Record<string, unknown>>;
}

interface ReleaseOfEvent {
  readonly id: string | undefined;
  readonly version: string;
  readonly metadata: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

const fields = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/** The event of a query's answer: uuid, timestamp, distinct id and properties as JSON; undefined where there is none. */
export const exceptionEvent = ({ results: [row] }: { readonly results: readonly unknown[] }): ExceptionEvent | undefined => {
  if (row === undefined) return undefined;
  const [uuid, timestamp, distinctId, json] = row as readonly unknown[];
  const {
    $exception_list,
    $exception_steps,
    $exception_fingerprint,
    $exception_release,
    $exception_fingerprint_record,
    $exception_issue_id,
    $cymbal_errors,
    ...properties
  } = fields(readExact(String(json)));
  return {
    uuid: String(uuid),
    timestamp: String(timestamp),
    distinctId: String(distinctId),
    exceptions: list($exception_list).map(exception),
    steps: list($exception_steps).map(step),
    fingerprint: text($exception_fingerprint),
    release: releaseOfEvent(fields($exception_release), text(properties.$release)),
    faults: list($cymbal_errors).map(String),
    properties,
  };
};

const exception = (sent: unknown): Exception => {
  const { type, value, mechanism, stacktrace } = fields(sent);
  const { handled } = fields(mechanism);
  const { frames } = fields(stacktrace);
  return {
    type: valueText(type ?? "Exception"),
    value: valueText(value ?? ""),
    handled: typeof handled === "boolean" ? handled : undefined,
    frames: Array.isArray(frames) ? (frames as readonly Frame[]).toReversed() : undefined,
  };
};

const step = (sent: unknown): Step => {
  const { $message, $timestamp, $type, $level, message, timestamp, ...rest } = fields(sent);
  const at = $timestamp ?? timestamp;
  return {
    message: valueText($message ?? message ?? ""),
    at: typeof at === "string" || typeof at === "number" ? at : undefined,
    kind: text($type) ?? text($level),
    rest,
  };
};

const releaseOfEvent = ({ id, version, metadata }: Fields, sent: string | undefined): ReleaseOfEvent | undefined => {
  const known = text(version) ?? sent;
  return known === undefined ? undefined : { id: text(id), version: known, metadata };
};

/** The repository that a release was built of, where its metadata name one. */
export const repositoryOf = (release: ReleaseOfEvent | undefined): Repository | undefined => {
  const url = text(fields(fields(release?.metadata).git).remote_url);
  const [, host, owner, repository] = /^(?:https?:\/\/|git@)([^/:]+)[/:](.+)\/([^/]+?)(?:\.git)?$/.exec(url ?? "") ?? [];
  if (!host || !owner || !repository) return undefined;
  const provider = host === "github.com" ? "github" : host.startsWith("gitlab.") ? "gitlab" : undefined;
  return provider && { provider, owner, repository };
};

export interface Repository {
  readonly provider: "github" | "gitlab";
  readonly owner: string;
  readonly repository: string;
}

/** Whether a frame says where it was in a bundle, and not in its source. */
export const isMinified = ({ resolved, lang, line }: Frame): boolean => resolved === false && lang === "javascript" && line !== undefined;

/** Own frames one by one, and between them those of libraries, which are told as a number. */
export type Piece = { readonly kind: "own"; readonly frame: Frame } | { readonly kind: "libraries"; readonly frames: readonly Frame[] };

export const stackPieces = (frames: readonly Frame[]): readonly Piece[] => {
  const pieces: Piece[] = [];
  let libraries: Frame[] = [];
  const close = (): void => {
    if (libraries.length > 0) pieces.push({ kind: "libraries", frames: libraries });
    libraries = [];
  };
  for (const frame of frames) {
    if (!frame.in_app) {
      libraries.push(frame);
      continue;
    }
    close();
    pieces.push({ kind: "own", frame });
  }
  close();
  return pieces;
};
