/** An object's facts as a listing gives them. */
export interface ObjectFacts {
  readonly key: string;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

export interface ObjectPage {
  readonly objects: readonly ObjectFacts[];
  readonly cursor: string | null;
}

/** The headers of a file for whoever fetches it. */
export interface Download {
  /** The name that the file is saved under. */
  readonly name: string;
  readonly mediaType: string;
  readonly encoding?: "gzip";
}

/** Hands files to people past the platform: whatever is too large for an answer. */
export interface Downloads {
  /** Uploads a local file and gives an address that anybody may fetch it from, for an hour. */
  offer(key: string, path: string, download: Download): Promise<string>;
  /** An address that anybody may fetch an object from that is there, for an hour. */
  address(key: string): Promise<string>;
}

/** Two ways to put one object into the store; each is good for a few minutes, and for this object alone. */
export interface Admission {
  /** A form to be posted: its fields, then the file in a field called `file`. */
  readonly form: { readonly url: string; readonly fields: Readonly<Record<string, string>> };
  /** An address to put exactly as many bytes to as were announced; undefined where none were. */
  readonly put: string | undefined;
}

/** Takes files from people past the platform: whatever is too large for a request. */
export interface Uploads {
  /** Lets anybody who has the addresses put an object of at most `most` bytes, and of `exact` ones where that is known. */
  admit(key: string, bytes: { readonly most: number; readonly exact: number | undefined }): Promise<Admission>;
}

/** The object store. Objects are immutable by our own rule: a key is written once, except `usage/…`, whose last write wins. */
export interface Objects {
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Uploads a local file, in parts when it is large. */
  putFile(key: string, path: string): Promise<void>;
  get(key: string): Promise<Uint8Array | undefined>;
  /** Bytes `from` (inclusive) to `to` (exclusive); undefined when the object does not exist. */
  getRange(key: string, from: number, to: number): Promise<Uint8Array | undefined>;
  list(prefix: string, cursor: string | null): Promise<ObjectPage>;
  /** Removing what does not exist is no error. */
  remove(keys: readonly string[]): Promise<void>;
  /** Where the store keeps its objects as plain files (the local platform), the object's file; else undefined. */
  localPath(key: string): string | undefined;
  /** The address that readers outside the platform know an object by: `s3://bucket/key`. */
  uri(key: string): string;
}

export const objectUri = (bucket: string, key: string): string => `s3://${bucket}/${key}`;
