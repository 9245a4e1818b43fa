import fc from "fast-check";
import { nestedValue, numeral } from "./id-placeholders.ts";

const numerals = "-0 1e400 -1e400 1e-400 9007199254740993 1e21 -1.5 0.1 4294967296 1E2".split(" ");

const oddTexts = [
  ...[
    "",
    " ",
    "\t\n",
    "NaN",
    "Infinity",
    "-Infinity",
    "1e400",
    "-0",
    "0x10",
    "1_000",
    "١٢",
    "12,5",
  ],
  ...["9007199254740993", "99999999999999999999", "0.00000001", "-1", "1.005"],
  ...["\u0000", "tea\u0000pot", "\u0007", "\u001b[31m", "\u007f", "\u0085", "\r\nSet-Cookie: a=b"],
  ...[
    "\ud800",
    "tea\udc00",
    "\udc00\ud800",
    "\u202egnp.exe",
    "שלום",
    "😀🫖",
    "e\u0301",
    "\ufeff",
    "\u2028",
  ],
  ...["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "null", "undefined"],
  ...[
    "' or 1=1 --",
    '"',
    "%",
    "_%",
    "*",
    "tea*",
    "NEAR(tea",
    "tea AND",
    '"tea',
    "name:tea",
    "-tea",
    "^",
  ],
  ...["{}", "[]", '{"size":', '{"__proto__":["S"]}', "\\", "../..", "..%2f", "a/b", "<script>"],
  ...[
    "javascript:alert(1)",
    "http://",
    "https://[::1",
    "https://a b/",
    "//host",
    "https://x@[::ffff:127.0.0.1]/",
  ],
  ...["+233", "+", "ama@", "@example.com", "a@b@c", "ama@exämple.com", "+99999999999999999999"],
];

/** Invalid and extreme dates and times. */
const oddDates = `
  2026-02-30 2026-13-01 0000-01-01 9999-12-31 1970-01-01 2026-1-1 10000-01-01
  0000-01-01T00:00:00Z 0001-01-01T00:00:00+14:00 9999-12-31T23:59:59.999Z
  9999-12-31T23:59:59-14:00 2026-01-01T24:00:00Z 2016-12-31T23:59:60Z
  2026-01-01T00:00:00+99:99 2026-01-01T00:00:00 +275760-09-13T00:00:00Z
  -271821-04-20T00:00:00Z 2026-11-22T00:00:00.123456789Z 2026-W01-1 24:00 25:00 00:60
  23:59:59 9:00
`
  .trim()
  .split(/\s+/);

const lengths = [129, 201, 501, 2049, 4001, 70_000];

/** Text that no well-behaved client sends. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...oddTexts) },
  { weight: 2, arbitrary: fc.constantFrom(...oddDates) },
  { weight: 1, arbitrary: fc.constantFrom(...lengths).map((length) => "x".repeat(length)) },
  { weight: 1, arbitrary: fc.constantFrom(65, 251).map((length) => "😀".repeat(length)) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
);

const inherited = (key: string): unknown => JSON.parse(`{"${key}":{"admin":true}}`);

const oddContainers: readonly unknown[] = [
  ...[[], {}, [[]], [null], [{}], { 0: "a" }, { length: 3 }, [["a", "b"]]],
  ...["__proto__", "constructor", "toString", "hasOwnProperty"].map(inherited),
  ...[300, 5_000].map((length) => Array.from({ length }, () => "x")),
  Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`key${at}`, at])),
  ...[40, 2_000, 60_000].flatMap((levels) => [
    nestedValue("arrays", levels),
    nestedValue("objects", levels),
  ]),
];

/** A JSON value that fits no field, or barely. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(null, true, false, 0, -1, 1.5, 101, 1_000_000_000) },
  { weight: 2, arbitrary: fc.constantFrom(...numerals).map(numeral) },
  { weight: 6, arbitrary: hostileText },
  { weight: 2, arbitrary: fc.constantFrom(...oddContainers) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

/** A path segment, already encoded. */
export const hostileSegment: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...[
      "%2F",
      "..%2f..",
      "%2e%2e%2f",
      "%00",
      "%",
      "%zz",
      "%FF",
      "%C0%80",
      "%ED%A0%80",
      "%0d%0a",
      "%20",
    ],
    ...[
      "a%3Fb",
      "%23",
      "__proto__",
      "constructor",
      "null",
      "*",
      "'",
      ";",
      "{}",
      "a,b",
      "%25",
      "%F0%9F%98%80",
    ],
    ...["x".repeat(129), "x".repeat(7_000), "%41".repeat(500), "openapi.json", "by-product"],
  ),
  hostileText.map((text) => new URLSearchParams([["", text]]).toString().slice(1) || "%20"),
);

