import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { refuse } from '../../../../shared/can.ts'
import { conflict } from '../../../../shared/errors.ts'
import { createInvoiceTx } from '../../../invoices/server/commands.ts'
import { freeQuoteDepositTx } from '../../../payments/credits/server/commands.ts'
import type { QuoteRecord } from '../../contract.ts'
import { findRenewalOfQuote } from '../../renewals/server/rows.ts'
import { type Choice, quoteTotals } from '../../rules.ts'
import { findRevision, getQuote } from '../../server/queries.ts'
import { lockQuoteTx, setQuoteTx } from '../../server/rows.ts'
import { billRefusal, linesOfQuote } from '../rules.ts'
import { findQuoteInvoice } from './queries.ts'

/** Makes a draft over all that was signed, at the prices that were signed. What was paid as its deposit is credit that the invoice may use. */
export const billQuote = (actor: Actor, id: string): Promise<QuoteRecord> =>
  withTenant(actor, async (db) => {
    const quote = await lockQuoteTx(db, id)
    const renewal = await findRenewalOfQuote(db, id)
    refuse(billRefusal({ ...quote, isRenewal: Boolean(renewal), invoice: await findQuoteInvoice(db, id) }))
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
      id,
    )
    await freeQuoteDepositTx(db, quote.customerId, id)
    await setQuoteTx(db, quote, { followOn: null })
    await audit(db, actor, 'quote.bill', { type: 'quote', id })
    return getQuote(db, actor, id)
  })
