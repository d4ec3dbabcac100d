import { z } from 'zod'
import type { SystemActor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { task } from '../../../../platform/tasks/task.ts'
import { AppError } from '../../../../shared/errors.ts'
import { linkTo } from '../../../../shared/links.ts'
import { getContact } from '../../../customers/server/queries.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { type Choice, quoteName } from '../../rules.ts'
import { convertQuoteTx } from '../../server/convert.ts'
import { lockQuoteTx } from '../../server/rows.ts'
import { findRenewalOfQuote } from './rows.ts'

/** Whether what somebody pays ahead has come. */
const isPaid = async (db: TenantDb, quote: { id: string; depositCents: number }): Promise<boolean> => {
  const { cents } = await db
    .selectFrom('payments')
    .where('businessId', '=', db.businessId)
    .where('quoteId', '=', quote.id)
    .where('status', '=', 'succeeded')
    .select((eb) => eb.fn.sum<string | null>(eb('amountCents', '-', eb.ref('refundedCents'))).as('cents'))
    .executeTakeFirstOrThrow()
  return Number(cents ?? 0) >= quote.depositCents
}

/** Books the next season of a renewal that was agreed to, once; who pays ahead is booked when the money is there. What stops it is said to the office. */
const book = async (actor: SystemActor, quoteId: string): Promise<void> => {
  try {
    await withTenant(actor, async (db) => {
      const renewal = await findRenewalOfQuote(db, quoteId)
      if (!renewal) return
      const quote = await lockQuoteTx(db, quoteId)
      if (quote.status !== 'approved') return
      if ((quote.choice as unknown as Choice | null)?.prepay && !(await isPaid(db, quote))) return
      await convertQuoteTx(db, actor, quote, { startOn: renewal.startsOn, crewId: null, instructions: '' })
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    await withTenant(actor, async (db) => {
      const quote = await lockQuoteTx(db, quoteId)
      await db
        .updateTable('renewals')
        .set({ problem: error.message.slice(0, 500), updatedAt: clock.iso() })
        .where('businessId', '=', db.businessId)
        .where('quoteId', '=', quoteId)
        .execute()
      await notifyOffice(db, {
        type: 'quote',
        title: `${quoteName(quote.number)}: the next season of ${(await getContact(db, quote.customerId)).name} could not be booked`,
        content: error.message.slice(0, 300),
        customerId: quote.customerId,
        path: linkTo.quote(quoteId),
        dedupeKey: `renewal-blocked:${quoteId}`,
      })
    })
  }
}

export const bookRenewal = task({
  name: 'quotes.bookRenewal',
  payload: z.object({ quoteId: z.uuid() }),
  run: (actor, { quoteId }) => book(actor, quoteId),
})
