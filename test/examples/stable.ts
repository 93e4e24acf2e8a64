/** Moments within so long after a whole number of days since the recording began are those of the recording itself. */
const RECORDING_MS = 30 * 60_000;
const DAY_MS = 86_400_000;

/** With dashes, or without them behind a prefix. */
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|(?<=_)[0-9a-f]{12}7[0-9a-f]{19}(?![0-9a-f])/g;
/** Stands for every secret. */
const EXAMPLE = `${"0".repeat(36)}example`;
const MADE_UP = "0190d0aa-0000-7000-8000-";
/** Ids that bodies are sent with end in less. */
const FIRST_NUMBER = 0x10;
const MOMENT = /\b\d{4}-\d\d-\d\d([T ])\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?/g;
/** Keys and tokens, whole or masked. */
const KEY = /\b(ph[xsc])_[A-Za-z0-9]+/g;
const MASKED_KEY = /\b(ph[xsc]_\.\.\.)\w{4}/g;
/** Other secrets and ids of 32 random bytes. */
const RANDOM = /(?<![A-Za-z0-9])(?=[a-z0-9]*[A-Z])(?=[A-Z0-9]*[a-z])[A-Za-z0-9]{40,44}(?![A-Za-z0-9])/g;
/** What an address of the object store is signed with, and when. */
const SIGNATURE = /(?<=X-Amz-Signature(?:=|":"))[0-9a-f]{64}/g;
const SIGNED_AT = /(?<=X-Amz-Date(?:=|":"))\d{8}T\d{6}Z/g;
const POLICY = /(?<="Policy":")[\w+/=]+/g;
/** The token of a public link. */
const LINK = /(?<=\/shared\/|"token":")[\w-]{43}/g;
const ULID = /(?<![A-Za-z0-9])[0-9A-HJKMNP-TV-Z]{26}(?![A-Za-z0-9])/g;
const DURATION = /duration_ms=\d+/g;

/** Of the health of a platform, what each moment has of its own: how long storing took, and messages of background work. */
const DELAY = /(?<="delay_seconds":|the latest within )\d+(?: seconds?)?/g;
const ON_THE_WAY = /"waiting":\d+,"in_flight":\d+/g;

/** The last minutes, which are others where the recording has taken more than one. */
const MINUTES = /"minutes":\[[^\]]*\]/g;
const MINUTE = /(?<="minute":")[^"]+/g;
const MINUTE_MS = 60_000;

/** Where live events go on: the moment and the names of commits. */
const CURSOR = /(?<="next":"1\.1\.)[0-9a-z]+\.\w*\.\w*(?=")/g;

/** Characters of a text that are shown: whole sources are nothing for an example. */
const LONGEST_TEXT = 500;

/** What a recording has of its own, besides what is seen by its form. */
export interface Occasion {
  /** Milliseconds since 1970. */
  readonly beganAt: number;
  /** Addresses of this machine, and what is written instead. */
  readonly addresses: Readonly<Record<string, string>>;
}

/** The same examples whenever they are recorded. Long texts are cut. */
export const stable = <T>(value: T, occasion: Occasion): T =>
  JSON.parse(madeUp(JSON.stringify(value), occasion), (_, each) =>
    typeof each === "string" && each.length > LONGEST_TEXT ? `${each.slice(0, LONGEST_TEXT)}…` : each,
  );

/**
 * The same text whenever it is recorded: ids are numbered as they appear, moments of the recording are its beginning; keys, addresses
 * and durations are made up.
 */
const madeUp = (text: string, { addresses, beganAt }: Occasion): string => {
  const numbers = new Map<string, string>();
  const numbered = (id: string): string => {
    if (id.startsWith(MADE_UP)) return id;
    const plain = id.replaceAll("-", "");
    const known = numbers.get(plain) ?? MADE_UP + (FIRST_NUMBER + numbers.size).toString(16).padStart(12, "0");
    numbers.set(plain, known);
    return id === plain ? known.replaceAll("-", "") : known;
  };
  return Object.entries(addresses)
    .reduce((told, [address, instead]) => told.replaceAll(address, instead), text)
    .replace(UUID, numbered)
    .replace(SIGNATURE, EXAMPLE)
    .replace(SIGNED_AT, "20260301T120000Z")
    .replace(POLICY, "eyJleGFtcGxlIjp0cnVlfQ==")
    .replace(LINK, EXAMPLE)
    .replace(KEY, (_, kind: string) => `${kind}_${EXAMPLE}`)
    .replace(MASKED_KEY, `$1${EXAMPLE.slice(-4)}`)
    .replace(RANDOM, EXAMPLE)
    .replace(ULID, "01".padEnd(26, "0"))
    .replace(DURATION, "duration_ms=25")
    .replace(DELAY, (delay) => (delay.includes(" ") ? "4 seconds" : "4"))
    .replace(CURSOR, "mexample..")
    .replace(MINUTES, (minutes) => {
      let at = beganAt - (minutes.match(MINUTE)?.length ?? 0) * MINUTE_MS;
      return minutes.replace(MINUTE, () => {
        at += MINUTE_MS;
        return new Date(at).toISOString();
      });
    })
    .replace(ON_THE_WAY, '"waiting":0,"in_flight":0')
    .replace(MOMENT, (moment, between: string, fraction: string = "", zone: string = "") => {
      const at = Date.parse(zone === "" ? `${moment.replace(" ", "T")}Z` : moment);
      const past = (((at - beganAt) % DAY_MS) + DAY_MS) % DAY_MS;
      if (past > RECORDING_MS) return moment;
      const begun = new Date(Math.round((at - past) / 1_000) * 1_000).toISOString().slice(0, 19).replace("T", between);
      // Microseconds are left out where there are none; milliseconds never are.
      return begun + (fraction.length === 4 ? ".000" : "") + zone;
    });
};
