import type { Actor } from '../../../../platform/actor.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import type { lettersPdf } from '../../../../platform/letters-pdf.ts'
import { inThread } from '../../../../platform/threads.ts'
import type { Day } from '../../../../shared/dates.ts'
import { conflict } from '../../../../shared/errors.ts'
import type { PriceChange } from '../../prices/contract.ts'
import { lockJobs, writePlanTx } from '../../prices/server/commands.ts'
import { sumsOf } from '../../prices/server/queries.ts'
import { getPaper, type LetterLine, lettersOf, planLetter } from './queries.ts'

type Wish = {
  fromOn: Day
  lines: readonly LetterLine[]
  /** What was seen before: another count is refused. */
  expected: { visits: number; reached: number }
}

/**
 * Raises the prices of certain lawns from a day on and tells their customers, each by one letter: a change of prices like every other one, with its undo.
 * @throws AppError as `planLetter`, and state_conflict when it would do something else than was seen
 */
export const sendPriceLetters = (actor: Actor, { fromOn, lines, expected }: Wish): Promise<PriceChange> =>
  withTenant(actor, async (db) => {
    const seen = await planLetter(db, { fromOn, lines })
    await lockJobs(db, [...new Set(seen.lines.map((line) => line.jobId))])
    // Who waited for the lock sees the price that was given meanwhile.
    const plan = await planLetter(db, { fromOn, lines })
    const { visits } = sumsOf(plan)
    const reached = (await lettersOf(db, plan, fromOn)).filter(({ channel }) => channel !== null).length
    if (visits !== expected.visits || reached !== expected.reached)
      throw conflict(
        `By now ${visits} visits would change and ${reached} customers would be told. Nothing was changed or sent: look at the letters again.`,
      )
    return writePlanTx(db, actor, plan, {
      kind: 'letter',
      scope: 'future',
      fromOn,
      tell: true,
      request: { fromOn, lines },
    })
  })

/** Letters to print, one a page, for those whom no text and no mail reaches. @throws AppError as `getPaper` */
export const printPriceLetters = async (actor: Actor, id: string): Promise<Uint8Array> => {
  const paper = await withTenant(actor, (db) => getPaper(db, id))
  return inThread<typeof lettersPdf>(
    new URL('../../../../platform/letters-pdf.ts', import.meta.url),
    'lettersPdf',
    paper,
  )
}
