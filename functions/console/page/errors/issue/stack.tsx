import { useState } from "preact/hooks";
import { useAction } from "../../../calls/use-action.ts";
import { useCall } from "../../../calls/use-call.ts";
import { findFrames, findLine, type StackFrame } from "../calls.ts";
import { type Exception, type ExceptionEvent, type Frame, isMinified, type Repository, repositoryOf, stackPieces } from "./event.ts";

/** Frames that are looked up, in one call. */
const MOST_FRAMES = 100;

/** A map that comes late changes what is known of a frame. */
const FRAMES_FRESH_MS = 60_000;

interface StackProps {
  readonly project: number;
  readonly event: ExceptionEvent;
}

/** The exceptions of an event, the outermost first, each with its frames as they are known now; source lines where they are known. */
export const Stack = ({ project, event }: StackProps) => {
  const sent = event.exceptions.flatMap(({ frames = [] }) => frames);
  const wanted = [...new Set(sent.filter(isLookedUp).map(({ raw_id }) => raw_id))].slice(0, MOST_FRAMES);
  const { data } = useCall(wanted.length > 0 ? findFrames(project, wanted) : undefined, { freshMs: FRAMES_FRESH_MS });
  const stored = new Map((data?.results ?? []).map((frame) => [frame.raw_id, frame]));
  const known = (frame: Frame): Frame => {
    const later = stored.get(frame.raw_id);
    return later?.resolved ? { ...(later.contents as unknown as Frame), raw_id: frame.raw_id } : frame;
  };
  const exceptions = event.exceptions.map((exception) => ({ ...exception, frames: exception.frames?.map(known) }));
  const repository = repositoryOf(event.release);
  return (
    <section class="stack" aria-label="Stack">
      {event.faults.length > 0 && <Faults faults={event.faults} />}
      {exceptions.some(({ frames = [] }) => frames.some(isMinified)) && <MissingMaps project={project} />}
      {exceptions.map((exception, place) => (
        <ExceptionPart
          key={place}
          isCause={place > 0}
          exception={exception}
          draw={(frame) => (
            <OwnFrame frame={frame} lines={sourceLines(stored.get(frame.raw_id)?.context)} project={project} repository={repository} />
          )}
        />
      ))}
    </section>
  );
};

/** Of frames of libraries only those are of interest whose names a map may have made known since. */
const isLookedUp = ({ in_app, resolved }: Frame): boolean => in_app || resolved === false;

const Faults = ({ faults }: { readonly faults: readonly string[] }) => (
  <div class="faults">
    <p>Not all of this event could be read:</p>
    <ul>
      {faults.map((fault, place) => (
        <li key={place}>
          <code>{fault}</code>
        </li>
      ))}
    </ul>
  </div>
);

const MissingMaps = ({ project }: { readonly project: number }) => (
  <p class="note">
    Some frames are those of a bundle, as no map of it was uploaded.{" "}
    <a href={`project/${project}/errors/symbol-sets`}>How to upload maps</a>
  </p>
);

interface ExceptionPartProps {
  readonly exception: Exception;
  readonly isCause: boolean;
  draw(frame: Frame): preact.ComponentChildren;
}

const ExceptionPart = ({ exception: { type, value, handled, frames }, isCause, draw }: ExceptionPartProps) => {
  const pieces = stackPieces(frames ?? []);
  const hasOwn = pieces.some(({ kind }) => kind === "own");
  return (
    <article class="exception">
      <h2>
        {isCause && <span class="soft">Caused by </span>}
        {type}
      </h2>
      <p class="message">{value}</p>
      {handled === false && !isCause && <p class="note">Nothing caught it.</p>}
      {pieces.length === 0 ? (
        <p class="soft">It came without a stack.</p>
      ) : (
        <ol class="frames">
          {pieces.map((piece, place) => (
            <li key={place}>{piece.kind === "own" ? draw(piece.frame) : <Libraries frames={piece.frames} open={!hasOwn} />}</li>
          ))}
        </ol>
      )}
    </article>
  );
};

const Libraries = ({ frames, open }: { readonly frames: readonly Frame[]; readonly open: boolean }) => (
  <details class="libraries" open={open}>
    <summary>{frames.length === 1 ? "1 frame of a library" : `${frames.length} frames of libraries`}</summary>
    <ol class="frames">
      {frames.map((frame, place) => (
        <li key={place}>
          <Place frame={frame} />
        </li>
      ))}
    </ol>
  </details>
);

const Place = ({ frame }: { readonly frame: Frame }) => (
  <span class="place">
    <strong>{frame.resolved_name || frame.mangled_name || "anonymous"}</strong> <code class="soft">{fileOf(frame)}</code>
    {frame.resolved === false && <span class="note"> Not resolved{frame.resolve_failure ? `: ${frame.resolve_failure}` : "."}</span>}
  </span>
);

const fileOf = ({ source, module, line, column }: Frame): string =>
  [source ?? module ?? "unknown file", line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(":");

interface Line {
  readonly number: number;
  readonly line: string;
  readonly isAt: boolean;
}

/** The lines around a frame from the first to the last; none where none were sent. */
const sourceLines = (context: StackFrame["context"] | undefined): readonly Line[] => {
  const { before, line, after } = (context ?? {}) as { before?: Line[]; line?: Line; after?: Line[] };
  if (line === undefined) return [];
  const around = (lines: readonly Line[] = []) => lines.map((each) => ({ ...each, isAt: false }));
  return [...around(before).toReversed(), { ...line, isAt: true }, ...around(after)];
};

interface OwnFrameProps {
  readonly project: number;
  readonly frame: Frame;
  readonly lines: readonly Line[];
  readonly repository: Repository | undefined;
}

const OwnFrame = ({ project, frame, lines, repository }: OwnFrameProps) => {
  const at = lines.find(({ isAt }) => isAt);
  return (
    <div class="own">
      <div class="own-head">
        <Place frame={frame} />
        {repository && at && frame.source && (
          <ProviderLink project={project} repository={repository} code={at.line.trim()} file={frame.source} />
        )}
      </div>
      {lines.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it can be wider than its place, and then is scrolled by keys.
        <pre class="source" tabIndex={0}>
          {lines.map(({ number, line, isAt }) => (
            <code key={number} class={isAt ? "at" : undefined}>
              <span class="line-number">{number}</span>
              {line}
              {"\n"}
            </code>
          ))}
        </pre>
      )}
    </div>
  );
};

interface ProviderLinkProps {
  readonly project: number;
  readonly repository: Repository;
  readonly code: string;
  readonly file: string;
}

/** The provider searches its code for the line, so it is asked only when somebody wants to go there. */
const ProviderLink = ({ project, repository: { provider, ...repository }, code, file }: ProviderLinkProps) => {
  const action = useAction();
  const [found, setFound] = useState<{ readonly url?: string }>();
  const name = provider === "github" ? "GitHub" : "GitLab";
  const find = async (): Promise<void> => {
    const file_name = file.split("/").at(-1) ?? file;
    setFound(await action.run(findLine(project, provider, { ...repository, code_sample: code, file_name }), "-"));
  };
  if (found?.url) {
    return (
      <a href={found.url} target="_blank" rel="noreferrer">
        Open on {name}
      </a>
    );
  }
  if (found) return <span class="note">{name} does not show this line.</span>;
  return (
    <button type="button" class="quiet" disabled={action.running} onClick={() => void find()}>
      Find on {name}
    </button>
  );
};
