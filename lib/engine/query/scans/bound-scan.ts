/** Whether only the needed columns of files are fetched, or whole files. */
export type FetchMode = "columns" | "whole";

/** A scan turned into a relation over local files, which stay until `release`. */
export interface BoundScan {
  readonly name: string;
  readonly body: string;
  readonly fetchedBytes: number;
  readonly neededBytes: number;
  release(): void;
}
