/** Section 12.4: strings, search, JSON. */
export const STRINGS = {
  "length counts and empty":
    "SELECT length('abc') AS a, lengthUTF8('größe') AS b, lengthUTF8('日本') AS c, length('') AS d, empty('') AS e, empty('x') AS f, notEmpty('x') AS g, length(NULL) AS h",
  "lower, upper, reverse":
    "SELECT lower('ABC') AS a, upper('abc') AS b, reverse('abc') AS c, lower('') AS d, LOWER('MiXed') AS e, UPPER('MiXed') AS f",
  "concat and the double bar":
    "SELECT concat('a', 'b', 'c') AS a, 'a' || 'b' AS b, concat('n=', toString(5)) AS c, concat('', '') AS d, concat('日', '本') AS e",
  "concat with NULL": "SELECT concat('a', NULL) AS a, 'a' || NULL AS b, concat('x', coalesce(NULL, '-')) AS c",
  "substring counts from one":
    "SELECT substring('abcdef', 2) AS a, substring('abcdef', 2, 3) AS b, substr('abcdef', 1, 1) AS c, substring('abcdef', -2) AS d, substring('abcdef', 10) AS e, substring('abcdef', 4, 100) AS f, substring('abc', 1, 0) AS g",
  "left and right":
    "SELECT left('abcdef', 2) AS a, right('abcdef', 2) AS b, left('ab', 5) AS c, right('ab', 5) AS d, left('abcdef', -2) AS e, right('abcdef', -2) AS f",
  "leftPad and rightPad":
    "SELECT leftPad('7', 3, '0') AS a, rightPad('ab', 5, '.') AS b, leftPad('abc', 2, '0') AS c, leftPad('ab', 6, 'xyz') AS d, rightPad('x', 3) AS e",
  repeat: "SELECT repeat('ab', 3) AS a, repeat('x', 0) AS b, repeat('', 5) AS c",
  "trim, trimLeft, trimRight":
    "SELECT trim('  a b  ') AS a, trimLeft('  a') AS b, trimRight('a  ') AS c, length(trim('   ')) AS d, length(trim('\\ta')) AS e",
  "startsWith and endsWith":
    "SELECT startsWith('https://a', 'https') AS a, startsWith('a', 'ab') AS b, endsWith('file.csv', '.csv') AS c, startsWith('', '') AS d, endsWith('größe', 'ße') AS e, startsWith('ABC', 'a') AS f",
  "replace, replaceAll, replaceOne":
    "SELECT replace('a-b-c', '-', '+') AS a, replaceAll('aaa', 'aa', 'b') AS b, replaceOne('a-b-c', '-', '+') AS c, replaceAll('abc', 'x', 'y') AS d, replaceAll('größe', 'ö', 'oe') AS e, replaceOne('abc', 'b', '') AS f",
  "replaceRegexpOne and replaceRegexpAll":
    "SELECT replaceRegexpOne('hello world', 'o', '0') AS a, replaceRegexpAll('hello world', 'o', '0') AS b, replaceRegexpAll('2026-01-31', '(\\\\d+)-(\\\\d+)-(\\\\d+)', '\\\\3.\\\\2.\\\\1') AS c, replaceRegexpAll('abc', '^', '> ') AS d, replaceRegexpOne('/item/42/edit', '/\\\\d+', '/:id') AS e, replaceRegexpAll('a1b22', '\\\\d', '#') AS f",
  splitByChar:
    "SELECT splitByChar(',', 'a,b,,c') AS a, splitByChar(',', '') AS b, splitByChar('/', '/a/b') AS c, splitByChar(',', 'abc') AS d",
  "splitByString and splitByRegexp":
    "SELECT splitByString(', ', 'a, b, c') AS a, splitByString('', 'abc') AS b, splitByRegexp('[0-9]+', 'a1b22c') AS c, splitByString('::', '::x::') AS d",
  arrayStringConcat:
    "SELECT arrayStringConcat(['a', 'b', 'c'], '-') AS a, arrayStringConcat(['a', 'b']) AS b, arrayStringConcat(emptyArrayString(), ',') AS c, arrayStringConcat(splitByChar(',', 'x,y'), ' and ') AS d",
  format: "SELECT format('{} and {}', 'a', 'b') AS a, format('{1} {0}', 'x', 'y') AS b, format('{0}{0}', 'z') AS c",
  toValidUTF8: "SELECT toValidUTF8('größe') AS a, toValidUTF8('') AS b, toValidUTF8('🎈') AS c",
  "base64Encode and base64Decode":
    "SELECT base64Encode('hello') AS a, base64Decode('aGVsbG8=') AS b, base64Encode('größe') AS c, base64Decode(base64Encode('日本')) AS d, base64Encode('') AS e",
  "encodeURLComponent and decodeURLComponent":
    "SELECT encodeURLComponent('a b&c=d/é') AS a, decodeURLComponent('a%20b%26c') AS b, decodeURLComponent('%E6%97%A5') AS c, decodeURLComponent(encodeURLComponent('x+y z')) AS d, decodeURLComponent('a+b') AS e",
  "ascii, char, hex, unhex":
    "SELECT ascii('A') AS a, char(72, 105) AS b, hex('abc') AS c, hex(255) AS d, unhex('616263') AS e, ascii('') AS f, hex('é') AS g, lower(hex(0)) AS h",
  extractTextFromHTML:
    "SELECT extractTextFromHTML('<p>Hello <b>world</b></p>') AS a, extractTextFromHTML('<style>x</style>text<!-- no -->') AS b, extractTextFromHTML('plain') AS c",
  "f-strings": "SELECT number AS n, f'n is {number}' AS a, f'{number + 1} of {toString(3)}' AS b FROM numbers(3) ORDER BY n",
  "texts with quotes and escapes":
    "SELECT 'it''s' AS a, 'a\\\\b' AS b, 'tab\\there' AS c, 'say \\'hi\\'' AS d, '\"' AS e, 'line\\nbreak' AS f",
  "functions of texts over NULL":
    "SELECT lower(NULL) AS a, substring(NULL, 1) AS b, replaceAll(NULL, 'a', 'b') AS c, startsWith(NULL, 'a') AS d, length(trim(NULL)) AS e",
} as const;

