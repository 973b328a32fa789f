export interface Question {
  readonly id: number;
  readonly what: string;
  readonly task: unknown;
}

export interface Reply {
  readonly id: number;
  readonly answer?: unknown;
  readonly fault?: string;
}

/** What a worker can be asked for, by name. */
export type Skills = Readonly<Record<string, (task: never) => unknown>>;

/** In such a process: answers what it is asked, and ends when nobody can ask any more. */
export function serve(skills: Skills): void {
  process.on("message", (message) => {
    const { id, what, task } = message as Question;
    void (async () => {
      try {
        const skill = skills[what];
        if (skill === undefined) {
          throw new Error(`cannot ${what}`);
        }
        process.send?.({ id, answer: await skill(task as never) } satisfies Reply);
      } catch (error) {
        process.send?.({
          id,
          fault: error instanceof Error ? (error.stack ?? error.message) : String(error),
        } satisfies Reply);
      }
    })();
  });
  process.once("disconnect", () => process.exit());
}
