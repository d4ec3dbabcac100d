import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import type { Once } from '../../../../platform/http/idempotency.ts'
import { enqueue } from '../../../../platform/tasks/task.ts'
import { refuse } from '../../../../shared/can.ts'
import { formatCents } from '../../../../shared/money.ts'
import { methodNames } from '../../../invoices/papers/rules.ts'
import { bookDepositTx, freeQuoteDepositTx } from '../../../payments/credits/server/commands.ts'
import type { QuoteRecord } from '../../contract.ts'
import { bookRenewal } from '../../renewals/server/booking.ts'
import { isRenewal } from '../../renewals/server/rows.ts'
import { quoteName } from '../../rules.ts'
import { getQuote } from '../../server/queries.ts'
import { lockQuoteTx, noteTx, setQuoteTx } from '../../server/rows.ts'
import type { quoteDepositsApi } from '../contract.ts'
import { depositRefusals } from '../rules.ts'
import { endOpenPage } from './commands.ts'
import { depositFacts } from './queries.ts'

/** @throws state_conflict where it is not due, or paid already */
const lockDueTx = async (db: TenantDb, id: string) => {
  const quote = await lockQuoteTx(db, id)
  const facts = await depositFacts(db, quote)
  refuse(depositRefusals.record(facts))
  return { quote, facts }
}

/** The deposit came outside: booked as one by card is, with a receipt, once whoever presses how often. */
export const recordQuoteDeposit = async (
  actor: Actor,
  id: string,
  { method, receivedOn, note, exceptionReason }: z.output<(typeof quoteDepositsApi)['record']['body']>,
  once: Once,
): Promise<QuoteRecord> => {
  await withTenant(actor, (db) => lockDueTx(db, id))
  // nobody pays by card what is recorded here; what was paid on the page meanwhile counts instead
  await endOpenPage(actor.businessId, id)
  return once(() =>
    withTenant(actor, async (db) => {
      const { quote, facts } = await lockDueTx(db, id)
      await bookDepositTx(db, actor, quote.customerId, {
        quoteId: id,
        jobId: null,
        method,
        amountCents: facts.depositCents,
        receivedOn,
        note: [quoteName(quote.number), note].filter(Boolean).join('. ').slice(0, 300),
        exceptionReason,
      })
      await setQuoteTx(db, quote, {})
      await noteTx(db, quote, 'deposit_paid', {
        words: `${formatCents(facts.depositCents)} by ${methodNames[method].toLowerCase()}`,
        userId: actor.userId,
      })
      if (await isRenewal(db, id)) await enqueue(db, bookRenewal, { quoteId: id }, { key: id })
      return getQuote(db, actor, id)
    }),
  )
}

/** The quote came to nothing: its deposit stays as credit of the customer. */
export const keepDeposit = (actor: Actor, id: string): Promise<QuoteRecord> =>
  withTenant(actor, async (db) => {
    const quote = await lockQuoteTx(db, id)
    const facts = await depositFacts(db, quote)
    refuse(depositRefusals.keep(facts))
    await freeQuoteDepositTx(db, quote.customerId, id)
    await setQuoteTx(db, quote, {})
    await noteTx(db, quote, 'deposit_kept', { words: formatCents(facts.restCents), userId: actor.userId })
    await audit(db, actor, 'quote.keepDeposit', { type: 'quote', id }, { after: { cents: facts.restCents } })
    return getQuote(db, actor, id)
  })