export const SEARCH = {
  "position and locate":
    "SELECT position('hello', 'l') AS a, position('hello', 'z') AS b, position('hello', '') AS c, locate('hello', 'll') AS d, position('', 'a') AS e, position('abcabc', 'c', 4) AS f",
  positionCaseInsensitive:
    "SELECT positionCaseInsensitive('Hello', 'hello') AS a, positionCaseInsensitive('abC', 'c') AS b, positionCaseInsensitive('abc', 'Z') AS c",
  match:
    "SELECT match('hello', 'l+') AS a, match('hello', '^l') AS b, match('', '') AS c, match('a.b', 'a\\\\.b') AS d, match('axb', 'a\\\\.b') AS e, match('Größe', '(?i)GRÖ') AS f, match('2026-01-31', '^\\\\d{4}-\\\\d{2}') AS g",
  "multiMatchAny and multiSearchAny":
    "SELECT multiMatchAny('hello', ['^x', 'l{2}']) AS a, multiMatchAny('hello', ['^x']) AS b, multiSearchAny('hello', ['zz', 'ell']) AS c, multiSearchAny('hello', ['ELL']) AS d, multiSearchAnyCaseInsensitive('hello', ['ELL']) AS e",
  "extract and extractAll":
    "SELECT extract('hello 42 world 7', '\\\\d+') AS a, extract('key=value', 'key=(\\\\w+)') AS b, extract('abc', '\\\\d') AS c, extractAll('a1b22', '\\\\d+') AS d, extractAll('a=1,b=2', '(\\\\w)=\\\\d') AS e, extractAll('x', '\\\\d') AS f",
  extractAllGroups: "SELECT extractAllGroups('a=1, b=2', '(\\\\w)=(\\\\d)') AS a, extractAllGroups('none', '(\\\\d)(\\\\d)') AS b",
  "countSubstrings and countMatches":
    "SELECT countSubstrings('banana', 'an') AS a, countSubstrings('aaaa', 'aa') AS b, countSubstrings('abc', 'x') AS c, countMatches('banana', 'a.') AS d, countMatches('abc', '\\\\d') AS e",
  ngramDistance:
    "SELECT ngramDistance('hello world', 'hello world') AS a, ngramDistance('ClickHouse', 'zzzzzzzzzz') AS b, ngramDistance('analytics', 'analytic') < ngramDistance('analytics', 'baseball') AS c",
  levenshteinDistance:
    "SELECT levenshteinDistance('kitten', 'sitting') AS a, levenshteinDistance('', 'abc') AS b, levenshteinDistance('same', 'same') AS c",
  "searching over NULL": "SELECT match(NULL, 'a') AS a, position(NULL, 'a') AS b, extract(NULL, 'a') AS c",
} as const;

const DOC = `'{"s": "text", "i": 42, "f": 1.5, "b": true, "n": null, "e": "", "a": [1, "two", {"three": 3}], "o": {"p": {"q": "deep"}}, "u": "größe"}'`;

