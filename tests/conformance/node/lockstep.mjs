// The lock-step protocol: one request a line on stdin, one answer a line on stdout, in order.

import { createInterface } from "node:readline";

/**
 * Serve an adapter to whoever drives this process, until its input ends.
 *
 * `begin(request)` makes the state of a session: plain data, so that a snapshot is a copy of it.
 * `step(state, kind, arrival)` takes a frame or a signal into it and returns the events it caused.
 */
export async function serve({ begin, step }) {
  let state = null;
  const kept = new Map();
  for await (const line of createInterface({ input: process.stdin })) {
    process.stdout.write(`${JSON.stringify(answer(JSON.parse(line)))}\n`);
  }

  function answer(request) {
    if (request.begin) {
      state = begin(request.begin);
      kept.clear();
      return { events: [] };
    }
    if (state === null) return { error: "no session has begun" };
    if ("snapshot" in request) {
      kept.set(request.snapshot, structuredClone(state));
      return { events: [] };
    }
    if ("restore" in request) {
      if (!kept.has(request.restore)) return { error: `nothing was kept as ${request.restore}` };
      state = structuredClone(kept.get(request.restore));
      return { events: [] };
    }
    for (const kind of ["frame", "signal"]) {
      if (request[kind]) return { events: step(state, kind, request[kind]) };
    }
    return { error: "no such request" };
  }
}
