import fc from "fast-check";
import type { Operation } from "../http/operations.ts";

/** A request to a file's URL. */
export type FileRequest = Readonly<{
  method: string;
  /** Path and query. */
  path: string;
  headers: readonly (readonly [string, string])[];
  /** Null: without a body. */
  body: RequestBody | null;
}>;

/** `whole` has a Content-Length; `chunks` are streamed without one. */
type RequestBody =
  | Readonly<{ type: "whole"; size: number }>
  | Readonly<{ type: "chunks"; sizes: readonly number[] }>;

/** A file URL as an operation for the fuzz checks, with the headers that its errors may name. */
export const toOperation = (id: string, ...headers: readonly string[]): Operation => ({
  id,
  operationId: "",
  method: "",
  path: "",
  security: [],
  pathParameters: [],
  identifiers: [],
  takesJson: false,
  parameters: headers.map((name) => ({ name, in: "header", schema: {} })),
  content: {},
  resolve: (schema) => schema,
});

const oddNumbers = [
  "",
  " ",
  "0",
  "-1",
  "-0",
  "+3",
  "3.0",
  "3e0",
  "0x3",
  "003",
  "3, 3",
  "NaN",
  "Infinity",
];

const contentLength = fc.constantFrom(
  ...oddNumbers,
  "3",
  "2",
  "4",
  "52428801",
  "99999999999999999999",
  "1".repeat(400),
);

const contentType = fc.constantFrom(
  ...["", "text/plain", "TEXT/PLAIN", "text/plain;", "text/plain; charset=\u00e9", "text/html"],
  ...[
    "text",
    "/",
    "text/plain, text/html",
    " text/plain ",
    "text/plain\t;x=y",
    "multipart/form-data",
  ],
  ...["application/json", "*/*", "text/plainx", "x".repeat(5_000), "__proto__"],
);

const range = fc.oneof(
  fc.constantFrom(
    ...[
      "",
      "bytes",
      "bytes=",
      "bytes=-",
      "bytes=--",
      "bytes=-0",
      "bytes=0",
      "bytes=0-",
      "Bytes=1-1",
    ],
    ...["bytes=1-0", "bytes=9-", "bytes=10-", "bytes=10-10", "bytes=-1", "bytes=-99", "bytes= 0-1"],
    ...[
      "bytes=0-0,2-3",
      "bytes=0-1, 1-2, -1",
      "bytes=a-b",
      "bytes=0-1;x",
      "lines=0-1",
      "bytes=0x1-2",
    ],
    ...["bytes=9007199254740993-", "bytes=0-99999999999999999999", "bytes=-99999999999999999999"],
    ...["bytes=+1-2", "bytes=1.5-2", "bytes=1e1-", "none", "bytes=\u00e9-1", "x".repeat(7_000)],
  ),
  fc.nat({ max: 400 }).map((count) => `bytes=${Array(count).fill("0-0").join(",")}`),
  fc.tuple(fc.nat({ max: 12 }), fc.nat({ max: 12 })).map(([from, to]) => `bytes=${from}-${to}`),
);

const tag = fc.constantFrom(
  ...["", "*", " * ", "*, *", '"', '""', 'W/""', "W/", '"x', 'x"', '"x", W/"y"', '"a,b"', ",,,"],
  ...["{{tag}}", "W/{{tag}}", "{{tag}},{{tag}}", ' "x" , {{tag}}', "{{tag}}x", '"\u00e9"', '"\\""'],
  ...["Sat, 29 Oct 1994 19:43:31 GMT", "Fri, 32 Foo 9999 99:99:99 GMT", '"x"'.repeat(1_000)],
);

const header = (name: string, value: fc.Arbitrary<string>) =>
  value.map((text) => [name, text] as const);

const body: fc.Arbitrary<RequestBody> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ type: "whole", size: 3 } as const) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("whole" as const),
      size: fc.constantFrom(0, 1, 2, 4, 70_000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("chunks" as const),
      sizes: fc.array(fc.constantFrom(0, 1, 2, 3, 70_000), { maxLength: 4 }),
    }),
  },
);

/** Changes to a signed URL. */
const urlTampering: fc.Arbitrary<(address: string) => string> = fc.oneof(
  fc.constantFrom<((address: string) => string)[]>(
    (address) => address.replace(/token=[^.]+/, `token=${unsigned}`),
    (address) => address.replace(/\.[^.]+$/, "."),
    (address) => address.replace(/\.[^.]+\./, `.${btoa("{}")}.`),
    (address) => `${address}=`,
    (address) => `${address}.${"A".repeat(43)}`,
    (address) => address.replace("token=", "token=&token="),
    (address) => address.replace("token=", "Token="),
    (address) => address.replace(/\?.*/, ""),
    (address) => address.replace(/token=.*/, "token=%00%FF%"),
    (address) => address.replace(/token=.*/, `token=${"x".repeat(7_000)}`),
    (address) => address.replace(/\/(upl?)_\w+/, "/$1_00000000000000000000000000"),
    (address) => address.replace(/\/upl?_\w+/, "/__proto__"),
    (address) => address.replace(/\/upl?_\w+/, "/%2e%2e%2f"),
    (address) => address.replace("/content", "/content/"),
    (address) => address.replace("/content", "//content"),
  ),
  // Changes one letter of the token.
  fc
    .tuple(fc.nat({ max: 1_000 }), fc.constantFrom("A", "-", ".", "%00", "é"))
    .map(([at, letter]) => (address: string): string => {
      const first = address.indexOf("token=") + "token=".length;
      const position = first + (at % (address.length - first - 1)); // the last letter has unused bits
      const other = address[position] === letter ? "B" : letter;
      return address.slice(0, position) + other + address.slice(position + 1);
    }),
);

