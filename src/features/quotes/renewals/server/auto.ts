import type { SystemActor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { linkTo } from '../../../../shared/links.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { getContact } from '../../../customers/server/queries.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { isWaiting, quoteName } from '../../rules.ts'
import { findRevision } from '../../server/queries.ts'
import { lockQuoteTx, noteTx, setQuoteTx } from '../../server/rows.ts'
import { approveByNotice } from '../../signing/server/commands.ts'
import { hasArrived, type Notice, undeliveredWords } from '../rules.ts'

/** Seasons that renew by themselves: on the day after the last one to answer, where the notice arrived and nobody said no. */

const atOnce = 200

/** The notices of the version that stands, sent again ones too, the newest first; with the quote opened nothing needs to be asked. */
const noticesOf = async (db: TenantDb, quoteId: string): Promise<Notice[]> => {
  const sent = await findRevision(db, quoteId)
  if (!sent) return []
  const rows = await db
    .selectFrom('messages')
    .select(['channel', 'status', 'reason'])
    .where('businessId', '=', db.businessId)
    .where('entityType', '=', 'quote')
    .where('entityId', '=', quoteId)
    .where('direction', '=', 'outbound')
    .where('createdAt', '>=', sent.sentAt)
    .orderBy('id', 'desc')
    .limit(50)
    .execute()
  return rows as Notice[]
}

/** Nothing reached the customer, so nothing was agreed: the quote is over, the row says why, and the office is told. @returns whether that is so */
const refuseUndelivered = (actor: SystemActor, id: string, quoteId: string): Promise<boolean> =>
  withTenant(actor, async (db) => {
    const quote = await lockQuoteTx(db, quoteId)
    // an answer that came meanwhile counts; who opened the page has read the notice
    if (!isWaiting(quote.status) || quote.status === 'viewed') return false
    const notices = await noticesOf(db, quoteId)
    if (hasArrived(notices)) return false
    const problem = undeliveredWords(notices)
    await db
      .updateTable('renewals')
      .set({ undelivered: true, problem, updatedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await setQuoteTx(db, quote, { status: 'expired', followOn: null })
    await noteTx(db, quote, 'expired', { words: problem })
    await notifyOffice(db, {
      type: 'quote',
      title: `${quoteName(quote.number)}: the season of ${(await getContact(db, quote.customerId)).name} was not renewed`,
      content: problem.slice(0, 300),
      customerId: quote.customerId,
      path: linkTo.quote(quoteId),
      dedupeKey: `renewal-undelivered:${quoteId}:${quote.revision}`,
    })
    return true
  })

const dueAfter = (actor: SystemActor, last: string) =>
  withTenant(actor, async (db) =>
    db
      .selectFrom('renewals as n')
      .innerJoin('renewalRuns as r', (x) => x.onRef('r.businessId', '=', 'n.businessId').onRef('r.id', '=', 'n.runId'))
      .innerJoin('quotes as q', (x) => x.onRef('q.businessId', '=', 'n.businessId').onRef('q.id', '=', 'n.quoteId'))
      .where('n.businessId', '=', db.businessId)
      .where('r.mode', '=', 'auto')
      .where('n.state', '=', 'sent')
      .where('q.status', 'in', ['sent', 'viewed'])
      .where('q.validUntil', '<', await todayOf(db))
      .where('n.id', '>', last)
      .select(['n.id', 'q.id as quoteId'])
      .orderBy('n.id')
      .limit(atOnce)
      .execute(),
  )

/** All that are due, before what nobody answered expires: one that is left for the next hour would expire instead. */
export const renewByThemselves = async (actor: SystemActor): Promise<void> => {
  for (let last = '00000000-0000-0000-0000-000000000000'; ; ) {
    const due = await dueAfter(actor, last)
    for (const { id, quoteId } of due) {
      if (await refuseUndelivered(actor, id, quoteId)) continue
      if (!(await approveByNotice(actor.businessId, quoteId))) continue
      await withTenant(actor, (db) =>
        db
          .updateTable('renewals')
          .set({ byItself: true, undelivered: false, problem: '', updatedAt: clock.iso() })
          .where('businessId', '=', db.businessId)
          .where('id', '=', id)
          .execute(),
      )
    }
    const end = due.at(-1)
    if (due.length < atOnce || !end) return
    last = end.id
  }
}
