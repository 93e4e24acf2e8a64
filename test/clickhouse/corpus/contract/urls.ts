/** Section 12.4: addresses, the net, hashes and ids. */
const ADDRESSES = `(SELECT arrayJoin(['https://www.example.co.uk:8443/a/b.html?x=1&y=two&x=3#top', 'http://example.com', 'https://app.example.com/path/?q=caf%C3%A9#', 'ftp://files.example.org/dir/', '/relative/path?x=1', 'example.com/page', 'mailto:ann@example.com', 'https://192.168.0.1:80/x', 'https://user:pw@host.example.com/p?a=b=c&d', '', 'not a url']) AS u)`;

export const URLS = {
  "protocol, domain, port": `SELECT u, protocol(u) AS protocol, domain(u) AS domain, domainWithoutWWW(u) AS bare, port(u) AS port FROM ${ADDRESSES} ORDER BY u`,
  "topLevelDomain and significant subdomains": `SELECT u, topLevelDomain(u) AS tld, firstSignificantSubdomain(u) AS first, cutToFirstSignificantSubdomain(u) AS cut FROM ${ADDRESSES} ORDER BY u`,
  "path, pathFull, queryString, fragment": `SELECT u, path(u) AS path, pathFull(u) AS full, queryString(u) AS query, fragment(u) AS fragment FROM ${ADDRESSES} ORDER BY u`,
  "extractURLParameter and its lists": `SELECT u, extractURLParameter(u, 'x') AS x, extractURLParameter(u, 'none') AS none, extractURLParameters(u) AS all, extractURLParameterNames(u) AS names FROM ${ADDRESSES} ORDER BY u`,
  "cutQueryString, cutFragment, cutURLParameter": `SELECT u, cutQueryString(u) AS query, cutFragment(u) AS fragment, cutURLParameter(u, 'x') AS parameter FROM ${ADDRESSES} ORDER BY u`,
  "decodeURLComponent of whole addresses": `SELECT u, decodeURLComponent(u) AS decoded FROM ${ADDRESSES} ORDER BY u`,
  "addresses of events":
    "SELECT domain(properties.$current_url) AS host, path(properties.$current_url) AS page, count() AS n FROM events GROUP BY host, page ORDER BY n DESC, host, page LIMIT 30",
  "IPv4StringToNum and isIPAddressInRange":
    "SELECT IPv4StringToNum('192.168.0.1') AS a, IPv4StringToNum('0.0.0.0') AS b, IPv4StringToNum('255.255.255.255') AS c, isIPAddressInRange('10.1.2.3', '10.0.0.0/8') AS d, isIPAddressInRange('11.1.2.3', '10.0.0.0/8') AS e, isIPAddressInRange('::1', '::/64') AS f, isIPAddressInRange('127.0.0.1', '127.0.0.1/32') AS g",
} as const;

export const HASHES = {
  "MD5, SHA1, SHA256 as hexadecimal text":
    "SELECT lower(hex(MD5('abc'))) AS a, lower(hex(SHA1('abc'))) AS b, lower(hex(SHA256('abc'))) AS c, lower(hex(MD5(''))) AS d, lower(hex(SHA256('größe'))) AS e",
  "sipHash64 and cityHash64":
    "SELECT toString(sipHash64('abc')) AS a, toString(cityHash64('abc')) AS b, toString(sipHash64('')) AS c, toString(cityHash64('a longer text, more than thirty-two bytes of it')) AS d, cityHash64('a') = cityHash64('b') AS e",
  "cityHash64 over its lengths":
    "SELECT n, toString(cityHash64(repeat('x', n))) AS h FROM (SELECT arrayJoin([0, 1, 4, 8, 16, 17, 32, 33, 64, 65, 128, 200]) AS n) ORDER BY n",
  "sipHash64 over its lengths":
    "SELECT n, toString(sipHash64(repeat('x', n))) AS h FROM (SELECT arrayJoin([1, 7, 8, 9, 15, 16, 63, 64, 100]) AS n) ORDER BY n",
  "xxHash64, farmHash64, halfMD5":
    "SELECT toString(xxHash64('abc')) AS a, toString(farmHash64('abc')) AS b, toString(halfMD5('abc')) AS c, toString(xxHash64('')) AS d",
  "hash of several values":
    "SELECT toString(cityHash64('a', 'b')) AS a, toString(sipHash64('a', 'b')) AS b, cityHash64('a', 'b') = cityHash64('ab') AS c",
  "hashes divide people into parts":
    "SELECT cityHash64(distinct_id) % 10 AS part, count() AS n, uniq(distinct_id) AS people FROM events GROUP BY part ORDER BY part",
  "generateUUIDv4 and isUUID":
    "SELECT length(toString(generateUUIDv4())) AS a, isUUID('61f0c404-5cb3-11e7-907b-a6006ad3dba0') AS b, isUUID('x') AS c, isUUID('') AS d",
} as const;
