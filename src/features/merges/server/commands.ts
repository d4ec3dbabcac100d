import { type Actor, hasPermission, userIdOf } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { requireVersion } from '../../../platform/db/version.ts'
import { newId } from '../../../platform/ids.ts'
import { refuse } from '../../../shared/can.ts'
import { AppError, conflict, notFound } from '../../../shared/errors.ts'
import { moveCustomerAutomationsTx } from '../../automations/server/merging/commands.ts'
import { moveCustomerPlansTx } from '../../billingplans/server/merging/commands.ts'
import { lockCampaignsOfTx, moveRecipientsTx } from '../../campaigns/server/merging/commands.ts'
import { moveCustomerApplicationsTx } from '../../chemicals/server/merging/commands.ts'
import type { NewContact } from '../../customers/contacts/contract.ts'
import { mostContacts } from '../../customers/contacts/rules.ts'
import { addContactTx, removeUnchangedContactsTx } from '../../customers/contacts/server/commands.ts'
import { reserveCustomersTx } from '../../customers/server/commands.ts'
import { lockPairTx, moveCustomerPlacesTx, setMergedTx } from '../../customers/server/merging/commands.ts'
import { moveImportRowsTx } from '../../imports/server/merging/commands.ts'
import { moveCustomerInvoicesTx } from '../../invoices/server/merging/commands.ts'
import { moveCustomerJobsTx } from '../../jobs/server/merging/commands.ts'
import { moveCustomerLeadsTx } from '../../leads/server/merging/commands.ts'
import {
  foldConversationTx,
  moveConversationNotesTx,
  recountUnansweredTx,
} from '../../messages/conversations/server/commands.ts'
import { moveCustomerMessagesTx } from '../../messages/server/delivery/commands.ts'
import { moveCustomerNoticesTx } from '../../notices/server/merging/commands.ts'
import { moveCustomerNotificationsTx } from '../../notifications/server/merging/commands.ts'
import { moveCustomerPaymentsTx } from '../../payments/server/merging/commands.ts'
import { moveCustomerPortalTx, moveRequestsWithPlacesTx } from '../../portal/server/merging/commands.ts'
import { moveCustomerQuotesTx } from '../../quotes/server/merging/commands.ts'
import { moveReferralCodeTx } from '../../referrals/server/commands.ts'
import { moveCustomerReviewsTx } from '../../reviews/server/merging/commands.ts'
import { moveCustomerCallsTx } from '../../tasks/server/commands.ts'
import { moveCustomerNotesTx } from '../../timeline/server/commands.ts'
import { moveCustomerVisitsTx } from '../../visits/server/merging/commands.ts'
import { isFinalMerge, mergedValues, mergeRefusal, otherWays, undoRefusal } from '../rules.ts'
import { asMergeable, sideOf, undoFactsOf } from './queries.ts'

type Moved = Record<'properties' | 'contacts' | 'calls' | 'tasks' | 'notes' | 'messages', string[]> & {
  /** Merges of earlier have none. */
  leads?: string[]
  conversationNotes?: string[]
  /** The contact that was made of the other phone and e-mail. */
  made?: string[]
}

/** What was booked and billed, each by the commands of the feature that it belongs to. */
const moveWorkAndMoney = async (db: TenantDb, goneId: string, keptId: string): Promise<void> => {
  await moveCustomerJobsTx(db, goneId, keptId)
  await moveCustomerVisitsTx(db, goneId, keptId)
  await moveCustomerQuotesTx(db, goneId, keptId)
  await moveCustomerInvoicesTx(db, goneId, keptId)
  await moveCustomerPaymentsTx(db, goneId, keptId)
  await moveCustomerPlansTx(db, goneId, keptId)
  await moveCustomerApplicationsTx(db, goneId, keptId)
  await moveImportRowsTx(db, goneId, keptId)
  await moveCustomerPortalTx(db, goneId, keptId)
  await moveCustomerReviewsTx(db, goneId, keptId)
  await moveRecipientsTx(db, goneId, keptId)
  await moveCustomerAutomationsTx(db, goneId, keptId)
}

