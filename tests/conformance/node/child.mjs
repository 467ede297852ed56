// An adapter of `codex exec --json` in plain JavaScript, without a package:
//
//   turnreel conform --command 'node child.mjs' --dialect codex-exec cassettes/library

import { serve } from "./lockstep.mjs";
import { begin, step } from "./session.mjs";

await serve({ begin, step });
