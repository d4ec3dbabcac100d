import { clock } from '../../../../platform/clock.ts'
import { type BusinessId, withTenant } from '../../../../platform/db/tenant.ts'
import { emit } from '../../../../platform/events/events.ts'
import { conflict } from '../../../../shared/errors.ts'
import { linkTo } from '../../../../shared/links.ts'
import { getContact } from '../../../customers/server/queries.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { type LostReason, lostLabel, quoteName } from '../../rules.ts'
import { lockQuoteTx, noteTx, setQuoteTx } from '../../server/rows.ts'
import { findQuotePage } from './queries.ts'
import { viewerTexts } from './texts.ts'

/** Locks the quote behind a version whose page still takes an answer. @throws state_conflict where it does not */
const inOpen = (
  businessId: BusinessId,
  revisionId: string,
  work: (
    db: Parameters<Parameters<typeof withTenant>[1]>[0],
    quote: Awaited<ReturnType<typeof lockQuoteTx>>,
  ) => Promise<void>,
): Promise<void> =>
  withTenant({ businessId }, async (db) => {
    const before = await findQuotePage(db, revisionId)
    if (!before) throw conflict(viewerTexts.en.notOpen)
    const quote = await lockQuoteTx(db, before.quoteId)
    if ((await findQuotePage(db, revisionId))?.state !== 'open') throw conflict(viewerTexts[before.language].notOpen)
    await work(db, quote)
  })

/** A person has the page before them: the office hears of the first time. Looking again, and a page that is over, change nothing. */
export const seeQuote = (businessId: BusinessId, revisionId: string): Promise<void> =>
  withTenant({ businessId }, async (db) => {
    const page = await findQuotePage(db, revisionId)
    if (page?.state !== 'open') return
    const quote = await lockQuoteTx(db, page.quoteId)
    if (quote.status !== 'sent' || quote.revision !== page.revision) return
    await setQuoteTx(db, quote, { status: 'viewed', viewedAt: clock.iso() })
    await noteTx(db, quote, 'viewed')
    await notifyOffice(db, {
      type: 'quote',
      title: `${page.customer} is looking at ${quoteName(quote.number)}`,
      customerId: quote.customerId,
      path: linkTo.quote(quote.id),
      dedupeKey: `quote-viewed:${revisionId}`,
    })
  })

export const askForChanges = (businessId: BusinessId, revisionId: string, words: string): Promise<void> =>
  inOpen(businessId, revisionId, async (db, quote) => {
    await setQuoteTx(db, quote, { status: 'changes_requested', answeredAt: clock.iso(), followOn: null })
    await noteTx(db, quote, 'changes_requested', { words })
    await notifyOffice(db, {
      type: 'quote',
      title: `${(await getContact(db, quote.customerId)).name} asks for changes of ${quoteName(quote.number)}`,
      content: words.slice(0, 300),
      customerId: quote.customerId,
      path: linkTo.quote(quote.id),
      dedupeKey: `quote-changes:${revisionId}`,
    })
  })

export const declineByCustomer = (
  businessId: BusinessId,
  revisionId: string,
  { reason, words }: { reason: LostReason; words: string },
): Promise<void> =>
  inOpen(businessId, revisionId, async (db, quote) => {
    await setQuoteTx(db, quote, {
      status: 'declined',
      lostReason: reason,
      answeredAt: clock.iso(),
      followOn: null,
    })
    await noteTx(db, quote, 'declined', { words: [lostLabel[reason], words].filter(Boolean).join(': ') })
    await emit(db, 'quote.declined', { quoteId: quote.id, customerId: quote.customerId, at: clock.iso() })
    await notifyOffice(db, {
      type: 'quote',
      title: `${(await getContact(db, quote.customerId)).name} said no to ${quoteName(quote.number)}`,
      content: [lostLabel[reason], words].filter(Boolean).join(': ').slice(0, 300),
      customerId: quote.customerId,
      path: linkTo.quote(quote.id),
      dedupeKey: `quote-declined:${revisionId}`,
    })
  })
