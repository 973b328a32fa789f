import { startSimulator } from "../../simulator/index";

/** The service of a benchmark, in a process of its own: its work and memory are not the client's. */

const BYTES = Number(process.argv[2]);

async function main(): Promise<void> {
  const simulator = await startSimulator();
  const media = (size: number, fileName: string): string =>
    simulator.main.addMedia({ size, contentType: "video/mp4", fileName });
  process.send?.({
    url: simulator.url,
    credentials: simulator.credentials,
    small: media(1024, "small.mp4"),
    large: media(BYTES, "large.mp4"),
  });
  process.on("disconnect", () => process.exit());
}

void main();
