import { type ESTree, parseSync, Visitor } from "vite";

/** One small change of a file that a test should notice. */
export type Mutant = Readonly<{
  file: string;
  line: number;
  operator: string;
  start: number;
  end: number;
  replacement: string;
}>;

type Change = Omit<Mutant, "file" | "line">;

const swappedOperators: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "&&": "||",
  "||": "&&",
};

/** Operators in SQL text. Only the first match of a part is changed. */
const swappedSql: Readonly<Record<string, string>> = {
  " < ": " <= ",
  " <= ": " < ",
  " > ": " >= ",
  " >= ": " > ",
  " and ": " or ",
  " or ": " and ",
  " not ": " ",
};
const sqlOperator = new RegExp(Object.keys(swappedSql).join("|"), "g");

/** All mutants of a file. Types, text and imports are never changed. */
export function findMutants(file: string, text: string): Mutant[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const changes: Change[] = [];
  const typeLiterals = new Set<unknown>();
  const sqlTemplates = new Set<unknown>();
  /** For each template around the current node, whether it is SQL. */
  const openTemplates: boolean[] = [];
  const add = (operator: string, { start, end }: ESTree.Span, replacement: string) => {
    if (text.slice(start, end) !== replacement) {
      changes.push({ operator, start, end, replacement });
    }
  };
  const source = ({ start, end }: ESTree.Span) => text.slice(start, end);
  /** Changes the operator between two operands. */
  const swapOperator = (name: string, node: ESTree.BinaryExpression | ESTree.LogicalExpression) => {
    const replacement = swappedOperators[node.operator];
    if (replacement === undefined) return;
    const start = text.indexOf(node.operator, node.left.end);
    add(name, { start, end: start + node.operator.length }, replacement);
  };
  const changeCondition = (test: ESTree.Expression) => {
    add("negate the condition", test, `!(${source(test)})`);
    add("skip the branch", test, "false");
  };
  const returnEarly = (body: ESTree.FunctionBody | ESTree.Expression | null) => {
    if (body?.type !== "BlockStatement" || body.body.length === 0) return;
    if (/\breturn\s[^;]/.test(source(body))) return;
    add("return early", { start: body.start, end: body.start + 1 }, "{ return;");
  };

  new Visitor({
    TSLiteralType: ({ literal }) => void typeLiterals.add(literal),
    IfStatement: ({ test }) => changeCondition(test),
    ConditionalExpression({ test, consequent, alternate }) {
      add("negate the condition", test, `!(${source(test)})`);
      add("swap the ternary's arms", consequent, source(alternate));
      add("swap the ternary's arms", alternate, source(consequent));
    },
    BinaryExpression: (node) => swapOperator("swap the comparison", node),
    LogicalExpression(node) {
      swapOperator("swap && and ||", node);
      if (node.operator !== "&&") return;
      add("drop an operand", node, source(node.left));
      add("drop an operand", node, source(node.right));
    },
    Literal(node) {
      if (typeof node.value !== "number" || typeLiterals.has(node)) return;
      add("change the number", node, String(node.value + 1));
      if (node.value > 0) add("change the number", node, String(node.value - 1));
    },
    ExpressionStatement(node) {
      if (isCall(node.expression)) add("drop the call", node, ";");
    },
    CallExpression({ callee, arguments: args, end }) {
      if (callee.type === "Identifier" && callee.name === "and" && args.length > 1) {
        for (const arg of args) add("drop an operand", arg, "undefined");
      }
      if (callee.type === "MemberExpression" && source(callee.property) === "where") {
        add("drop where", { start: callee.object.end, end }, "");
      }
    },
    TaggedTemplateExpression({ tag, quasi }) {
      if (source(tag).startsWith("sql")) sqlTemplates.add(quasi);
    },
    TemplateLiteral: (node) => void openTemplates.push(sqlTemplates.has(node)),
    "TemplateLiteral:exit": () => void openTemplates.pop(),
    TemplateElement({ start, end }) {
      if (!openTemplates.at(-1)) return;
      for (const match of text.slice(start, end).matchAll(sqlOperator)) {
        const at = start + match.index;
        const replacement = swappedSql[match[0]] ?? match[0];
        add("change the SQL", { start: at, end: at + match[0].length }, replacement);
      }
    },
    FunctionDeclaration: ({ body }) => returnEarly(body),
    FunctionExpression: ({ body }) => returnEarly(body),
    ArrowFunctionExpression: ({ body }) => returnEarly(body),
  }).visit(program);

  return changes.map((change) => ({ file, line: lineAt(text, change.start), ...change }));
}

/** The file's text with the change. */
export const applyMutant = (text: string, { start, end, replacement }: Mutant): string =>
  text.slice(0, start) + replacement + text.slice(end);

function isCall(node: ESTree.Expression): boolean {
  const call = node.type === "AwaitExpression" ? node.argument : node;
  return call.type === "CallExpression" && call.callee.type !== "Super";
}

const lineAt = (text: string, index: number): number => text.slice(0, index).split("\n").length;

/** Draws mutants: the operator first, so that a rare operator is drawn as often as others. */
export function drawMutants(
  all: readonly Mutant[],
  { seed, count }: Readonly<{ seed: number; count: number }>,
): Mutant[] {
  const random = createRandom(seed);
  const takeRandom = <T>(list: T[]): T | undefined =>
    list.splice(Math.floor(random() * list.length), 1)[0];
  const left = Map.groupBy(all, ({ operator }) => operator);
  const drawn: Mutant[] = [];
  while (drawn.length < count && left.size > 0) {
    const operators = [...left.keys()];
    const operator = operators[Math.floor(random() * operators.length)] ?? "";
    const mutant = takeRandom(left.get(operator) ?? []);
    if (mutant) drawn.push(mutant);
    else left.delete(operator);
  }
  return drawn;
}

/** Random numbers from 0 to 1 that follow from the seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
