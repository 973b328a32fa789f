import type { core } from "zod";
import { FieldError } from "../../shared/messaging-error";
import { sanitiseName } from "../../shared/sanitise-text";
import { say } from "../../texts/say";

type Issue = core.$ZodIssue;

const MAX_NAMED = 9;

/** Formats a path, such as `content[3].title`. */
function fieldPath(path: readonly PropertyKey[]): string {
  return path
    .map((key, at) =>
      typeof key === "number" ? `[${key}]` : `${at > 0 ? "." : ""}${sanitiseName(String(key))}`,
    )
    .join("");
}

function faultsOf(issue: Issue, root?: string): { field: string; problem: string }[] {
  if (issue.code !== "unrecognized_keys") {
    return [{ field: fieldPath(issue.path) || (root ?? "message"), problem: issue.message }];
  }
  const owner = issue.path.length === 0 && root === undefined ? "operation" : "object";
  return issue.keys.map((key) => ({
    field: fieldPath([...issue.path, key]),
    problem: say(`fields.unknown.${owner}`),
  }));
}

/** Names the first error as the field and up to ten in the text. */
export function fieldError(issues: readonly Issue[], root?: string): FieldError {
  const faults = issues.flatMap((issue) => faultsOf(issue, root));
  const [first = { field: root ?? "message", problem: say("fields.invalid") }, ...others] = faults;
  const rest = others.slice(0, MAX_NAMED);
  const left = others.length - rest.length;
  const more = left > 0 ? `; ${say("fields.more", { n: left })}` : "";
  return new FieldError("FIELD_INVALID", first.field, first.problem, { others: rest, more });
}
