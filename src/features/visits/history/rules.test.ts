import { expect, it } from 'vitest'
import { tapLabel } from './rules.ts'

it.each([
  ['sell', 'Hedge trimming', 'Sold Hedge trimming at the door'],
  ['sell', null, 'Sold further work at the door'],
  ['collect', null, 'Took money at the door'],
  ['skip', 'dog', 'Skipped: Dog in the yard'],
  ['finish', null, 'Finished'],
] as const)('%s of %s', (type, about, words) => expect(tapLabel(type, about)).toBe(words))
