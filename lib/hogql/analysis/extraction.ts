/** What a query reads from the JSON of one table. */
export interface Extracts {
  /** Stands for the text under a path, NULL when there is nothing; `path` and `json` are texts of the statement. */
  text(path: string, json: string): string;
  /** Stands for the table in FROM. */
  readonly from: string;
}

interface Table {
  readonly name: string;
  readonly table: string;
  /** Joined to each row of many, so that all is taken out before the join. */
  readonly joined: boolean;
  /** Paths that are read once all conditions of WHERE have their texts. */
  readonly paths: string[];
}

interface Mark {
  readonly of: Table;
  readonly path: string;
  readonly alone: string;
}

/**
 * Parsing JSON costs far more than finding something in it, so all that a query reads of a row is taken out together, in the table's
 * own place in FROM. A condition of WHERE takes out by itself what it needs, as the rest is wanted only of the rows that it leaves.
 * Which of them a value is in shows at the end, so until then marks stand in the text: `@j0@` for values, `@t0@` for tables.
 */
export const newExtraction = () => {
  const tables: Table[] = [];
  const marks: Mark[] = [];
  const numbers = new Map<string, number>();
  const taken = ({ of, path, alone }: Mark): string => {
    if (!of.joined && of.paths.length === 1) return alone;
    return of.paths.length === 1 ? `${of.table}.j` : `${of.table}.j[${of.paths.indexOf(path) + 1}]`;
  };
  const tableText = ({ name, table, joined, paths }: Table): string => {
    const plain = `${name} AS ${table}`;
    if (paths.length === 0 || (paths.length === 1 && !joined)) return plain;
    const list = paths.length === 1 ? paths.join() : `[${paths.join(", ")}]`;
    return `(SELECT *, json_extract_string(properties, ${list}) AS j FROM ${plain}) AS ${table}`;
  };
  const marked = (sql: string, replace: (mark: Mark, text: string) => string): string =>
    sql.replace(/@j(\d+)@/g, (text, number: string) => {
      const mark = marks[Number(number)];
      return mark === undefined ? text : replace(mark, text);
    });

  return {
    open(name: string, table: string, joined: boolean): Extracts {
      const own: Table = { name, table, joined, paths: [] };
      const number = tables.push(own) - 1;
      return {
        from: `@t${number}@`,
        text(path, json) {
          const key = `${number} ${path}`;
          const known = numbers.get(key) ?? marks.push({ of: own, path, alone: `json_extract_string(${json}, ${path})` }) - 1;
          numbers.set(key, known);
          return `@j${known}@`;
        },
      };
    },
    /** A condition whose values are taken out by itself, except where a joined table has them ready. */
    alone: (sql: string): string => marked(sql, ({ of, alone }, text) => (of.joined ? text : alone)),
    /** The whole text, with what the marks stand for. */
    settle(sql: string): string {
      marked(sql, ({ of, path }) => {
        if (!of.paths.includes(path)) of.paths.push(path);
        return "";
      });
      return marked(sql, taken).replace(/@t(\d+)@/g, (text, number: string) => {
        const table = tables[Number(number)];
        return table === undefined ? text : tableText(table);
      });
    },
  };
};
