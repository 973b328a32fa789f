import { connect } from "node:net";

/** One answer as it stood on the wire. */
export interface WireAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Sending {
  readonly bytes: string | Buffer;
  /** Answers to wait for; fewer where the connection ends before. */
  readonly answers: number;
  /** Sent byte by byte once `bytes` are out, one each few ms, until the answers are there. */
  readonly trickle?: string;
  /** Every byte of `bytes` in a packet of its own. */
  readonly split?: boolean;
  /** Half-closes after `bytes`. */
  readonly end?: boolean;
}

/** How Node.js writes an answer without content. */
const NO_CHUNKS = "0\r\n\r\n";
/** ms between trickled bytes. */
const TRICKLE = 4;

/** Complete answers at the beginning of what was received; with `closed`, an answer without length ends there. */
function parseAnswers(text: string, closed: boolean): WireAnswer[] {
  const answers: WireAnswer[] = [];
  let rest = text;
  for (;;) {
    const gap = rest.indexOf("\r\n\r\n");
    if (gap < 0) {
      return answers;
    }
    const [first = "", ...lines] = rest.slice(0, gap).split("\r\n");
    const headers = Object.fromEntries(
      lines.map((line) => [line.split(":", 1)[0]?.toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
    );
    const status = Number(first.split(" ")[1]);
    const after = rest.slice(gap + 4);
    const isEmpty = headers["transfer-encoding"] === "chunked" && after.startsWith(NO_CHUNKS);
    const declared = isEmpty ? NO_CHUNKS.length : headers["content-length"];
    if (declared === undefined && status >= 200 && !closed) {
      return answers;
    }
    const length = status < 200 ? 0 : Number(declared ?? after.length);
    if (after.length < length) {
      return answers;
    }
    const body = isEmpty ? "" : after.slice(0, length);
    answers.push({ status, headers, body: Buffer.from(body, "latin1").toString() });
    rest = after.slice(length);
  }
}

/** Sends bytes over a connection of its own, and gives back what came. */
export async function sendRaw(
  port: number,
  sending: Sending,
): Promise<{ answers: WireAnswer[]; closed: boolean }> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true, allowHalfOpen: true });
  let received = "";
  let closed = false;
  socket.setEncoding("latin1");
  socket.on("data", (text: string) => {
    received += text;
  });
  const end = (): void => {
    closed = true;
  };
  socket.on("end", end).on("close", end);
  // A connection that the server breaks is one of the expected ends.
  socket.on("error", () => {});
  const bytes = Buffer.from(sending.bytes as string, "latin1");
  if (sending.split) {
    for (const byte of bytes) {
      socket.write(Buffer.from([byte]));
      await new Promise(setImmediate);
    }
  } else {
    socket.write(bytes);
  }
  if (sending.end) {
    socket.end();
  }
  let trickled = 0;
  const trickle = sending.trickle ?? "";
  const trickling = setInterval(
    () => trickled < trickle.length && socket.write(trickle.charAt(trickled++)),
    TRICKLE,
  );
  try {
    await waitForQuick(
      () => `${sending.answers} answers, but got ${JSON.stringify(received)}`,
      () => closed || parse().length >= sending.answers,
    );
    return { answers: parse(), closed };
  } finally {
    clearInterval(trickling);
    socket.destroy();
  }

  function parse(): WireAnswer[] {
    return parseAnswers(received, closed);
  }
}

/** Waits in steps of a millisecond, for hundreds of waits that are over at once. */
export async function waitForQuick(what: string | (() => string), holds: () => boolean): Promise<void> {
  const end = performance.now() + 120_000;
  while (!holds()) {
    if (performance.now() > end) {
      throw new Error(`waited in vain for ${typeof what === "string" ? what : what()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
