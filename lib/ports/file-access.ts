/** Where the lake's files lie, as a client of the object store has to be told. */
export interface FileStore {
  readonly region: string;
  /** The store's own address, where it is not the region's: clients then name the bucket in the path. */
  readonly endpoint?: string;
}

/** Credentials with which their holder reads some of the lake's files. */
export interface FileCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  /** Milliseconds since 1970; left out for credentials that do not expire. */
  readonly expiresAt?: number;
}

/** Lets readers fetch files of the lake by themselves, past the platform. */
export interface FileAccess {
  readonly store: FileStore;
  /**
   * Credentials that read the objects below these prefixes and nothing else, for an hour at most; undefined where the platform vends none.
   * `reader` is named in the store's records of what was read.
   */
  vend(prefixes: readonly string[], reader: string): Promise<FileCredentials | undefined>;
}
