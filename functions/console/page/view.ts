import type { FunctionComponent } from "preact";
import type { ReachedProject } from "../calls/session.ts";

/** What every view is given; all else it reads from the address. */
export interface ViewProps {
  readonly project: ReachedProject;
  /** What is open in the view: the parts of the address behind its name. */
  readonly open: readonly string[];
}

export type View = FunctionComponent<ViewProps>;
