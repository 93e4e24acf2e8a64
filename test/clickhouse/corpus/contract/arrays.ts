/** Section 12.4: arrays, tuples and maps. */
export const ARRAYS = {
  "array, range, length":
    "SELECT array(1, 2, 3) AS a, [1, 2] AS b, range(4) AS c, range(2, 5) AS d, range(0, 10, 3) AS e, length([1, 2, 3]) AS f, length([]) AS g, range(0) AS h",
  "has, hasAll, hasAny, hasSubstr":
    "SELECT has([1, 2], 2) AS a, has([1, 2], 3) AS b, hasAll([1, 2, 3], [3, 1]) AS c, hasAll([1, 2], [1, 4]) AS d, hasAny([1, 2], [4, 2]) AS e, hasAny([1], []) AS f, hasAll([1], []) AS g, hasSubstr([1, 2, 3, 4], [2, 3]) AS h, hasSubstr([1, 2, 3], [1, 3]) AS i, has([1, NULL], NULL) AS j",
  "indexOf and countEqual":
    "SELECT indexOf(['a', 'b', 'a'], 'a') AS a, indexOf(['a'], 'z') AS b, countEqual([1, 2, 1], 1) AS c, countEqual([1, NULL, NULL], NULL) AS d, indexOf([NULL, 1], NULL) AS e",
  "arrayElement counts from one and from the end":
    "SELECT arrayElement([10, 20, 30], 2) AS a, [10, 20, 30][1] AS b, [10, 20, 30][-1] AS c, [10, 20][5] AS d, ['a'][3] AS e, [1.5][-2] AS f, [[1, 2], [3]][2][1] AS g",
  "arrayConcat, push and pop":
    "SELECT arrayConcat([1], [2, 3], [4]) AS a, arrayPushBack([1, 2], 3) AS b, arrayPushFront([1, 2], 0) AS c, arrayPopBack([1, 2, 3]) AS d, arrayConcat(['a'], []) AS e, arrayPopBack([1]) AS f",
  arraySlice:
    "SELECT arraySlice([1, 2, 3, 4, 5], 2) AS a, arraySlice([1, 2, 3, 4, 5], 2, 3) AS b, arraySlice([1, 2, 3, 4, 5], -2) AS c, arraySlice([1, 2, 3], 2, -1) AS d, arraySlice([1, 2, 3], 5) AS e, arraySlice([1, 2, 3], 1, 10) AS f, arraySlice([1, 2, 3, 4, 5], -3, 2) AS g",
  "arrayReverse and sorting":
    "SELECT arrayReverse([1, 2, 3]) AS a, arraySort([3, 1, 2]) AS b, arrayReverseSort([3, 1, 2]) AS c, arraySort(x -> -x, [3, 1, 2]) AS d, arraySort(['b', 'a', 'B']) AS e, arrayReverseSort(x -> x % 10, [19, 28, 37]) AS f, arraySort((x, y) -> y, ['a', 'b', 'c'], [3, 1, 2]) AS g, reverse([1, 2]) AS h",
  "sorting puts NULL last": "SELECT arraySort([3, NULL, 1]) AS a, arrayReverseSort([3, NULL, 1]) AS b",
  "arrayDistinct, arrayUniq, arrayCompact":
    "SELECT arrayDistinct([1, 2, 1, 3, 2]) AS a, arrayUniq([1, 2, 1]) AS b, arrayCompact([1, 1, 2, 2, 1]) AS c, arrayUniq([]) AS d, arrayUniq(['a', 'b'], [1, 1]) AS e, arrayCompact([NULL, NULL, 1]) AS f",
  arrayIntersect:
    "SELECT arraySort(arrayIntersect([1, 2, 3], [2, 3, 4])) AS a, arrayIntersect([1, 2], [3]) AS b, arrayIntersect([1, 2], [2, 5], [2, 1]) AS c, arrayIntersect(['a'], ['a', 'b']) AS d",
  "arrayFlatten and arrayZip":
    "SELECT arrayFlatten([[1, 2], [3]]) AS a, arrayFlatten([[[1]], [[2], [3]]]) AS b, arrayZip([1, 2], ['a', 'b']) AS c, arrayZip([1], [2], [3]) AS d",
  "arrayEnumerate, arrayDifference, arrayCumSum":
    "SELECT arrayEnumerate(['a', 'b', 'c']) AS a, arrayDifference([1, 4, 9]) AS b, arrayCumSum([1, 2, 3]) AS c, arrayCumSum(x -> x * 2, [1, 2, 3]) AS d, arrayCumSum([1.5, -0.5]) AS e, arrayEnumerate([]) AS f",
  arrayReduce:
    "SELECT arrayReduce('sum', [1, 2, 3]) AS a, arrayReduce('max', [1, 5, 2]) AS b, arrayReduce('uniq', ['a', 'b', 'a']) AS c, arrayReduce('avg', [1, 2]) AS d, arrayReduce('count', [1, 2, 3]) AS e, arrayReduce('min', ['b', 'a']) AS f",
  arrayMap:
    "SELECT arrayMap(x -> x * 2, [1, 2, 3]) AS a, arrayMap((x, y) -> x + y, [1, 2], [10, 20]) AS b, arrayMap(x -> concat(x, '!'), ['a', 'b']) AS c, arrayMap(x -> (x, x * x), [1, 2]) AS d, arrayMap(x -> arrayMap(y -> y + x, [1, 2]), [10, 20]) AS e, arrayMap(x -> x, []) AS f",
  arrayFilter:
    "SELECT arrayFilter(x -> x > 1, [1, 2, 3]) AS a, arrayFilter((x, y) -> y, ['a', 'b', 'c'], [1, 0, 1]) AS b, arrayFilter(x -> x LIKE 'a%', ['ab', 'ba']) AS c, arrayFilter(x -> isNotNull(x), [1, NULL, 2]) AS d, arrayFilter(x -> x > 9, [1]) AS e",
  "arrayExists, arrayAll, arrayCount":
    "SELECT arrayExists(x -> x > 2, [1, 2, 3]) AS a, arrayExists(x -> x > 2, []) AS b, arrayAll(x -> x > 0, [1, 2]) AS c, arrayAll(x -> x > 1, [1, 2]) AS d, arrayCount(x -> x % 2 = 1, [1, 2, 3]) AS e, arrayAll(x -> x > 1, []) AS f, arrayCount([1, 0, 1]) AS g",
  "arrayFirst, arrayLast, arrayFirstIndex":
    "SELECT arrayFirst(x -> x > 1, [1, 2, 3]) AS a, arrayLast(x -> x < 3, [1, 2, 3]) AS b, arrayFirstIndex(x -> x > 1, [1, 2, 3]) AS c, arrayFirst(x -> x > 9, [1, 2]) AS d, arrayFirstIndex(x -> x > 9, [1, 2]) AS e, arrayLast(x -> x = 'z', ['a']) AS f",
  "sums and extremes of arrays":
    "SELECT arraySum([1, 2, 3]) AS a, arrayAvg([1, 2]) AS b, arrayMin([3, 1, 2]) AS c, arrayMax([3, 1, 2]) AS d, arrayProduct([2, 3, 4]) AS e, arraySum(x -> x * x, [1, 2, 3]) AS f, arrayMax(x -> -x, [1, 2]) AS g, arrayAvg(x -> x * 2, [1, 2]) AS h, arrayMin([1.5, -2]) AS i",
  arrayFold:
    "SELECT arrayFold((acc, x) -> acc + x * 2, [1, 2, 3], _toInt64(3)) AS a, arrayFold((acc, x) -> concat(acc, x), ['a', 'b'], '') AS b, arrayFold((acc, x) -> arrayPushFront(acc, x), [_toInt64(1), _toInt64(2)], [_toInt64(0)]) AS c",
  "arrayJoin makes a row of each element": "SELECT arrayJoin([1, 2, 3]) AS x, x * 10 AS y ORDER BY x",
  "arrayJoin twice is a product": "SELECT arrayJoin([1, 2]) AS x, arrayJoin(['a', 'b']) AS y ORDER BY x, y",
  "arrayJoin of an empty array has no row": "SELECT number AS n, arrayJoin(range(number)) AS x FROM numbers(4) ORDER BY n, x",
  "emptyArrayString, empty and notEmpty":
    "SELECT emptyArrayString() AS a, empty([]) AS b, empty([1]) AS c, notEmpty(['x']) AS d, length(emptyArrayString()) AS e, empty(emptyArrayString()) AS f",
  "arrays of NULLs and Unicode":
    "SELECT [1, NULL, 3] AS a, arrayMap(x -> ifNull(x, 0), [1, NULL]) AS b, arraySort(['ö', 'a', '日', 'z']) AS c, arrayMap(x -> lengthUTF8(x), ['größe', '🎈']) AS d, arrayDistinct(['é', 'é']) AS e",
  "a lambda sees columns around it":
    "SELECT number AS n, arrayMap(x -> x + number, [1, 2]) AS a, arrayFilter(x -> x > number, range(4)) AS b FROM numbers(3) ORDER BY n",
  "ARRAY JOIN": "SELECT n, x FROM (SELECT number AS n, range(number) AS xs FROM numbers(4)) ARRAY JOIN xs AS x ORDER BY n, x",
  "LEFT ARRAY JOIN keeps rows of empty arrays":
    "SELECT n, x FROM (SELECT number AS n, range(number) AS xs FROM numbers(3)) LEFT ARRAY JOIN xs AS x ORDER BY n, x",
  "ARRAY JOIN of several arrays goes in step":
    "SELECT n, x, y, i FROM (SELECT number AS n, [number, number + 1] AS xs, ['a', 'b'] AS ys FROM numbers(2)) ARRAY JOIN xs AS x, ys AS y, arrayEnumerate(xs) AS i ORDER BY n, i",
} as const;

