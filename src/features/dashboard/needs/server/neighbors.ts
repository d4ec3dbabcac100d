import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { type Day, formatDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { listNeighborsToTell } from '../../../chemicals/neighbors/server/queries.ts'
import type { Need } from '../../contract.ts'

/** Neighbors who asked to be told before a treatment, and were not told of the day on which it stands. */
export const neighborsToTell = async (db: TenantDb, today: Day): Promise<Need[]> =>
  (await listNeighborsToTell(db, today)).map(({ visitId, jobId, day, street, names, tellBy }) => {
    const path = linkTo.job(jobId, { visitId })
    const [first = '', ...others] = names
    const who = others.length === 0 ? first : `${first} and ${others.length} more`
    return {
      id: `neighbors:${visitId}:${day}`,
      kind: 'neighbors',
      badge: 'Neighbors',
      tone: today >= tellBy ? 'late' : 'wait',
      title: `${street} is treated ${day === today ? 'today' : formatDay(day)}: ${who} asked to be told before`,
      detail:
        today > tellBy
          ? `One business day before was ${formatDay(tellBy)}: tell them now, or move the treatment`
          : `Tell them ${today === tellBy ? 'today' : `by ${formatDay(tellBy)}`}, one business day before`,
      amountCents: null,
      path,
      visitId,
      action: { kind: 'open', label: 'Tell them', path },
    }
  })
