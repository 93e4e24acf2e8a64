import type { Unsupported } from "./spec.ts";

const no = (instead: string, ...names: readonly string[]): readonly Unsupported[] =>
  names.map((name) => ({ kind: "unsupported", name, instead }));

/** Functions that exist upstream and cannot here, each with what to write instead. */
export const UNSUPPORTED: readonly Unsupported[] = [
  ...no("List the persons, or filter by their properties.", "inCohort", "notInCohort"),
  ...no("Write the action's filters as conditions on `event` and `properties`.", "matchesAction"),
  ...no("Return the array itself.", "sparkline"),
  ...no("Convert with your own rates, for example by multiIf.", "convertCurrency"),
  ...no("Read the survey's answer from `properties`.", "getSurveyResponse", "uniqueSurveySubmissionsFilter"),
  ...no(
    "Compare `properties.utm_source` and `properties.$referring_domain` with your own lists.",
    "lookupDomainType",
    "lookupPaidSourceType",
    "lookupPaidMediumType",
    "lookupOrganicSourceType",
    "lookupOrganicMediumType",
  ),
  ...no("It can only stand by itself in the list of a SELECT; elsewhere name the elements with tupleElement.", "untuple"),
  ...no("Convert with toUUID.", "reinterpretAsUUID"),
];

/** Functions that upstream has and that are not here, and the sentence that says what to write instead. */
type Absent = readonly [names: string, instead: string];

const ADDRESS = "Addresses are texts here: keep the text, and test it with isIPAddressInRange(address, range).";
const VECTOR =
  "Sum over the array: arraySum((x, y) -> x * y, a, b), arraySum(x -> abs(x), a), sqrt(arraySum(x -> x * x, a)), arrayMax(x -> abs(x), a).";
const OUTSIDE = "Return the values or the counts of each pair, and compute it outside the query.";
const ITSELF = "Return the value itself, and show it as you like outside the query.";
const WINDOW_OF_TIME = "Write toStartOfInterval(time, INTERVAL 1 HOUR).";
const WORDS = "Write has(splitByNonAlpha(text), 'word'), or match(text, '\\\\bword\\\\b').";
const DISTANCE =
  "Compute the distance from radians(lat) and radians(lon) by asin, sin, cos and sqrt, or round the coordinates: round(lat, 2), round(lon, 2).";
const AGENT = "Match `properties.$raw_user_agent` with your own patterns.";
const ENTRIES = "Write mapFilter((k, v) -> …, m) or mapApply((k, v) -> (k, …), m); length(mapKeys(m)) counts entries.";

