import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { directly, type Once } from '../../../../platform/http/idempotency.ts'
import { refuse } from '../../../../shared/can.ts'
import { conflict } from '../../../../shared/errors.ts'
import { createInvoiceTx } from '../../../invoices/server/commands.ts'
import { keepForQuoteTx } from '../../../payments/credits/server/commands.ts'
import type { QuoteRecord } from '../../contract.ts'
import { assertNoPageTx, endPageOfInvoiced } from '../../deposits/server/commands.ts'
import { findRenewalOfQuote } from '../../renewals/server/rows.ts'
import { type Choice, quoteTotals } from '../../rules.ts'
import { findRevision, getQuote } from '../../server/queries.ts'
import { lockQuoteTx, setQuoteTx } from '../../server/rows.ts'
import { billRefusal, linesOfQuote } from '../rules.ts'
import { findQuoteInvoice } from './queries.ts'

const lockBillableTx = async (db: TenantDb, id: string) => {
  const quote = await lockQuoteTx(db, id)
  const renewal = await findRenewalOfQuote(db, id)
  refuse(billRefusal({ ...quote, isRenewal: Boolean(renewal), invoice: await findQuoteInvoice(db, id) }))
  return quote
}

/**
 * Makes a draft over all that was signed, at the prices that were signed. Its page asks for no deposit from then on, and what was paid as one, or
 * comes later, is taken off the invoice in the moment it is issued; what is left then is credit.
 */
export const billQuote = async (actor: Actor, id: string, once: Once = directly): Promise<QuoteRecord> => {
  await withTenant(actor, (db) => lockBillableTx(db, id))
  // nobody pays as a deposit what the invoice asks for; what was paid a moment ago is booked first
  const onItsWay = await endPageOfInvoiced(actor.businessId, id)
  return once(() => withTenant(actor, (db) => billTx(db, actor, id, onItsWay)))
}

const billTx = async (db: TenantDb, actor: Actor, id: string, onItsWay: string | null): Promise<QuoteRecord> => {
  const quote = await lockBillableTx(db, id)
  await assertNoPageTx(db, id, onItsWay)
  // an invoice of before may have freed it
  await keepForQuoteTx(db, id)
  const sent = await findRevision(db, id)
  if (!sent) throw conflict('This quote was never sent. Nothing was changed.')
  const { content } = sent
  const choice = quote.choice as unknown as Choice
  const lines = linesOfQuote(content.lines, choice, quoteTotals(content, choice, content.tax))
  if (lines.length === 0) throw conflict('Nothing of this quote was chosen. Nothing was changed.')
  await createInvoiceTx(
    db,
    actor,
    {
      customerId: quote.customerId,
      message: '',
      discountCents: 0,
      lines: lines.map((line) => ({ ...line, propertyId: quote.propertyId })),
    },
    { quoteId: id },
  )
  await setQuoteTx(db, quote, { followOn: null })
  await audit(db, actor, 'quote.bill', { type: 'quote', id })
  return getQuote(db, actor, id)
}
