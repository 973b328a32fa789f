import type { IncomingHttpHeaders } from "node:http";

/** One answer over HTTP. */
export class Answer {
  constructor(
    readonly httpStatus: number,
    readonly headers: IncomingHttpHeaders,
    /** One character per byte. */
    readonly body: string,
  ) {}

  /** The body as JSON, or the fields of a form with numbers as numbers; empty for other bodies. */
  get value(): ReturnType<typeof JSON.parse> {
    if (this.type.includes("json")) return JSON.parse(Buffer.from(this.body, "latin1").toString());
    const pairs = this.type.startsWith("application/x-www-form") ? [...new URLSearchParams(this.body)] : [];
    const decoded = pairs.map(([name, text]) => [name, /^\d{1,9}$/.test(text) ? Number(text) : text]);
    return Object.fromEntries(decoded);
  }

  /** The status code of the service. */
  get code(): number | undefined {
    return this.value.statusCode;
  }

  get type(): string {
    return this.headers["content-type"] ?? "";
  }

  /** Why the simulator refused a request without a status code; empty otherwise. */
  get reason(): string {
    return String(this.headers["x-simulator-reason"] ?? "");
  }

  get challenge(): string | undefined {
    return this.headers["www-authenticate"];
  }
}
