import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { listLeftDeposits } from '../../../quotes/deposits/server/queries.ts'
import { quoteName, statusLabel } from '../../../quotes/rules.ts'
import { listQuotesToAct } from '../../../quotes/server/queries.ts'
import type { Need } from '../../contract.ts'

const badges = {
  noted: 'From the crew',
  changes_requested: 'Changes asked',
  approved: 'Signed',
  expiring: 'Expires',
  undelivered: 'Not delivered',
} as const

/** Quotes that wait for a person: what crews noted on site, changes that a customer asks for, what was signed and is no job, and what expires by tomorrow. */
export const quotesToAct = async (db: TenantDb, today: Day): Promise<Need[]> =>
  (await listQuotesToAct(db, today)).map(({ id, number, why, customer, street, words, validUntil, totalCents }) => {
    const path = linkTo.quote(id)
    const name = `${quoteName(number)} ${customer}`
    return {
      id: `quote:${why}:${id}`,
      kind: 'quote',
      badge: badges[why],
      tone: why === 'undelivered' ? 'late' : why === 'changes_requested' || why === 'noted' ? 'now' : 'wait',
      title:
        why === 'noted'
          ? `${words?.split(' ')[0] ?? 'A crew'} noted ${quoteName(number)} for ${customer}`
          : why === 'changes_requested'
            ? `${name} asks for changes`
            : why === 'approved'
              ? `${name} is signed and no job yet`
              : why === 'undelivered'
                ? `${name} did not get the notice, so the season was not renewed`
                : `${name} expires ${validUntil === today ? 'today' : 'tomorrow'}`,
      detail:
        why === 'noted'
          ? `${street}. ${totalCents === 0 ? 'It needs a price' : 'Check the price'}, then send it.`
          : why === 'changes_requested' && words
            ? `“${words.slice(0, 90)}”`
            : why === 'undelivered' && words
              ? words
              : street,
      amountCents: totalCents,
      path,
      action: {
        kind: 'open',
        label:
          why === 'approved'
            ? 'Schedule'
            : why === 'undelivered'
              ? 'Send again'
              : why === 'noted'
                ? 'Price it'
                : 'Look',
        path,
      },
    }
  })

/** Deposits that are still here although their quote came to nothing: they go back, or are kept as credit. */
export const leftDeposits = async (db: TenantDb): Promise<Need[]> =>
  (await listLeftDeposits(db)).map(({ id, quoteId, number, status, customer, restCents }) => {
    const path = linkTo.quote(quoteId)
    return {
      id: `quote-deposit:${id}`,
      kind: 'payment',
      badge: 'Deposit',
      tone: 'wait',
      title: `${customer} paid a deposit for ${quoteName(number)}, which came to nothing`,
      detail: `${statusLabel[status]}: give it back, or keep it as their credit`,
      amountCents: restCents,
      path,
      action: { kind: 'open', label: 'Decide', path },
    }
  })
