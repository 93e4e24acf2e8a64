/** The functions that a call of ours starts, and that nobody waits for. */
const INVOCABLES = ["tables"] as const;
export type InvocableName = (typeof INVOCABLES)[number];

/** Starts functions that look by themselves for what there is to do: a call that is lost, or comes twice, changes nothing but when. */
export interface Invocations {
  /** Says whether the call was taken; never throws. */
  start(name: InvocableName): Promise<boolean>;
}
