import { parseArgs } from "node:util";
import { UserError } from "../local/user-error.ts";
import { ADMIN, type Answer, type Command, type CommandArguments, type Place } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import type { Target } from "./target.ts";

/** What a command line prints, and the code with which the program ends. */
export interface Outcome {
  readonly text: string;
  readonly exitCode: number;
}

/** The text that a command line prints. */
export const run = async (line: readonly string[], environment: NodeJS.ProcessEnv): Promise<string> =>
  (await runLine(line, environment)).text;

/** Runs a command line. Throws a `UserError` or a `DocumentProblem` for what its writer can put right. */
export const runLine = async (line: readonly string[], environment: NodeJS.ProcessEnv): Promise<Outcome> => {
  const command = findCommand(line);
  if (command === undefined) {
    if (line.length === 0 || line.some((word) => word === "--help" || word === "help")) return printed(helpFor(line[0] ?? ""));
    throw new UserError(`There is no command "${wordsBeforeFlags(line).join(" ")}": --help lists them.`);
  }
  const { values, positionals } = parse(command, line.slice(command.name.split(" ").length));
  if (values.help === true) return printed(help(command));
  refuseEmpty(values);
  const [least, most] = command.words;
  if (positionals.length < least || positionals.length > most) {
    throw new UserError(`Usage: ${ADMIN} ${command.name} ${command.takes}`.trimEnd());
  }
  const given: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>> = values;
  const text = (name: string): string | undefined => {
    const value = given[name];
    return typeof value === "string" ? value : undefined;
  };
  const texts = (name: string): readonly string[] => {
    const value = given[name];
    return typeof value === "object" ? value.map(String) : [];
  };
  const stack = text("stack");
  const dataDir = text("data-dir") ?? (environment.DATA_DIR || ".local");
  const switches = new Set(Object.keys(command.switches ?? {}).filter((name) => given[name] === true));
  const place: Place = stack === undefined ? { kind: "directory", dataDir } : { kind: "stack", stack };
  const flags = Object.fromEntries(Object.keys(command.flags).map((name) => [name, text(name)]));
  const lists = Object.fromEntries(Object.keys(command.lists ?? {}).map((name) => [name, texts(name)]));
  const { json, lines, exitCode = 0 } = await answerOf(command, place, { words: positionals, flags, switches, lists });
  if (json === undefined) return { text: "", exitCode };
  return { text: values.json === true ? `${JSON.stringify(json)}\n` : lines.map((each) => `${each}\n`).join(""), exitCode };
};

const wordsBeforeFlags = (line: readonly string[]): readonly string[] => {
  const first = line.findIndex((word) => word.startsWith("-"));
  return first > 0 ? line.slice(0, first) : line;
};

/** What a stage refuses its operator is told as what it is; what a store of this machine does is a fault of ours. */
const answerOf = async (command: Command, place: Place, given: CommandArguments): Promise<Answer> => {
  if (place.kind === "directory") return await answerAt(command, place, given);
  const { askingAws } = await import("./aws-problem.ts");
  return await askingAws(() => answerAt(command, place, given));
};

const answerAt = async (command: Command, place: Place, given: CommandArguments): Promise<Answer> => {
  if ("loadAt" in command) return (await command.loadAt())(place, given);
  const runs = await command.load();
  const target = await open(place, command.makes?.(given.switches) ?? false);
  try {
    return await runs(target, given);
  } catch (thrown) {
    const { ListFull } = await import("../../lib/table/bounded-list.ts");
    const { MalformedKeys } = await import("../../lib/ports/token-keys.ts");
    throw thrown instanceof ListFull || thrown instanceof MalformedKeys ? new UserError(thrown.message) : thrown;
  } finally {
    await target.close();
  }
};

const open = async (place: Place, makes: boolean): Promise<Target> => {
  if (place.kind === "stack") {
    const { stackTarget } = await import("./stack-target.ts");
    return stackTarget(place.stack);
  }
  const { localTarget } = await import("./local-target.ts");
  return localTarget(place.dataDir, { makes });
};

const printed = (text: string): Outcome => ({ text, exitCode: 0 });

const findCommand = (line: readonly string[]): Command | undefined =>
  COMMANDS.find((command) => command.name.split(" ").every((word, at) => line[at] === word));

const SHARED = { json: { type: "boolean" }, help: { type: "boolean" }, "data-dir": { type: "string" }, stack: { type: "string" } } as const;

const parse = (command: Command, args: readonly string[]) => {
  const own = Object.fromEntries(Object.keys(command.flags).map((name) => [name, { type: "string" as const }]));
  const lists = Object.fromEntries(Object.keys(command.lists ?? {}).map((name) => [name, { type: "string" as const, multiple: true }]));
  const switches = Object.fromEntries(Object.keys(command.switches ?? {}).map((name) => [name, { type: "boolean" as const }]));
  try {
    return parseArgs({ args: [...args], options: { ...SHARED, ...own, ...lists, ...switches }, allowPositionals: true });
  } catch (thrown) {
    const said = (thrown instanceof Error ? thrown.message : String(thrown)).replace(/\s+/g, " ");
    throw new UserError(`${said} ("${command.name} --help" shows the flags.)`);
  }
};

/** A variable of a shell that is not set leaves a flag without its value, which as a directory would be the one that the caller is in. */
const refuseEmpty = (values: Readonly<Record<string, unknown>>): void => {
  const empty = Object.keys(values).find((name) => [values[name]].flat().includes(""));
  if (empty !== undefined) throw new UserError(`--${empty} is empty: give a value, or leave it out.`);
};

/** The commands whose names begin with a word, or all of them. */
const helpFor = (word: string): string => {
  const begun = COMMANDS.filter(({ name }) => name.startsWith(`${word} `));
  return begun.length === 0 ? overview() : begun.map(help).join("\n");
};

const overview = (): string => {
  const width = Math.max(...COMMANDS.map(commandLine).map((title) => title.length));
  const list = COMMANDS.map((command) => `  ${commandLine(command).padEnd(width)}  ${command.summary}`).join("\n");
  return `The operator's commands:\n\n${list}\n\nEach has --help. Example: ${COMMANDS[0]?.example}\n`;
};

const commandLine = (command: Command): string => `${command.name} ${command.takes}`.trimEnd();

const help = (command: Command): string => {
  const flags: readonly (readonly [string, string])[] = [
    ...Object.entries(command.flags).map(([name, meaning]) => [`--${name} ${name.charAt(0).toUpperCase()}`, meaning] as const),
    ...Object.entries(command.lists ?? {}).map(
      ([name, meaning]) => [`--${name} ${name.charAt(0).toUpperCase()}`, `${meaning}; may be given several times`] as const,
    ),
    ...Object.entries(command.switches ?? {}).map(([name, meaning]) => [`--${name}`, meaning] as const),
    ["--data-dir D", "the platform of this data directory, running or not (DATA_DIR; default .local)"],
    ["--stack NAME", "a deployed stack, with your own AWS credentials"],
    ["--json", "prints JSON"],
  ];
  const list = flags.map(([flag, meaning]) => `  ${flag.padEnd(14)}  ${meaning}`).join("\n");
  return `${command.summary}.\n\n  ${ADMIN} ${commandLine(command)}\n\n${list}\n\nExample: ${command.example}\n`;
};