/** A whole query string, already encoded. */
export const hostileQuery: fc.Arbitrary<string> = fc.constantFrom(
  ...[
    "%",
    "%FF",
    "a=%zz",
    "__proto__=1",
    "constructor=1&toString=2",
    "limit",
    "limit=",
    "=",
    "&&&",
    "a[]=1",
    "a[b]=1",
  ],
  ...[
    "limit=1&limit=2",
    "cursor=e30",
    "cursor=bnVsbA",
    "cursor=W10",
    "cursor=%00",
    "cursor=eyJ2IjpudWxsfQ",
    "page=2&cursor=e30",
  ],
  `q=${"x".repeat(7_000)}`,
  Array.from({ length: 400 }, (_, at) => `a${at}=1`).join("&"),
);

const headers: Readonly<Record<string, readonly string[]>> = {
  "Idempotency-Key": ["", "k", "x".repeat(300), "\u00e9", "__proto__", "a,b", '"quoted"'],
  "X-Business-Id": [
    "",
    "biz_",
    "__proto__",
    "x".repeat(200),
    "\u00ff",
    "biz_00000000000000000000000000",
  ],
  "If-None-Match": ["*", 'W/"', '"a", "b"', "x".repeat(5_000), '"__proto__"'],
  Range: [
    "bytes=",
    "bytes=0-",
    "bytes=-1",
    "bytes=5-1",
    "items=0-1",
    "bytes=0-0,1-1",
    "bytes=99999999999999999999-",
  ],
  Origin: ["null", "javascript:", "https://a b", "x".repeat(5_000)],
  "CF-Connecting-IP": [
    "",
    "nonsense",
    "::1",
    "1.2.3.4, 5.6.7.8",
    "::ffff:1.2.3.4",
    "x".repeat(500),
    "fe80::1%eth0",
  ],
  "X-Request-Id": ["", "a b", "x".repeat(500), "<script>", "\u00e9".repeat(20)],
  "X-Public-Key": ["", "pk_test_", "\u00ff", "__proto__", "x".repeat(5_000)],
  "X-API-Key": ["", "sk_test_", "dk_live_\u00e9", "constructor", "x".repeat(5_000)],
  Authorization: [
    "",
    "Bearer",
    "Bearer ",
    "Basic eA==",
    "Bearer lnk_a.b.c",
    "bearer x",
    "Bearer lnk_e30.e30.e30",
  ],
  "User-Agent": ["", "\u00e9", "x".repeat(5_000), "<script>"],
  "Accept-Language": ["*", "x".repeat(2_000)],
  Accept: ["", "text/html", "application/xml;q=nope"],
  Upgrade: ["h2c"], // "websocket" is missing: workerd turns every method into GET
  "Sec-WebSocket-Protocol": ["a, b", ""],
  "Content-Type": [
    ...[
      "",
      "text/plain",
      "application/json; charset=utf-16",
      "application/json;;",
      "json",
      "multipart/form-data",
    ],
    ...[
      "multipart/form-data; boundary=x",
      "application/x-www-form-urlencoded",
      "text/csv",
      "APPLICATION/JSON",
    ],
    ...["application/merge-patch+json", "application/json; boundary=\u00e9"],
  ],
  Cookie: [
    ...[
      "__Host-session=",
      "__Host-session=a.b.c",
      "__Host-session=e30.e30.e30",
      "__Host-session=%",
      "=",
      ";;;",
    ],
    ...[
      "__Host-session=a; __Host-session=b",
      "__proto__=1",
      "__Host-session=eyJhbGciOiJub25lIn0.e30.",
    ],
    `__Host-session=${"x".repeat(7_000)}`,
  ],
};

/** A header that the service reads, with an unexpected value. */
export const hostileHeader: fc.Arbitrary<readonly [string, string]> = fc
  .constantFrom(...Object.keys(headers))
  .chain((name) =>
    fc.constantFrom(...(headers[name] ?? [])).map((value) => [name, value] as const),
  );

/** The text of a JSON body. */
export const hostileBody: fc.Arbitrary<string> = fc.constantFrom(
  ...[
    "",
    " ",
    "{",
    "}",
    "nul",
    "null",
    "[]",
    "0",
    '""',
    "true",
    "{}{}",
    "{'a':1}",
    '{"a":1,}',
    "// {}",
    "\ufeff{}",
  ],
  ...[
    '{"a":"\u0001"}',
    '{"a":NaN}',
    '{"a":01}',
    '{"\\ud800":1}',
    '{"__proto__":null}',
    '{"a":1,"a":2}',
    "\u0000{}",
  ],
  ...["[".repeat(100_000), `${"[".repeat(100_000)}${"]".repeat(100_000)}`, '{"a":'.repeat(50_000)],
  ...[
    'id,"name',
    "Handle,Title\n\u0000,\u0000",
    'Handle\n"a""',
    "Handle,Handle\na,b",
    "--x\r\n\r\n--x--",
  ],
);
