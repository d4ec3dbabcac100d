import type { Actor } from '../../../../platform/actor.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'
import { conflict } from '../../../../shared/errors.ts'
import type { PriceChange } from '../../prices/contract.ts'
import { lockJobs, writePlanTx } from '../../prices/server/commands.ts'
import { type LetterLine, lettersOf, planLetter, sealOf } from './queries.ts'

export { notePrinted, printPriceLetters } from './paper.ts'

type Wish = {
  fromOn: Day
  lines: readonly LetterLine[]
  /** Of the letters that were read before: other ones are refused. */
  seal: string
}

/**
 * Raises the prices of certain lawns from a day on and tells their customers, each by one letter: a change of prices like every other one, with its undo.
 * @throws AppError as `planLetter`, and state_conflict when it would do something else than was seen
 */
export const sendPriceLetters = (actor: Actor, { fromOn, lines, seal }: Wish): Promise<PriceChange> =>
  withTenant(actor, async (db) => {
    const seen = await planLetter(db, { fromOn, lines })
    await lockJobs(db, [...new Set(seen.lines.map((line) => line.jobId))])
    // Who waited for the lock sees the price that was given meanwhile.
    const plan = await planLetter(db, { fromOn, lines })
    if (seal !== sealOf(await lettersOf(db, plan, fromOn), plan, fromOn))
      throw conflict(
        'These letters would say something else by now, or reach somebody else. Nothing was changed or sent: read them again.',
      )
    return writePlanTx(db, actor, plan, {
      kind: 'letter',
      scope: 'future',
      fromOn,
      tell: true,
      request: { fromOn, lines },
    })
  })
