import { connect } from "node:net";
import { SECRET, SECRET_HEADER } from "../webhook-secret";
import { serve } from "../serve";

export interface CallTask {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
}

export interface Calls {
  readonly calls: number;
  readonly failed: number;
  readonly seconds: number;
}

let events = 0;

/** An event that nobody has seen before, as the service posts it. */
function event(host: string, path: string): string {
  const body = JSON.stringify({
    type: "whatsapp",
    applicationId: "3f2b1c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d",
    sender: "+41790000001",
    user: { displayName: "Ada" },
    recipient: "+41790000009",
    content: `yes, number ${++events}`,
  });
  return `POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n${SECRET_HEADER}: ${SECRET}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

/** As little work as possible: the next event leaves when the answer to the last one is there. */
function call({ url, connections, seconds }: CallTask): Promise<Calls> {
  const { hostname, port, host, pathname } = new URL(url);
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const until = began + seconds * 1000;
    let calls = 0;
    let failed = 0;
    let open = connections;
    for (let each = 0; each < connections; each++) {
      const socket = connect(Number(port), hostname);
      let pending = "";
      socket.setNoDelay(true).setEncoding("latin1");
      socket.on("connect", () => socket.write(event(host, pathname)));
      socket.on("error", reject);
      socket.on("data", (text: string) => {
        pending += text;
        const head = pending.indexOf("\r\n\r\n");
        if (head < 0) {
          return;
        }
        const length = Number(/\r\ncontent-length: *(\d+)/i.exec(pending.slice(0, head))?.[1] ?? 0);
        const end = head + 4 + length;
        if (pending.length < end) {
          return;
        }
        calls++;
        failed += /^HTTP\/1\.1 20\d /.test(pending) ? 0 : 1;
        pending = pending.slice(end);
        if (performance.now() < until) {
          socket.write(event(host, pathname));
        } else {
          socket.destroy();
          if (--open === 0) {
            resolve({ calls, failed, seconds: (performance.now() - began) / 1000 });
          }
        }
      });
    }
  });
}

serve({ call });
