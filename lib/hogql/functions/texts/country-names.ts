import { derive, type Expression } from "../../analysis/expression.ts";
import { parameter, type Sql, separated, sql } from "../../sql/fragment.ts";
import { STRING } from "../../types.ts";
import type { FunctionSpec } from "../spec.ts";

/** Codes of ISO 3166-1 and ISO 639-1, two letters each. */
const COUNTRIES =
  "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW";
const LANGUAGES =
  "aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu";

/** English names by code, as the runtime's own tables have them; made when they are first asked for. */
const lazyNames = (codes: string, type: "region" | "language") => {
  let kept: readonly (readonly [string, string])[] | undefined;
  return (): readonly (readonly [string, string])[] => {
    const names = new Intl.DisplayNames("en", { type });
    kept ??= codes.split(" ").map((code) => [code, names.of(code) ?? code] as const);
    return kept;
  };
};

const countries = lazyNames(COUNTRIES, "region");
const languages = lazyNames(LANGUAGES, "language");

/** The name that a code stands for; `Unknown` for a code that is none. */
const named = (name: string, table: () => readonly (readonly [string, string])[], codeOf: (text: Sql) => Sql): FunctionSpec => ({
  kind: "scalar",
  name,
  takes: ["text"],
  lower: (args, context) => {
    const value = args[0] ?? context.known(null, STRING);
    return derive(lookUp(value, table(), codeOf), STRING, [value]);
  },
});

const lookUp = ({ tree }: Expression, names: readonly (readonly [string, string])[], codeOf: (text: Sql) => Sql): Sql => {
  const whens = names.map(([code, name]) => sql`WHEN ${parameter(code)}::VARCHAR THEN ${parameter(name)}::VARCHAR`);
  return sql`(CASE ${codeOf(tree)} ${separated(whens, sql` `)} ELSE CASE WHEN ${tree} IS NOT NULL THEN 'Unknown' END END)`;
};

/** Names of countries and languages by their codes. A language may name a country too, such as `en-US`. */
export const COUNTRY_NAMES: readonly FunctionSpec[] = [
  named("countryCodeToName", countries, (text) => sql`upper(${text})`),
  named("languageCodeToName", languages, (text) => sql`lower(left(${text}, 2))`),
];