/** Names with blanks between them; one that ends in `*` stands for all that begin so. */
export const ABSENT: readonly Absent[] = [
  ["IPv4CIDRToRange IPv6CIDRToRange IPv4NumToString IPv6NumToString IPv4ToIPv6 IPv6StringToNum* toIPv4* toIPv6* cutIPv6", ADDRESS],
  ["isIPv4String extractIPv4Substrings", "Write match(text, '^\\\\d{1,3}(\\\\.\\\\d{1,3}){3}$'), or extractAll with such a pattern."],
  ["isIPv6String", "Write position(text, ':') > 0."],
  ["L1Distance L1Norm L1Normalize L2Distance L2Norm L2Normalize LinfDistance LinfNorm LinfNormalize LpDistance LpNorm LpNormalize", VECTOR],
  ["dotProduct cosineDistance", VECTOR],
  ["URLHierarchy URLPathHierarchy", "Write splitByChar('/', path(url))."],
  ["acosh asinh atanh", "Write log(x + sqrt(x * x - 1)), log(x + sqrt(x * x + 1)) or log((1 + x) / (1 - x)) / 2."],
  ["log1p", "Write log(1 + x)."],
  ["erf erfc lgamma tgamma arrayAUC contingency contingencyIf cramersV* theilsU*", OUTSIDE],
  ["factorial", "Write arrayProduct(range(1, n + 1))."],
  ["aggregate_funnel*", "Write windowFunnel(seconds)(timestamp, condition, …)."],
  ["arrayCumSumNonNegative", "Write arrayCumSum(a), or arrayFold((sum, x) -> greatest(sum + x, 0), a, 0)."],
  ["arrayEnumerateDense", "Write arrayMap(x -> indexOf(arrayDistinct(a), x), a)."],
  ["arrayEnumerateUniq", "Write arrayMap((x, i) -> countEqual(arraySlice(a, 1, i), x), a, arrayEnumerate(a))."],
  [
    "arrayFill arrayReverseFill arraySplit arrayReverseSplit",
    "Write arrayFold((kept, x) -> …, a, []), or arrayMap with arrayEnumerate(a).",
  ],
  ["arrayResize", "Write arraySlice(a, 1, n), or arrayConcat(a, …)."],
  ["arrayRotateLeft arrayRotateRight", "Write arrayConcat(arraySlice(a, n + 1), arraySlice(a, 1, n))."],
  ["arrayWithConstant", "Write arrayMap(i -> x, range(n))."],
  ["bar formatReadable* embedText jev recordingButton explainCSPReport", ITSELF],
  ["base58Encode base58Decode tryBase58Decode", "Write base64Encode(x) and base64Decode(x), or hex(x) and unhex(x)."],
  ["bitHammingDistance", "Write bitCount(bitXor(a, b))."],
  ["bitRotateLeft bitRotateRight", "Write bitOr(bitShiftLeft(x, n), bitShiftRight(x, 64 - n))."],
  ["bitSlice", "Write substring(text, start, length)."],
  ["bitTestAll bitTestAny", "Write bitTest(x, i) for each place."],
  ["bitmap* groupBitmap* subBitmap", "Use arrays: groupUniqArray(x), length(a), has(a, x), arrayIntersect(a, b), arrayConcat(a, b)."],
  ["btrim", "Write trim(text)."],
  ["convertCharset", "Texts are UTF-8: write toValidUTF8(text)."],
  ["current_timestamp", "Write now()."],
  ["cutToFirstSignificantSubdomainWithWWW", "Write cutToFirstSignificantSubdomain(url)."],
  ["cutWWW netloc", "Write domain(url) or domainWithoutWWW(url)."],
  ["date_bin hop hopStart hopEnd tumble tumbleStart tumbleEnd timeSlots", WINDOW_OF_TIME],
  ["date_part", "Write toYear(time), toMonth(time), toHour(time) or another part."],
  ["date_subtract", "Write dateSub('day', 1, time)."],
  ["decodeXMLComponent encodeXMLComponent", "Write replaceAll(text, '&amp;', '&') for each sign."],
  ["defaultValueOfTypeName", "Write the value itself: 0, '' or NULL."],
  ["dynamicType", "Write toTypeName(x)."],
  ["multiplyDecimal divideDecimal", "Write toDecimal(a * b, scale) or toDecimal(a / b, scale)."],
  ["fromModifiedJulianDay", "Write toDate('1858-11-17') + n."],
  ["toModifiedJulianDay", "Write dateDiff('day', toDate('1858-11-17'), day)."],
  ["generateSeries", "Write arrayJoin(range(from, to + 1))."],
  ["geoDistance greatCircleDistance greatCircleAngle geohash* geohashesInBox geoToH3 stringToH3 h3*", DISTANCE],
  ["pointInEllipses pointInPolygon", "Compare longitude and latitude with the bounds of the area."],
  ["getBotName getBotOperator getBotType getTrafficCategory getTrafficType isLikelyBot", AGENT],
  ["groupArrayInsertAt", "Write arrayMap(pair -> pair.2, arraySort(groupArray((place, x))))."],
  ["hasToken* hasAllTokens hasAnyTokens", WORDS],
  ["hasSubsequenceCaseInsensitive*", "Write hasSubsequence(lower(text), lower(part))."],
  ["ifNotFinite", "Write if(isFinite(x), x, y)."],
  ["indexHint", "Leave it out: it changes no result."],
  ["intExp2 intExp10", "Write toInt(exp2(x)) or toInt(exp10(x))."],
  ["make_date", "Write makeDate(year, month, day)."],
  ["make_timestamp make_timestamptz", "Write toDateTime('2026-01-31 12:00:00', 'Europe/Berlin')."],
  ["make_interval", "Write toIntervalDay(n), toIntervalHour(n) or another one."],
  ["mapAdd mapSubtract mapUpdate mapPopulateSeries mapExists mapContainsKeyLike mapExtractKeyLike", ENTRIES],
  [
    "maxIntersections maxIntersectionsIf maxIntersectionsPosition*",
    "Sum starts and ends: sum(change) OVER (ORDER BY time), then take max.",
  ],
  ["md5", "Write MD5(text)."],
  ["medianBFloat16* medianDeterministic* medianExact* medianTDigest* medianTiming*", "Write median(x)."],
  ["quantileBFloat16* quantileDeterministic* quantileExact* quantileTDigest* quantileTiming*", "Write quantile(0.9)(x)."],
  ["multiFuzzyMatch* multiMatchAllIndices", "Write multiMatchAny(text, patterns), or arrayFilter(p -> match(text, p), patterns)."],
  ["ngramSearch*", "Write ngramDistance(a, b)."],
  ["ngrams", "Write arrayMap(i -> substring(text, i, n), range(1, length(text) - n + 2))."],
  ["queryStringAndFragment", "Write concat(queryString(url), '#', fragment(url))."],
  ["regexpQuoteMeta", "Search for the text itself: position(text, part) or replaceAll(text, part, other)."],
  [
    "reinterpretAsInt128 reinterpretAsInt256 reinterpretAsUInt128 reinterpretAsUInt256",
    "Write reinterpretAsInt64(x) or reinterpretAsUInt64(x).",
  ],
  ["roundAge roundDuration width_bucket", "Write multiIf(x < 10, 0, x < 60, 10, 60) with your own steps."],
  ["rowNumberInBlock rowNumberInAllBlocks", "Write row_number() OVER ()."],
  ["sortablesemver", "Write arrayMap(part -> toInt(part), splitByChar('.', version))."],
  ["sumWithOverflow*", "Write sum(x)."],
  ["throwIf", "Return the condition as a column: a query does not fail on purpose."],
  ["toDateTimeUS", "Write parseDateTime(text, '%m/%d/%Y')."],
  ["toIntOrDefault", "Write ifNull(toInt(x), 0)."],
  ["to_date", "Write toDate(x)."],
  ["to_timestamp", "Write toDateTime(x), or fromUnixTimestamp(seconds)."],
  ["toNullableString", "Write toString(x)."],
  ["toTime", "Write formatDateTime(time, '%H:%i:%s')."],
  ["tokens", "Write splitByNonAlpha(text)."],
  [
    "tupleToNameValuePairs tupleHammingDistance tuplePlus tupleMinus tupleMultiply* tupleDivide* tupleNegate",
    "Take the elements: t.1, t.2.",
  ],
  ["uniqUpTo* uniqCombined64", "Write uniq(x)."],
];

