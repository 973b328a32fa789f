import { say } from "../../texts/say";

/** What is wrong with a text that `JSON.parse` did not take, in Node-RED's language; the engine's own words are English. */
export function parseProblem({ message }: Error): string {
  const [, position] = /\bposition (\d+)/.exec(message) ?? [];
  if (position !== undefined) {
    return say("sources.json.position", { position: Number(position) + 1 });
  }
  const [, token] = /^Unexpected token '(.)'/u.exec(message) ?? [];
  return token === undefined ? say("sources.json.end") : say("sources.json.token", { token: `'${token}'` });
}

/** Why `JSON.stringify` did not take a value. Words of a `toJSON` of the flow stay as they are. */
export function stringifyProblem({ message }: Error): string {
  if (message.includes("circular structure")) {
    return say("sources.json.circular");
  }
  return message.includes("BigInt") ? say("sources.json.big-int") : (message.split("\n")[0] ?? "");
}
