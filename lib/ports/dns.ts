/** The public directory of names. */
export interface Dns {
  /** The texts under a name, each in one piece; none where there is no such name, or nobody who answers. */
  texts(name: string): Promise<readonly string[]>;
}
