import type { IncomingMessage } from "node:http";
import { SetupError } from "../../shared/messaging-error";
import { say } from "../../texts/say";
import type { RefusalReason } from "./refusals";
import { SecretSet } from "./secret-set";

export type WebhookAuth =
  | { readonly method: "none" }
  | { readonly method: "query"; readonly secrets: readonly string[] }
  | { readonly method: "header"; readonly name: string; readonly secrets: readonly string[] }
  | {
      readonly method: "basic";
      readonly users: readonly { readonly username: string; readonly password: string }[];
    };

export const SECRET_PARAMETER = "secret";

const BASIC = /^basic +([a-z0-9+/]+=*)$/i;

type Given = Buffer | RefusalReason;

export type Authenticate = (req: IncomingMessage) => RefusalReason | null;

/** Refuses repeated credentials, because a proxy may have checked the other ones. @throws SetupError BAD_SETTING */
export function authenticator(auth: WebhookAuth): Authenticate {
  switch (auth.method) {
    case "none":
      return () => null;
    case "query":
      return comparing(new SecretSet(auth.secrets), fromQuery);
    case "header": {
      const name = auth.name.toLowerCase();
      return comparing(new SecretSet(auth.secrets), (req) => fromHeader(req, name));
    }
    case "basic":
      return comparing(new SecretSet(auth.users.map(toPair)), fromBasic);
  }
}

function comparing(secrets: SecretSet, read: (req: IncomingMessage) => Given): Authenticate {
  return (req) => {
    if (secrets.isEmpty) {
      return "no-secret-set";
    }
    const given = read(req);
    if (typeof given === "string") {
      return given;
    }
    return secrets.has(given) ? null : "wrong-credentials";
  };
}

function toPair({ username, password }: { username: string; password: string }): string {
  if (username.includes(":")) {
    throw new SetupError("BAD_SETTING", say("webhook.bad.user-name"));
  }
  return username === "" || password === "" ? "" : `${username}:${password}`;
}

function fromQuery(req: IncomingMessage): Given {
  const url = req.url ?? "";
  const start = url.indexOf("?");
  let found: string | null = null;
  for (const pair of start < 0 ? [] : url.slice(start + 1).split("&")) {
    const equals = pair.indexOf("=");
    const name = equals < 0 ? pair : pair.slice(0, equals);
    if (meantAsSecret(name)) {
      if (found !== null || name !== SECRET_PARAMETER) {
        return "several-credentials";
      }
      found = equals < 0 ? "" : pair.slice(equals + 1);
    }
  }
  if (!found) {
    return "no-credentials";
  }
  const value = percentDecoded(found);
  return value === null ? "wrong-credentials" : Buffer.from(value);
}

/** True for escaped names, and for names of lists and objects. */
function meantAsSecret(name: string): boolean {
  const [plain = ""] = (percentDecoded(name) ?? name).split("[", 1);
  return plain.trim().toLowerCase() === SECRET_PARAMETER;
}

function percentDecoded(text: string): string | null {
  if (!text.includes("%")) {
    return text;
  }
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function fromHeader(req: IncomingMessage, name: string): Given {
  const value = req.headers[name];
  if (value === undefined || value === "") {
    return "no-credentials";
  }
  // Node.js joins some repeated headers and drops others, so the raw list is used.
  let times = 0;
  for (let at = 0; at < req.rawHeaders.length; at += 2) {
    if (req.rawHeaders[at]?.toLowerCase() === name) {
      times++;
    }
  }
  return times > 1 || Array.isArray(value) ? "several-credentials" : Buffer.from(value, "latin1");
}

function fromBasic(req: IncomingMessage): Given {
  const given = fromHeader(req, "authorization");
  if (typeof given === "string") {
    return given;
  }
  const [, encoded] = BASIC.exec(given.toString("latin1")) ?? [];
  return encoded === undefined ? "wrong-credentials" : Buffer.from(encoded, "base64");
}