export const JSON_FUNCTIONS = {
  JSONExtractString: `SELECT JSONExtractString(${DOC}, 's') AS a, JSONExtractString(${DOC}, 'i') AS b, JSONExtractString(${DOC}, 'missing') AS c, JSONExtractString(${DOC}, 'o', 'p', 'q') AS d, JSONExtractString(${DOC}, 'a', 2) AS e, JSONExtractString(${DOC}, 'u') AS f, JSONExtractString(${DOC}, 'n') AS g`,
  "JSONExtract of numbers and booleans": `SELECT JSONExtractInt(${DOC}, 'i') AS a, JSONExtractUInt(${DOC}, 'i') AS b, JSONExtractFloat(${DOC}, 'f') AS c, JSONExtractBool(${DOC}, 'b') AS d, JSONExtractInt(${DOC}, 's') AS e, JSONExtractFloat(${DOC}, 'missing') AS f, JSONExtractBool(${DOC}, 'i') AS g, JSONExtractInt(${DOC}, 'f') AS h, JSONExtractInt(${DOC}, 'a', 1) AS i`,
  JSONExtractRaw: `SELECT JSONExtractRaw(${DOC}, 's') AS a, JSONExtractRaw(${DOC}, 'o') AS b, JSONExtractRaw(${DOC}, 'missing') AS c, JSONExtractRaw('{"x":[1,2.5,"y"]}', 'x') AS d, JSONExtractRaw('{"x":null}', 'x') AS e`,
  "JSONExtract with a type": `SELECT JSONExtract(${DOC}, 'i', 'Int64') AS a, JSONExtract(${DOC}, 's', 'String') AS b, JSONExtract('{"x":[1,2,3]}', 'x', 'Array(Int64)') AS c, JSONExtract('{"x":["a","b"]}', 'x', 'Array(String)') AS d, JSONExtract(${DOC}, 'f', 'Float64') AS e, JSONExtract(${DOC}, 'missing', 'Nullable(String)') AS f, JSONExtract('[1,2]', 'Array(UInt8)') AS g`,
  JSONExtractArrayRaw: `SELECT JSONExtractArrayRaw(${DOC}, 'a') AS a, JSONExtractArrayRaw('[1,"b",null]') AS b, JSONExtractArrayRaw('{}', 'x') AS c, JSONExtractArrayRaw('{"x":{"y":[[1],[2]]}}', 'x', 'y') AS d`,
  JSONExtractKeys: `SELECT JSONExtractKeys(${DOC}) AS a, JSONExtractKeys(${DOC}, 'o') AS b, JSONExtractKeys('[]') AS c, JSONExtractKeys('{}') AS d`,
  JSONExtractKeysAndValues: `SELECT JSONExtractKeysAndValues('{"a":"x","b":"y"}', 'String') AS a, JSONExtractKeysAndValues('{"o":{"a":1,"b":2}}', 'o', 'Int64') AS b`,
  "JSONHas and JSONLength": `SELECT JSONHas(${DOC}, 's') AS a, JSONHas(${DOC}, 'missing') AS b, JSONHas(${DOC}, 'n') AS c, JSONHas(${DOC}, 'a', 3) AS d, JSONHas(${DOC}, 'a', 4) AS e, JSONHas(${DOC}, 'o', 'p', 'q') AS f, JSONLength(${DOC}, 'a') AS g, JSONLength(${DOC}) AS h, JSONLength(${DOC}, 's') AS i`,
  "JSONType and isValidJSON": `SELECT JSONType(${DOC}, 's') AS a, JSONType(${DOC}, 'i') AS b, JSONType(${DOC}, 'f') AS c, JSONType(${DOC}, 'b') AS d, JSONType(${DOC}, 'n') AS e, JSONType(${DOC}, 'a') AS f, JSONType(${DOC}, 'o') AS g, isValidJSON(${DOC}) AS h, isValidJSON('{x}') AS i, isValidJSON('1') AS j, isValidJSON('') AS k`,
  JSON_VALUE: `SELECT JSON_VALUE(${DOC}, '$.s') AS a, JSON_VALUE(${DOC}, '$.o.p.q') AS b, JSON_VALUE(${DOC}, '$.missing') AS c, JSON_VALUE('{"x":[10,20]}', '$.x[1]') AS d, JSON_VALUE(${DOC}, '$.i') AS e`,
  "JSON functions over what is no JSON":
    "SELECT JSONExtractString('nope', 'a') AS a, JSONExtractInt('', 'a') AS b, JSONHas('nope', 'a') AS c, JSONLength('nope') AS d, JSONExtractKeys('nope') AS e, JSONExtractRaw('nope', 'a') AS f",
  "JSON of events":
    "SELECT event, uuid, JSONExtractString(properties, '$browser') AS browser, JSONExtractFloat(properties, 'price') AS price, JSONHas(properties, 'plan') AS has_plan, JSONType(properties, 'tags') AS tags FROM events ORDER BY timestamp, uuid LIMIT 40",
} as const;
