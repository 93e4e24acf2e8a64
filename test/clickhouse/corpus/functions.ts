/** The functions of the contract's table 12.4, by its rows. */
export const FUNCTIONS = {
  aggregates: `count countDistinct sum avg min max any anyLast argMin argMax uniq uniqExact uniqHLL12 uniqTheta groupArray array_agg
    groupUniqArray groupUniqArrayArray groupArraySample topK median quantile quantiles quantileExact stddevPop stddevSamp varPop varSamp
    covarPop covarSamp corr sumMap minMap maxMap avgWeighted string_agg json_agg every groupBitAnd groupBitOr groupBitXor
    simpleLinearRegression windowFunnel retention sequenceMatch sequenceCount`,
  combinators: "countIf sumIf avgIf minIf maxIf sumArray avgMap sumForEach sumOrNull avgOrDefault sumDistinct sumArrayIf maxOrNullIf",
  windows: "row_number rank dense_rank ntile lag lead lagInFrame leadInFrame first_value last_value nth_value",
  conversion: `toString toInt toFloat toDecimal toBool toDate toDateTime toDateTime64 toUUID parseDateTime parseDateTimeBestEffort
    toJSONString cast toTypeName reinterpretAsUInt8 reinterpretAsString reinterpretAsFloat64 accurateCastOrNull _toInt64 _toUInt64`,
  conditional: "if multiIf coalesce ifNull nullIf isNull isNotNull assumeNotNull toNullable greatest least",
  comparison: "equals notEquals less greater lessOrEquals greaterOrEquals and or not xor in notIn like ilike notLike notILike",
  arithmetic: `plus minus multiply divide intDiv intDivOrZero modulo positiveModulo negate abs gcd lcm exp log log2 log10 sqrt pow power
    sign sin cos tan pi e rand bitAnd bitOr bitXor bitNot bitShiftLeft bitShiftRight`,
  rounding: "round floor ceil trunc roundBankers roundToExp2 roundDown",
  dateParts: `toYear toQuarter toMonth toWeek toISOWeek toISOYear toDayOfYear toDayOfMonth toDayOfWeek toHour toMinute toSecond
    toUnixTimestamp toUnixTimestamp64Milli toYYYYMM toYYYYMMDD`,
  dateFloors: `toStartOfYear toStartOfISOYear toStartOfQuarter toStartOfMonth toLastDayOfMonth toMonday toStartOfWeek toStartOfDay
    toStartOfHour toStartOfMinute toStartOfSecond toStartOfFiveMinutes toStartOfTenMinutes toStartOfFifteenMinutes toStartOfInterval
    dateTrunc date_trunc`,
  dateArithmetic: `now today yesterday nowInBlock dateAdd date_add dateSub dateDiff date_diff age addSeconds addMinutes addHours addDays
    addWeeks addMonths addQuarters addYears subtractSeconds subtractMinutes subtractHours subtractDays subtractWeeks subtractMonths
    subtractQuarters subtractYears toIntervalSecond toIntervalMinute toIntervalHour toIntervalDay toIntervalWeek toIntervalMonth
    toIntervalQuarter toIntervalYear timeStampAdd timeStampSub toTimeZone timeZoneOffset fromUnixTimestamp fromUnixTimestamp64Milli
    formatDateTime dateName monthName makeDate UUIDv7ToDateTime`,
  strings: `length lengthUTF8 empty notEmpty lower upper reverse concat substring substr left right leftPad rightPad repeat trim trimLeft
    trimRight startsWith endsWith replace replaceAll replaceOne replaceRegexpOne replaceRegexpAll splitByChar splitByString splitByRegexp
    arrayStringConcat format toValidUTF8 base64Encode base64Decode encodeURLComponent decodeURLComponent ascii char hex unhex
    extractTextFromHTML`,
  search: `position positionCaseInsensitive locate match multiMatchAny multiSearchAny multiSearchAnyCaseInsensitive extract extractAll
    extractAllGroups countSubstrings countMatches ngramDistance levenshteinDistance`,
  json: `JSONExtractString JSONExtractInt JSONExtractUInt JSONExtractFloat JSONExtractBool JSONExtractRaw JSONExtract JSONExtractArrayRaw
    JSONExtractKeys JSONExtractKeysAndValues JSONHas JSONLength JSONType isValidJSON JSON_VALUE`,
  arrays: `array range length has hasAll hasAny hasSubstr indexOf countEqual arrayElement arrayConcat arrayPushBack arrayPushFront
    arrayPopBack arraySlice arrayReverse arraySort arrayReverseSort arrayDistinct arrayUniq arrayCompact arrayIntersect arrayFlatten
    arrayZip arrayEnumerate arrayDifference arrayCumSum arrayReduce arrayMap arrayFilter arrayExists arrayAll arrayCount arrayFirst
    arrayLast arrayFirstIndex arraySum arrayAvg arrayMin arrayMax arrayProduct arrayFold arrayJoin emptyArrayString`,
  tuplesAndMaps: "tuple tupleElement untuple map mapFromArrays mapKeys mapValues mapContains mapFilter mapApply",
  urls: `protocol domain domainWithoutWWW topLevelDomain firstSignificantSubdomain cutToFirstSignificantSubdomain port path pathFull
    queryString fragment extractURLParameter extractURLParameters extractURLParameterNames cutQueryString cutFragment cutURLParameter
    IPv4StringToNum isIPAddressInRange`,
  hashes: "MD5 SHA1 SHA256 sipHash64 cityHash64 xxHash64 farmHash64 halfMD5 generateUUIDv4 isUUID",
} as const;
