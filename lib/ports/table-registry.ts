/** A column as a registry lists it. */
export interface RegisteredColumn {
  readonly name: string;
  /** As table metadata of Apache Iceberg name it. */
  readonly type: string;
}

export interface RegisteredTable {
  readonly name: string;
  /** Where the table lies, and the object that describes it now: addresses of the object store. */
  readonly location: string;
  readonly metadata: string;
  readonly columns: readonly RegisteredColumn[];
}

/** Lists published tables outside the platform, where other services of the same account look for tables. */
export interface TableRegistry {
  /** A deployment may have none, and whoever would register need not read what to tell it. */
  readonly isConfigured: boolean;
  /** Says what describes a table now; lists it where it is not listed yet. */
  register(table: RegisteredTable): Promise<void>;
  /** Takes a table off the list; one that is not there is no error. */
  forget(name: string): Promise<void>;
}
