import type { Domain } from "./domains.ts";

export function decisionOf({ name, rule, because, thing }: Domain, number: string): string {
  return `# ${number} - ${rule.split(/[;,]/)[0]}

**Date**: 2026-02-03
**Status**: accepted
**Author**: mcp:unknown

## Context
${because}

## Decision
${rule}.

## Consequences
Whatever writes a ${thing.toLowerCase()} is checked against this in review of internal/${name}.
`;
}

export function guideOf({
  name,
  thing,
  what,
  partner,
  fields,
  states,
  rule,
  because,
  quirk,
}: Domain): string {
  const noun = thing.toLowerCase();
  return `# ${name.charAt(0).toUpperCase()}${name.slice(1)}

The part that ${what}. It lives in \`internal/${name}\` and talks to ${partner}; nothing else does.

## What a ${noun} is
A ${noun} has ${fields.map((field) => `\`${field}\``).join(", ")} and a state. It is made by the back office or by a booking,
and it is kept for as long as the shop that owns it has an account.

## States
${states.map((state, index) => `${index + 1}. \`${state}\`: ${index === 0 ? "where every one begins" : `follows ${states[index - 1]}`}.`).join("\n")}

A ${noun} never goes back. Whoever needs that makes a new one and links the two.

## Rule
${rule}. ${because}

## API
\`GET /office/${name}?state=…\` answers fifty at a time, oldest first; \`after\` takes the last number of the page before.
\`POST /office/${name}\` takes the fields above as JSON and answers the new number. A body over a megabyte is refused.
Customers have no access: the back office is for people of ours, signed in by card or password.

## Talking to ${partner}
${quirk}
Requests carry our token. When ${partner} answers 429 we leave the ${noun} where it is and come back with the next run,
every ten minutes. A ${noun} that failed for a day is shown in the office with the last answer we got.

## Testing
The states are tested as a table. ${partner} is replaced by a small server inside the test; its answers were copied by hand
from its manual and are looked over when the manual changes.

## Privacy
What names a person in a ${noun} is shown to the shop that wrote it and to nobody else. Exports hold it, reports do not.
`;
}

export function runbookOf({ name, thing, partner, quirk, known }: Domain): string {
  const noun = thing.toLowerCase();
  return `# When ${name} is in trouble

## Nothing reaches ${partner}
Look at the log of the sync: one line for each ${noun} that stayed behind. If all of them stay, ask ${partner} whether it is down
and pause the sync in the office. ${quirk}

## A ${noun} is stuck
Open it in the office. The last answer of ${partner} stands under its state. Answers that are not JSON come from its proxy;
wait an hour. Do not edit the table by hand.

## Too many at once
${known} Runs take a hundred at a time and end with the context, so that a deploy never cuts one in half. More than a
thousand waiting is worth a message in the operations channel, more than ten thousand a call to ${partner}.

## After a restore
Run the sync once with the date of the backup. ${partner} ignores what it already has. Compare the count of each state with
the evening report before anything is sent to customers.
`;
}
