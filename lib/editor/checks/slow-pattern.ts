/** ms that one text may take. A pattern that reaches this within 1,000 characters is far above the runtime's limit with a longer text or a slower computer. */
const LIMIT = 5;
/** ms that all texts may take together: a slow pattern takes half of it to be found. One that is not found by then counts as quick. */
const LONGEST_MEASURED = 100;
/** Characters of a sample of which parts are repeated, and of a part. */
const LONGEST_SAMPLE = 24;
const LONGEST_PART = 3;
/** Repetitions: one by one at first, for a pattern of which each further character doubles the time. */
const LENGTHS = [...Array.from({ length: 28 }, (_, index) => index + 4), 40, 55, 80, 110, 150, 210, 300];
/** Texts that do not match because of their end. */
const ENDS = ["!", "\n\u0000"];

const CLASSES: Readonly<Record<string, string>> = { w: "a", d: "0", s: " ", n: "\n", t: "\t", r: "\r" };

/** Tokens of an expression: an escape, a class, the opening of a group, a quantifier, or a character. */
const TOKENS =
  /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|k<[^>]*>|.)|\[(?:\\.|[^\]\\])*\]|\(\?(?:<?[=!]|:|<[^>]*>)|[*+?]\??|\{\d+(?:,\d*)?\}\??|./gisu;

const sampleOf = (token: string): string => {
  if (token.startsWith("[")) {
    const [first = ""] = token.startsWith("[^") ? ["a"] : (token.slice(1, -1).match(TOKENS) ?? []);
    return first.startsWith("\\") ? sampleOf(first) : first;
  }
  if (token.startsWith("\\")) {
    const name = token[1] ?? "";
    return /[bBk\d]/.test(name) ? "" : /[pPWDS]/.test(name) ? "a" : (CLASSES[name] ?? name);
  }
  return token === "." ? "a" : /^(?:[()|^$]|\(\?.*|[*+?]\??|\{\d.*)$/u.test(token) ? "" : token;
};

/** Texts with one character for each part of the expression: with the first alternatives only, the last ones, and all. */
function samples(pattern: string): readonly string[] {
  const tokens = pattern.match(TOKENS) ?? [];
  const build = (choose: "first" | "last" | "all"): string => {
    const groups: { readonly start: number; skips: boolean }[] = [{ start: 0, skips: false }];
    let text = "";
    for (const token of tokens) {
      const group = groups.at(-1) as (typeof groups)[number];
      if (token.startsWith("(")) {
        groups.push({ start: text.length, skips: group.skips });
      } else if (token === ")" && groups.length > 1) {
        groups.pop();
      } else if (token === "|") {
        group.skips ||= choose === "first";
        text = choose === "last" ? text.slice(0, group.start) : text;
      } else if (!group.skips) {
        text += sampleOf(token);
      }
    }
    return text.slice(0, LONGEST_SAMPLE);
  };
  return [...new Set([build("first"), build("last"), build("all"), "a", "0", " "])];
}

/** @returns ms; what is long is measured again, for the browser may have been busy with something else */
function timeOf(expression: RegExp, text: string): number {
  let least = Number.POSITIVE_INFINITY;
  for (let times = 0; times < 2 && least >= LIMIT; times++) {
    const start = performance.now();
    expression.test(text);
    least = Math.min(least, performance.now() - start);
  }
  return least;
}

/** What texts begin with, and the part that they repeat then. */
function beginnings(pattern: string): readonly (readonly [before: string, part: string])[] {
  const found = new Map<string, readonly [string, string]>();
  for (const sample of samples(pattern)) {
    for (let start = 0; start < sample.length; start++) {
      for (let length = 1; length <= LONGEST_PART && start + length <= sample.length; length++) {
        const [before, part] = [sample.slice(0, start), sample.slice(start, start + length)];
        found.set(`${part.length} ${before}${part}`, [before, part]);
      }
    }
  }
  return [...found.values()];
}

function measure(pattern: string): boolean {
  const expression = new RegExp(pattern, "iu");
  const end = performance.now() + LONGEST_MEASURED;
  for (const [before, part] of beginnings(pattern)) {
    for (const last of ENDS) {
      for (const length of LENGTHS) {
        if (timeOf(expression, before + part.repeat(length) + last) >= LIMIT) {
          return true;
        }
        if (performance.now() >= end) {
          return false;
        }
      }
    }
  }
  return false;
}

/** A dialog asks at each key, and the editor for each node: the last answers are kept. */
const known = new Map<string, boolean>();

/**
 * Whether a reply that somebody made for it keeps a pattern busy for long: texts are tried that repeat parts of what the pattern
 * may match, each a little longer than the one before, and for a short time, so that the browser is not held up. It finds the usual ones, not all.
 * @param pattern a valid regular expression of JavaScript, without slashes and flags
 */
export function isSlowPattern(pattern: string): boolean {
  const answer = known.get(pattern) ?? measure(pattern);
  if (known.size >= 100) {
    known.clear();
  }
  known.set(pattern, answer);
  return answer;
}
