import { quoteValue } from "../../texts/quote-value";
import { say } from "../../texts/say";

/** Describes an error of `JSON.parse` in Node-RED's language; the engine's words are English. */
export function parseProblem({ message }: Error): string {
  const [, position] = /\bposition (\d+)/.exec(message) ?? [];
  if (position !== undefined) {
    return say("sources.json.position", { position: Number(position) + 1 });
  }
  const [, token] = /^Unexpected token '(.)'/u.exec(message) ?? [];
  if (token !== undefined) {
    return say("sources.json.token", { token: quoteValue(token) });
  }
  // V8 quotes these texts, which come from joining a value to a text.
  const [, value] = /^"(\[object Object\]|undefined)"/.exec(message) ?? [];
  return value === undefined
    ? say("sources.json.end")
    : say("sources.json.value", { value: quoteValue(value) });
}

/** Describes an error of `JSON.stringify`. Words of the flow's `toJSON` stay unchanged. */
export function stringifyProblem({ message }: Error): string {
  if (message.includes("circular structure")) {
    return say("sources.json.circular");
  }
  return message.includes("BigInt") ? say("sources.json.big-int") : (message.split("\n")[0] ?? "");
}
