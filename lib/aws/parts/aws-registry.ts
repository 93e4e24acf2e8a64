import type { RegisteredColumn, RegisteredTable, TableRegistry } from "../../ports/table-registry.ts";
import { type SignedPlace, SignedRefusal, signedPost } from "./signed-post.ts";

export interface GluePlace extends SignedPlace {
  readonly database: string;
}

const GLUE = { service: "glue", called: "data catalogue", path: "/", contentType: "application/x-amz-json-1.1", timeoutMs: 10_000 };

type Operation = "CreateTable" | "UpdateTable" | "DeleteTable";

/** The tables of a database of Glue: three calls of an API of hundreds, whose client would be larger than all others together. */
export const openRegistry = ({ database, ...place }: GluePlace): Pick<TableRegistry, "register" | "forget"> => {
  const post = signedPost(place, GLUE);
  /** False where the call needs a table, or needs there to be none, and that is not so. */
  const call = async (operation: Operation, input: object): Promise<boolean> => {
    try {
      await post(JSON.stringify({ DatabaseName: database, ...input }), { "x-amz-target": `AWSGlue.${operation}` });
      return true;
    } catch (thrown) {
      if (thrown instanceof SignedRefusal && MISFITS[operation].test(thrown.answer)) return false;
      throw thrown;
    }
  };
  return {
    async register(table) {
      const TableInput = tableInput(table);
      if (await call("UpdateTable", { TableInput, SkipArchive: true })) return;
      // Where another worker lists it meanwhile, that one's table is brought up to date.
      if (!(await call("CreateTable", { TableInput }))) await call("UpdateTable", { TableInput, SkipArchive: true });
    },
    async forget(name) {
      await call("DeleteTable", { Name: name });
    },
  };
};

/** What the service says where a table is missing, or is there already. */
const MISFITS: Readonly<Record<Operation, RegExp>> = {
  UpdateTable: /EntityNotFoundException/,
  CreateTable: /AlreadyExistsException/,
  DeleteTable: /EntityNotFoundException/,
};

const tableInput = ({ name, location, metadata, columns }: RegisteredTable) => ({
  Name: name,
  TableType: "EXTERNAL_TABLE",
  Parameters: { table_type: "ICEBERG", metadata_location: metadata },
  StorageDescriptor: { Location: location, Columns: columns.map(({ name, type }) => ({ Name: name, Type: glueType(type) })) },
});

/** The types of a catalogue that is older than the tables are those of Hive. */
const HIVE_TYPES: Readonly<Record<string, string>> = { long: "bigint", timestamptz: "timestamp", uuid: "string" };

const glueType = (type: RegisteredColumn["type"]): string => HIVE_TYPES[type] ?? type;
