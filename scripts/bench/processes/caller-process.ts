import { openEventSocket } from "../event-socket";
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
const event = (): object => ({
  type: "whatsapp",
  applicationId: "3f2b1c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d",
  sender: "+41790000001",
  user: { displayName: "Ada" },
  recipient: "+41790000009",
  content: `yes, number ${++events}`,
});

/** The next event leaves when the answer to the last one is there. */
function call({ url, connections, seconds }: CallTask): Promise<Calls> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const until = began + seconds * 1000;
    let calls = 0;
    let failed = 0;
    let open = connections;
    for (let each = 0; each < connections; each++) {
      openEventSocket(
        url,
        (socket, accepted) => {
          if (accepted !== null) {
            calls++;
            failed += accepted ? 0 : 1;
          }
          if (accepted === null || performance.now() < until) {
            socket.post(event());
            return;
          }
          socket.close();
          if (--open === 0) {
            resolve({ calls, failed, seconds: (performance.now() - began) / 1000 });
          }
        },
        reject,
      );
    }
  });
}

serve({ call });