const whole = new Map<string, string>();
const beginnings: Absent[] = [];
for (const [names, instead] of ABSENT) {
  for (const name of names.split(" ")) {
    if (name.endsWith("*")) beginnings.push([name.slice(0, -1), instead]);
    else whole.set(name, instead);
  }
}

/** The sentence on what to write in place of a function that is not here; undefined for a name that upstream does not have either. */
export const findReplacement = (name: string): string | undefined =>
  whole.get(name) ?? beginnings.find(([beginning]) => name.startsWith(beginning))?.[1];

/** Functions of other dialects, by their names in small letters, with what does the same here. */
export const FOREIGN_FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ["len", "length(x)"],
  ["datalength", "length(x)"],
  ["iif", "if(condition, a, b)"],
  ["nvl", "ifNull(x, y)"],
  ["getdate", "now()"],
  ["sysdate", "now()"],
  ["getutcdate", "now()"],
  ["dateadd", "dateAdd('day', 1, time)"],
  ["datepart", "toYear(time), toMonth(time), toDayOfMonth(time) or another part"],
  ["extract_epoch", "toUnixTimestamp(time)"],
  ["string_agg", "arrayStringConcat(groupArray(x), ', ')"],
  ["listagg", "arrayStringConcat(groupArray(x), ', ')"],
  ["array_agg", "groupArray(x)"],
  ["array_length", "length(x)"],
  ["cardinality", "length(x)"],
  ["unnest", "arrayJoin(x)"],
  ["explode", "arrayJoin(x)"],
  ["generate_series", "range(from, to)"],
  ["charindex", "position(text, part)"],
  ["instr", "position(text, part)"],
  ["strpos", "position(text, part)"],
  ["percentile_cont", "quantile(0.5)(x)"],
  ["percentile_disc", "quantileExact(0.5)(x)"],
  ["approx_percentile", "quantile(0.5)(x)"],
  ["approx_count_distinct", "uniq(x)"],
  ["to_char", "formatDateTime(time, '%Y-%m-%d')"],
  ["date_format", "formatDateTime(time, '%Y-%m-%d')"],
  ["strftime", "formatDateTime(time, '%Y-%m-%d')"],
  ["to_timestamp", "toDateTime(x)"],
  ["from_unixtime", "toDateTime(x)"],
  ["json_value", "JSONExtractString(x, 'key')"],
  ["json_extract", "JSONExtractString(x, 'key')"],
  ["json_extract_path_text", "JSONExtractString(x, 'key')"],
  ["regexp_replace", "replaceRegexpAll(text, pattern, replacement)"],
  ["regexp_like", "match(text, pattern)"],
  ["regexp_matches", "extractAll(text, pattern)"],
  ["regexp_substr", "extract(text, pattern)"],
  ["split_part", "splitByString(separator, text)[n]"],
  ["nullifzero", "nullIf(x, 0)"],
  ["zeroifnull", "ifNull(x, 0)"],
]);
