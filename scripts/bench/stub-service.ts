import { createServer, type Socket } from "node:net";
import { worker } from "workerpool";

/** Accepts everything, and reads only as much HTTP as finds the end of a request: a full server would cost more than its clients. */

const HEAD_END = "\r\n\r\n";
let delayMs = 0;
let count = 0;
let notifyNext: (() => void) | null = null;

/** Transfer ids begin with a time, as those of the service do. */
function respond(): string {
  const id = `${Date.now().toString(16).padStart(12, "0")}${(++count).toString(16).padStart(8, "0")}`;
  const body = `statusCode=2000&statusMessage=Ok&clientMessageId=bench&transferId=${id}&smsCount=1`;
  const type = "content-type: application/x-www-form-urlencoded";
  return `HTTP/1.1 200 OK\r\n${type}\r\ncontent-length: ${body.length}${HEAD_END}${body}`;
}

function accept(socket: Socket): void {
  let pending = "";
  socket.setNoDelay(true).setEncoding("latin1");
  socket.on("error", () => socket.destroy());
  socket.on("data", (text: string) => {
    pending += text;
    for (let head = pending.indexOf(HEAD_END); head >= 0; head = pending.indexOf(HEAD_END)) {
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(pending.slice(0, head))?.[1] ?? 0);
      const end = head + HEAD_END.length + length;
      if (pending.length < end) return;
      pending = pending.slice(end);
      notifyNext?.();
      if (delayMs === 0) socket.write(respond());
      else setTimeout(() => socket.write(respond()), delayMs);
    }
  });
}

const server = createServer(accept);
worker({
  listen: (responseDelayMs: number) =>
    new Promise<string>((resolve) => {
      delayMs = responseDelayMs;
      server.listen(0, "127.0.0.1", () => {
        resolve(`http://127.0.0.1:${(server.address() as { port: number }).port}`);
      });
    }),
  /** Resolves with the next request. */
  next: () =>
    new Promise<void>((resolve) => {
      notifyNext = resolve;
    }),
});