export const TUPLES_AND_MAPS = {
  "tuple and tupleElement":
    "SELECT tuple(1, 'a') AS a, (1, 'a', 2.5) AS b, tupleElement((1, 'a'), 2) AS c, (1, 'a').1 AS d, ('x', ('y', 'z')).2.1 AS e, tuple(5) AS f",
  "untuple makes columns": "SELECT untuple((1, 'a', 2.5))",
  "tuples in arrays":
    "SELECT arrayMap(x -> x.1, [(1, 'a'), (2, 'b')]) AS a, [(1, 'a'), (2, 'b')][2].2 AS b, arraySort(x -> x.2, [('a', 2), ('b', 1)]) AS c",
  "map and its keys":
    "SELECT map('a', 1, 'b', 2) AS m, mapKeys(map('a', 1, 'b', 2)) AS k, mapValues(map('a', 1, 'b', 2)) AS v, map('a', 1)['a'] AS x, map('a', 1)['z'] AS y, mapContains(map('a', 1), 'a') AS c, mapContains(map('a', 1), 'z') AS d",
  mapFromArrays: "SELECT mapFromArrays(['x', 'y'], [10, 20]) AS m, mapFromArrays(['x'], [10])['x'] AS x, length(map('a', 1, 'b', 2)) AS n",
  "mapFilter and mapApply":
    "SELECT mapFilter((k, v) -> v > 1, map('a', 1, 'b', 2)) AS a, mapApply((k, v) -> (upper(k), v * 10), map('a', 1, 'b', 2)) AS b, mapFilter((k, v) -> k = 'z', map('a', 1)) AS c",
  "maps of texts and of Unicode":
    "SELECT map('größe', 'XL', '色', '赤') AS m, map('größe', 'XL')['größe'] AS a, mapValues(map('k', '🎈')) AS b, map('k', 'v')['none'] AS c",
} as const;
