import { quoteValue } from "../../texts/quote-value";
import { say } from "../../texts/say";

/** What is wrong with a text that `JSON.parse` did not take, in Node-RED's language; the engine's own words are English. */
export function parseProblem({ message }: Error): string {
  const [, position] = /\bposition (\d+)/.exec(message) ?? [];
  if (position !== undefined) {
    return say("sources.json.position", { position: Number(position) + 1 });
  }
  const [, token] = /^Unexpected token '(.)'/u.exec(message) ?? [];
  if (token !== undefined) {
    return say("sources.json.token", { token: quoteValue(token) });
  }
  // V8 knows these two texts, which values become that are joined to a text.
  const [, value] = /^"(\[object Object\]|undefined)"/.exec(message) ?? [];
  return value === undefined
    ? say("sources.json.end")
    : say("sources.json.value", { value: quoteValue(value) });
}

/** Why `JSON.stringify` did not take a value. Words of a `toJSON` of the flow stay as they are. */
export function stringifyProblem({ message }: Error): string {
  if (message.includes("circular structure")) {
    return say("sources.json.circular");
  }
  return message.includes("BigInt") ? say("sources.json.big-int") : (message.split("\n")[0] ?? "");
}
