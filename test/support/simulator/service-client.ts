import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { CREDENTIALS } from "../../../simulator/sign-in/credentials";
import { Answer } from "./answer";
import { SENDERS, type SenderId, type SentFields } from "./senders";

type Headers = Readonly<Record<string, string>>;

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Headers;
  /** One character per byte. */
  readonly body?: string;
}

export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

export const LEGACY_BASIC = basic(CREDENTIALS.username, CREDENTIALS.password);
export const CLIENT_BASIC = basic(CREDENTIALS.clientId, CREDENTIALS.clientSecret);
export const FORM = "application/x-www-form-urlencoded";
export const SMS_FORM = SENDERS["sms-form"].path;
export const SMS_JSON = SENDERS["sms-json"].path;

/** Requests to one account of a simulator. All but `request` and `get` present valid credentials. */
export class ServiceClient {
  constructor(
    readonly url: string,
    readonly controlToken = "",
  ) {}

  /** A client of the account below this address, whether or not the account exists. */
  at(accountId: string): ServiceClient {
    return new ServiceClient(`${this.url}/account/${accountId}`, this.controlToken);
  }

  /** One request on a connection of its own, with nothing added but what HTTP needs. */
  request(path: string, { method = "POST", headers = {}, body }: RawRequest = {}): Promise<Answer> {
    const open = this.url.startsWith("https:") ? httpsRequest : httpRequest;
    // The certificate of these tests is self-signed.
    const options = { method, headers, agent: false, rejectUnauthorized: false };
    return new Promise((resolve, reject) => {
      const outgoing = open(this.url + path, options, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () =>
          resolve(
            new Answer(incoming.statusCode ?? 0, incoming.headers, Buffer.concat(chunks).toString("latin1")),
          ),
        );
      });
      outgoing.on("error", reject);
      outgoing.end(body === undefined ? undefined : Buffer.from(body, "latin1"));
    });
  }

  get(path: string, headers: Headers = {}): Promise<Answer> {
    return this.request(path, { method: "GET", headers });
  }

  /** A form to the SMS endpoint. */
  form(body: string, headers: Headers = {}): Promise<Answer> {
    const all = { authorization: LEGACY_BASIC, "content-type": FORM, ...headers };
    return this.request(SMS_FORM, { headers: all, body });
  }

  /** An SMS by form; `to` is a list joined by commas, `fields` replace those of a valid request. */
  sms(to = "41790000000", fields: SentFields = {}, headers: Headers = {}): Promise<Answer> {
    return this.form(encodeForm({ recipientAddressList: to, messageContent: "Hello", ...fields }), headers);
  }

  /** JSON to any endpoint; a text is sent as it is. */
  json(path: string, value: unknown, authorization = LEGACY_BASIC, headers: Headers = {}): Promise<Answer> {
    const type = "application/json";
    return this.request(path, {
      headers: { authorization, "content-type": type, accept: type, ...headers },
      body: jsonBody(value),
    });
  }

  /** Sends with valid credentials; `fields` replace those of a valid request, undefined leaves a field out. */
  async send(id: SenderId, fields: SentFields = {}): Promise<Answer> {
    const { path, scope, good } = SENDERS[id];
    const value = { ...good, ...fields };
    if (id === "sms-form") return this.form(encodeForm(value));
    return this.json(path, value, scope === null ? LEGACY_BASIC : await this.bearer(scope));
  }

  askToken(body: string, authorization = CLIENT_BASIC): Promise<Answer> {
    return this.request("/oauth/token", { headers: { authorization, "content-type": FORM }, body });
  }

  /** A fresh token with this scope, as the value of the header Authorization. */
  async bearer(scope: string): Promise<string> {
    const { value } = await this.askToken(`grant_type=client_credentials&scope=${scope}`);
    return `Bearer ${value.access_token}`;
  }

  /** A multipart body of these parts to any endpoint. */
  parts(path: string, parts: readonly string[], authorization: string): Promise<Answer> {
    const headers = { authorization, "content-type": "multipart/form-data; boundary=x-y", accept: "*/*" };
    const body = `${parts.map((part) => `--x-y\r\n${part}\r\n`).join("")}--x-y--\r\n`;
    return this.request(path, { headers, body });
  }

  async upload(...parts: readonly string[]): Promise<Answer> {
    return this.parts("/messaging/media", parts, await this.bearer("media:create"));
  }

  async download(mediaId: unknown, authorization?: string): Promise<Answer> {
    const headers = { authorization: authorization ?? (await this.bearer("media:read")) };
    return this.get(`/messaging/media/${mediaId}`, headers);
  }

  /** A control request with the control token. */
  control(method: string, path: string, value?: unknown, headers: Headers = {}): Promise<Answer> {
    return this.request(`/_sim/${path}`, {
      method,
      headers: { "x-simulator-token": this.controlToken, "content-type": "application/json", ...headers },
      ...(value === undefined ? {} : { body: jsonBody(value) }),
    });
  }
}

/** A part of a multipart body with the file's name and content; one character per byte. */
export function filePart(content: string, fileName = "a.txt", name = "file", type = "text/plain"): string {
  const head = `Content-Disposition: form-data; name="${name}"; filename="${fileName}"`;
  return `${head}\r\nContent-Type: ${type}\r\n\r\n${content}`;
}

function jsonBody(value: unknown): string {
  return Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("latin1");
}

/** Fields as a form in ISO-8859-1. */
function encodeForm(fields: SentFields): string {
  const encode = (text: string) => escape(text).replaceAll("+", "%2B").replaceAll("%20", "+");
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encode(String(value))}`)
    .join("&");
}
