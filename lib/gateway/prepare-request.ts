import { FieldError, SetupError } from "../shared/messaging-error";
import { encodeFields, fillPath, type RequestFields } from "./encode-request";
import { OPERATIONS, type Operation } from "./operations";
import type { GatewaySettings } from "./settings";

/** A request that passed every check and waits to be sent; holds no credentials. */
export interface PreparedRequest {
  readonly operation: Operation;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly code?: string;
  readonly keys?: readonly string[];
}

/** `content[3].title` from a path of keys and indexes. */
function fieldPath(path: readonly PropertyKey[]): string {
  return path
    .map((key, at) => (typeof key === "number" ? `[${key}]` : `${at > 0 ? "." : ""}${String(key)}`))
    .join("");
}

function fieldError(issues: readonly Issue[]): FieldError {
  const said = issues.map(({ path, message, code, keys }) =>
    code === "unrecognized_keys"
      ? { field: fieldPath([...path, keys?.[0] ?? ""]), problem: "is not a field of this operation" }
      : { field: fieldPath(path), problem: message },
  );
  const [first = { field: "message", problem: "is not valid" }, ...others] = said;
  const rest = others.map(({ field, problem }) => `; ${field} ${problem}`).join("");
  return new FieldError("FIELD_INVALID", first.field, `${first.problem}${rest}`);
}

type PathSettings = Pick<GatewaySettings, "paths" | "restPrefix">;

/** The path an account chose for an operation, or null where it chose none or may not choose. */
function chosenPath(operation: Operation, { paths }: PathSettings): string | null {
  const chosen = paths[operation.id]?.trim();
  if (!operation.pathAssumed || !chosen) {
    return null;
  }
  return chosen.startsWith("/") ? chosen : `/${chosen}`;
}

/** @throws SetupError BAD_PATH for a path that cannot stand in a request as it is */
export function checkPaths(settings: PathSettings): void {
  for (const operation of Object.values(OPERATIONS)) {
    const chosen = chosenPath(operation, settings);
    if (chosen !== null && !/^[\w\-.~%!$&'()*+,;=:@/]+$/.test(chosen)) {
      throw new SetupError(
        "BAD_PATH",
        `The account's path for ${operation.id} holds a character that no path has, such as a space, '?', '#' or '{'. Correct it in the account.`,
      );
    }
  }
}

function pathOf(operation: Operation, settings: PathSettings): string {
  const printed =
    operation.restPrefixOptional && settings.restPrefix ? `/rest${operation.path}` : operation.path;
  return chosenPath(operation, settings) ?? printed;
}

/**
 * Checks and encodes one request.
 * @throws FieldError FIELD_INVALID naming field, limit and value, or TEXT_NOT_LATIN1
 */
export function prepareRequest(
  operation: Operation,
  fields: RequestFields,
  settings: PathSettings,
): PreparedRequest {
  const checked = operation.request.safeParse(fields);
  if (!checked.success) {
    throw fieldError(checked.error.issues as readonly Issue[]);
  }
  const { path, rest } = fillPath(pathOf(operation, settings), checked.data as RequestFields);
  const { query, contentType, body } = encodeFields(operation.encoding, rest);
  const accept = operation.answer === "bytes" ? "*/*" : "application/json";
  return {
    operation,
    path,
    query,
    body,
    headers: {
      ...(operation.answer !== "legacy-form" && { accept }),
      ...(contentType !== null && { "content-type": contentType }),
    },
  };
}
