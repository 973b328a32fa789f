/** Characters of the longest escape of JSON, such as `\u2026`. */
const LONGEST_ESCAPE = 6;

/** Returns the object of a cut JSON text up to its last whole field. */
function wholeFields(json: string): string {
  let [depth, end, isQuoted] = [0, 1, false];
  for (let at = 0; at < json.length; at++) {
    const sign = json[at];
    if (isQuoted) {
      if (sign === "\\") at++;
      else isQuoted = sign !== '"';
    } else if (sign === '"') {
      isQuoted = true;
    } else if (sign === "{" || sign === "[") {
      depth++;
    } else if (sign === "}" || sign === "]") {
      depth--;
    } else if (sign === "," && depth === 1) {
      end = at;
    }
  }
  return `${json.slice(0, end)}}`;
}

/** A cut text ends with an ellipsis; fields behind it are missing. */
export function readCutEvent(json: string): unknown {
  const ends = Array.from({ length: LONGEST_ESCAPE }, (_, at) => `${json.slice(0, json.length - at)}…"}`);
  for (const each of [json, ...ends]) {
    try {
      return JSON.parse(each);
    } catch {
      // It was cut somewhere else.
    }
  }
  return JSON.parse(wholeFields(json));
}