const unsigned = btoa('{"alg":"none"}').replaceAll("=", "");

/** Requests to an upload URL. */
export const putRequests = fc.record({
  tampered: fc.option(urlTampering, { freq: 3 }),
  type: fc.oneof(
    { weight: 3, arbitrary: fc.constant("text/plain") },
    { weight: 1, arbitrary: contentType },
  ),
  length: fc.option(contentLength, { freq: 3 }),
  more: fc.array(
    fc.oneof(
      header("Content-Range", range),
      header("If-None-Match", tag),
      header("If-Match", tag),
      header("Content-Encoding", fc.constantFrom("gzip", "br", "identity", "x")),
      header("Transfer-Encoding", fc.constantFrom("chunked", "gzip, chunked", "x")),
      header("Expect", fc.constantFrom("100-continue", "x")),
      header("Cookie", fc.constantFrom("__Host-session=a.b.c", "=;")),
      header("X-Public-Key", fc.constantFrom("", "pk_test_x", "\u00e9")),
      header("Authorization", fc.constantFrom("Bearer ", "Bearer dk_live_x")),
    ),
    { maxLength: 2 },
  ),
  body: fc.option(body, { freq: 8 }),
  method: fc.oneof(
    { weight: 9, arbitrary: fc.constant("PUT") },
    { weight: 1, arbitrary: fc.constantFrom("POST", "PATCH", "DELETE", "OPTIONS", "HEAD", "GET") },
  ),
});

const segments = [
  ...["..", ".", "%2e%2e", "%2E.", "%2f", "%5c", "\\", "%252e%252e", "%00", "%", "%zz", "%E0%A4%A"],
  ...[
    "%ED%A0%80",
    "caf\u00e9",
    "%F0%9F%8D%B5",
    "\u202e",
    "a%0d%0ab",
    "",
    "*",
    ";x",
    "images",
    "tea.png",
  ],
  ...["assets", "__proto__", "x".repeat(3_000), "%20", "+", "tea.png%00.html", "images%2Ftea.png"],
];

/** Paths below the public URL: the asset's, and others that do not exist. */
const paths = fc.oneof(
  { weight: 8, arbitrary: fc.constant("{{asset}}") },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.constantFrom(...segments), { minLength: 1, maxLength: 5 })
      .map((names) => `/cdn/assets/{{business}}/${names.join("/")}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...[
        "/cdn",
        "/cdn/",
        "/cdn/assets",
        "/cdn/assets/",
        "/cdn/assets/{{business}}",
        "/cdn//assets/x/y",
      ],
      ...[
        "/cdn/assets/{{business}}/",
        "/cdn/assets//images/tea.png",
        "/cdn/assets/%2e%2e/x",
        "/cdn/x",
      ],
      ...[
        "/cdn/assets/{{business}}%2Fimages/tea.png",
        "/cdn/assets/biz_x'--/a",
        "{{asset}}/",
        "{{asset}}?x",
      ],
      ...[
        "{{asset}}%00",
        "{{asset}}#x",
        "/cdn/../v1/businesses",
        "/assets/{{business}}/images/tea.png",
      ],
    ),
  },
);

/** Requests for files: public ones by path, private ones by signed URL. */
export const readRequests = fc.record({
  path: fc.oneof(
    { weight: 3, arbitrary: paths },
    { weight: 1, arbitrary: fc.constant("{{private}}") },
  ),
  tampered: fc.option(urlTampering, { freq: 8 }),
  headers: fc.array(
    fc.oneof(
      header("Range", range),
      header("If-Range", tag),
      header("If-None-Match", tag),
      header("If-Match", tag),
      header("If-Modified-Since", tag),
      header("Accept", fc.constantFrom("", "text/html", "image/webp;q=nope")),
      header("Accept-Encoding", fc.constantFrom("gzip", "br", "identity;q=0", "*;q=0")),
      header("Origin", fc.constantFrom("null", "https://shop.example", "\u00e9")),
    ),
    { maxLength: 3 },
  ),
  method: fc.oneof(
    { weight: 6, arbitrary: fc.constant("GET") },
    { weight: 1, arbitrary: fc.constant("HEAD") },
    { weight: 1, arbitrary: fc.constantFrom("POST", "PUT", "PATCH", "DELETE", "OPTIONS") },
  ),
});
