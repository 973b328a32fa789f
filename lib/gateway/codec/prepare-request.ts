import { SetupError } from "../../shared/messaging-error";
import { say } from "../../texts/say";
import { encodeFields, fillPath, type RequestFields } from "./encode-request";
import { OPERATIONS, type Operation } from "../contract/operations";
import { fieldError } from "../contract/schema-fault";
import type { GatewaySettings } from "../contract/settings";
import { type ByteSource, isSource } from "../contract/byte-source";

export interface PreparedRequest {
  readonly operation: Operation;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | ByteSource | null;
}

type PathSettings = Pick<GatewaySettings, "paths" | "restPrefix">;

function chosenPath(operation: Operation, { paths }: PathSettings): string | null {
  const chosen = paths[operation.id]?.trim();
  if (!operation.pathAssumed || !chosen) {
    return null;
  }
  return chosen.startsWith("/") ? chosen : `/${chosen}`;
}

/** @throws SetupError BAD_PATH */
export function checkPaths(settings: PathSettings): void {
  for (const operation of Object.values(OPERATIONS)) {
    const chosen = chosenPath(operation, settings);
    if (chosen !== null && !/^[\w\-.~%!$&'()*+,;=:@/]+$/.test(chosen)) {
      throw new SetupError("BAD_PATH", say("service.path", { operation: operation.id }));
    }
  }
}

function getPath(operation: Operation, settings: PathSettings): string {
  const printed =
    operation.restPrefixOptional && settings.restPrefix ? `/rest${operation.path}` : operation.path;
  return chosenPath(operation, settings) ?? printed;
}

/** @throws FieldError FIELD_INVALID or TEXT_NOT_LATIN1 */
export function prepareRequest(
  operation: Operation,
  fields: RequestFields,
  settings: PathSettings,
): PreparedRequest {
  const checked = operation.request.safeParse(fields);
  if (!checked.success) {
    throw fieldError(checked.error.issues);
  }
  const { path, rest } = fillPath(getPath(operation, settings), checked.data as RequestFields);
  const { query, contentType, body } = encodeFields(operation.encoding, rest);
  const headers = {
    ...(operation.response !== "legacy-form" && {
      accept: operation.response === "bytes" ? "*/*" : "application/json",
    }),
    ...(contentType !== null && { "content-type": contentType }),
    ...(isSource(body) && { "content-length": String(body.length) }),
  };
  return { operation, path, query, body, headers };
}