/** Two records of one customer become one, in one transaction: what hangs on the other moves by the commands of whose it is, and the other is archived. */
export const mergeCustomers = (
  who: Actor,
  keptId: string,
  { goneId, version, goneVersion }: { goneId: string; version: number; goneVersion: number },
): Promise<{ mergeId: string; keptId: string; goneId: string; isFinal: boolean }> =>
  withTenant(who, async (db) => {
    const { kept, gone } = await lockPairTx(db, keptId, goneId)
    await lockCampaignsOfTx(db, [keptId, goneId])
    requireVersion(kept, version, 'this customer')
    requireVersion(gone, goneVersion, 'the other record')
    const [keptSide, goneSide] = [await sideOf(db, kept), await sideOf(db, gone)]
    refuse(mergeRefusal(keptSide, goneSide))
    const isFinal = isFinalMerge(goneSide)
    if (isFinal && !hasPermission(who, 'money'))
      throw new AppError(
        'forbidden',
        'The other record has work or money. Who merges it needs the permission for money: ask the owner. Nothing was changed.',
      )
    const { contacts } = await db
      .selectFrom('customerContacts')
      .select((eb) => eb.fn.countAll<number>().as('contacts'))
      .where('businessId', '=', db.businessId)
      .where('customerId', 'in', [keptId, goneId])
      .executeTakeFirstOrThrow()
    const ways = otherWays(asMergeable(kept), asMergeable(gone))
    if (Number(contacts) + (ways ? 1 : 0) > mostContacts)
      throw conflict(`Together they have more than ${mostContacts} contacts. Remove some first. Nothing was changed.`)
    const values = mergedValues(asMergeable(kept), asMergeable(gone))
    const before = Object.fromEntries(Object.keys(values).map((key) => [key, kept[key as keyof typeof kept]]))
    const moved: Moved = {
      ...(await moveCustomerPlacesTx(db, goneId, keptId)),
      ...(await moveCustomerCallsTx(db, goneId, keptId)),
      notes: await moveCustomerNotesTx(db, goneId, keptId),
      messages: await moveCustomerMessagesTx(db, goneId, keptId),
      leads: await moveCustomerLeadsTx(db, goneId, keptId),
      conversationNotes: await moveConversationNotesTx(db, goneId, keptId),
    }
    await foldConversationTx(db, goneId, keptId)
    if (ways)
      moved.made = [
        await addContactTx(db, who, keptId, {
          ...ways,
          role: 'other',
          note: 'From the record that was merged in.',
        } as NewContact),
      ]
    await moveReferralCodeTx(db, goneId, keptId)
    await moveCustomerNoticesTx(db, goneId, keptId)
    await moveCustomerNotificationsTx(db, goneId, keptId)
    await moveWorkAndMoney(db, goneId, keptId)
    const keptVersion = await setMergedTx(db, kept, values)
    await setMergedTx(db, gone, { archivedAt: gone.archivedAt ?? clock.iso() })
    const mergeId = newId()
    await db
      .insertInto('customerMerges')
      .values({
        businessId: db.businessId,
        id: mergeId,
        keptId,
        goneId,
        moved: JSON.stringify(moved),
        before: JSON.stringify(before),
        keptVersion,
        wasArchived: gone.archivedAt !== null,
        isFinal,
        at: clock.iso(),
        byUserId: userIdOf(who),
      })
      .execute()
    const counts = Object.fromEntries(Object.entries(moved).map(([kind, ids]) => [kind, ids.length]))
    await audit(
      db,
      who,
      'customer.merge',
      { type: 'customer', id: keptId },
      { before, after: { ...values, goneId, moved: counts } },
    )
    await audit(db, who, 'customer.merged', { type: 'customer', id: goneId }, { after: { keptId } })
    return { mergeId, keptId, goneId, isFinal }
  })

/** Takes a merge back: what moved goes back; fields do, as long as nobody changed the kept record since. */
export const undoMerge = (who: Actor, id: string): Promise<{ keptId: string; goneId: string; fieldsBack: boolean }> =>
  withTenant(who, async (db) => {
    const merge = await db
      .selectFrom('customerMerges')
      .selectAll()
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!merge) throw notFound('merge')
    const why = undoRefusal(await undoFactsOf(db, merge))
    if (why) throw conflict(`${why} Nothing was changed.`)
    const { keptId, goneId } = merge
    const moved = merge.moved as Moved
    const { kept, gone } = await lockPairTx(db, keptId, goneId)
    if (!merge.wasArchived && gone.archivedAt !== null) await reserveCustomersTx(db, 1)
    await removeUnchangedContactsTx(db, moved.made ?? [])
    await moveCustomerPlacesTx(db, keptId, goneId, moved)
    await moveCustomerCallsTx(db, keptId, goneId, moved)
    await moveCustomerNotesTx(db, keptId, goneId, moved.notes)
    await moveCustomerMessagesTx(db, keptId, goneId, moved.messages)
    await moveCustomerLeadsTx(db, keptId, goneId, moved.leads ?? [])
    await moveConversationNotesTx(db, keptId, goneId, moved.conversationNotes ?? [])
    for (const id of [keptId, goneId]) await recountUnansweredTx(db, id)
    await moveRequestsWithPlacesTx(db, keptId, goneId, moved.properties)
    const fieldsBack = kept.version === merge.keptVersion
    await setMergedTx(db, kept, fieldsBack ? (merge.before as Record<string, unknown>) : {})
    await setMergedTx(db, gone, merge.wasArchived ? {} : { archivedAt: null })
    await db
      .updateTable('customerMerges')
      .set({ undoneAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await audit(db, who, 'customer.unmerge', { type: 'customer', id: keptId }, { after: { goneId, fieldsBack } })
    return { keptId, goneId, fieldsBack }
  })
