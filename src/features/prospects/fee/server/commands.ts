import { clock } from '../../../../platform/clock.ts'
import { type ProspectsDb, withProspects } from '../../../../platform/db/prospects.ts'
import { log } from '../../../../platform/log.ts'
import { goodPageUrl } from '../../../../platform/payments/provider.ts'
import { expireCheckout, findCheckout, paymentProvider } from '../../../../platform/payments/providers.ts'
import type { StoredWebhook } from '../../../../platform/webhooks.ts'
import { AppError, conflict, notFound } from '../../../../shared/errors.ts'
import { formatCents } from '../../../../shared/money.ts'
import { firstNameOf } from '../../../../shared/names.ts'
import { paths } from '../../../../shared/paths.ts'
import type { Application } from '../../application/contract.ts'
import { findApplication } from '../../application/server/commands.ts'
import { queueProspectMessage } from '../../outbox/server/commands.ts'
import { auditProspects } from '../../server/audit.ts'
import { findToken } from '../../server/tokens.ts'
import type { LeadSprint } from '../../sprint/contract.ts'
import { getLeadSprint, statusUrl } from '../../sprint/server/queries.ts'

const closedMessage: Record<string, string> = {
  paid: 'This fee is paid. Thank you!',
  waived: 'This fee was waived; there is nothing to pay.',
}

/** The Sprint behind a link from our mail, with its payer. @throws not_found for any other link */
const openFee = async (db: ProspectsDb, token: string) => {
  const target = await findToken(db, token, 'application')
  if (!target) throw notFound('application')
  const row = await db
    .selectFrom('sprints')
    .innerJoin('leads', 'leads.id', 'sprints.leadId')
    .selectAll('sprints')
    .select('leads.email')
    .where('sprints.leadId', '=', target.leadId)
    .executeTakeFirst()
  if (!row) throw notFound('application')
  const { fromName } = await db.selectFrom('settings').select('fromName').executeTakeFirstOrThrow()
  return { ...row, fromName }
}

const providerOrRefuse = () => {
  const provider = paymentProvider('fee')
  if (!provider)
    throw new AppError('unavailable', 'Payments are not set up at the moment. Nothing was charged; please write to us.')
  return provider
}

/**
 * The hosted page for a confirmed fee. Two presses at once ask the provider with one key and get one page; a page that ended unused is followed by the next.
 * @throws state_conflict when there is nothing to pay
 */
export const payFee = async (token: string): Promise<{ url: string }> => {
  const provider = providerOrRefuse()
  const fee = await withProspects((db) => openFee(db, token))
  const known = fee.feeCheckoutId ? await provider.findCheckout(fee.feeCheckoutId) : null
  if (fee.feeStatus === 'confirmed' && known?.status === 'complete') {
    await syncFee(known.id)
    throw conflict(closedMessage.paid ?? '')
  }
  if (fee.feeStatus !== 'confirmed') throw conflict(closedMessage[fee.feeStatus] ?? 'There is nothing to pay.')
  const url = goodPageUrl(known, clock.nowMs())
  if (url !== null) return { url }
  // in its last minute, or without an address: ended first, so that nobody pays on it and on the next
  if (known?.status === 'open') {
    await provider.expireCheckout(known.id)
    // paid in the moment before it ended
    if ((await provider.findCheckout(known.id))?.status === 'complete') {
      await syncFee(known.id)
      throw conflict(closedMessage.paid ?? '')
    }
  }
  const back = `${paths.application}?fee=back#status=${token}`
  const attempt = fee.feeCheckoutTry + (fee.feeCheckoutId ? 1 : 0)
  const session = await provider.openCheckout({
    purpose: 'fee',
    mark: { sprintId: fee.id },
    amountCents: fee.feeCents,
    description: 'Setup Sprint: onboarding fee',
    payeeName: fee.fromName,
    email: fee.email,
    successPath: back,
    cancelPath: back,
    requestKey: `sprint-fee:${fee.id}:${attempt}`,
  })
  const kept = await withProspects((db) =>
    db
      .updateTable('sprints')
      .set({ feeCheckoutId: session.id, feeCheckoutTry: attempt, updatedAt: clock.iso() })
      .where('id', '=', fee.id)
      .where('feeStatus', '=', 'confirmed')
      .where('feeCheckoutTry', '<=', attempt)
      .returning('id')
      .executeTakeFirst(),
  )
  if (!kept) {
    await provider.expireCheckout(session.id)
    throw conflict('The fee changed a moment ago. Reload the page to see how it stands; nothing was charged.')
  }
  return { url: session.url }
}

/**
 * Brings a fee in line with what the provider says of its checkout. The return page and the webhook both come here, as often as they like and in any
 * order. Money that arrived counts even when the fee was waived in the same moment; giving it back is then for a person to do.
 */
export const syncFee = async (checkoutId: string): Promise<void> => {
  const state = await findCheckout(checkoutId)
  if (!state?.fee || state.status !== 'complete' || !state.paymentId) return
  const { paymentId, amountCents, livemode } = state
  const { sprintId } = state.fee
  await withProspects(async (db) => {
    const row = await db.selectFrom('sprints').selectAll().where('id', '=', sprintId).forUpdate().executeTakeFirst()
    if (!row || row.feePaymentId) return
    if (row.feeCheckoutId !== checkoutId || row.feeCents !== amountCents) {
      log.error({ checkoutId, sprintId }, 'a checkout does not fit the fee that it names')
      return
    }
    const now = clock.iso()
    await db
      .updateTable('sprints')
      .set((eb) => ({
        feeStatus: 'paid',
        feePaymentId: paymentId,
        feePaidAt: now,
        feeLivemode: livemode,
        version: eb('version', '+', 1),
        updatedAt: now,
      }))
      .where('id', '=', sprintId)
      .execute()
    await auditProspects(db, 'system', 'sprint.fee_paid', { type: 'lead', id: row.leadId }, { from: row.feeStatus })
    await mailLead(db, row.leadId, {
      subject: 'We have your payment',
      text: `your payment of ${formatCents(amountCents)} for the onboarding fee is here. Thank you.${livemode ? '' : '\n\nThis was a test payment; no money moved.'}`,
      dedupeKey: `sprint:${sprintId}:fee-paid`,
    })
  })
}

const mailLead = async (
  db: ProspectsDb,
  leadId: string,
  mail: { subject: string; text: string; dedupeKey: string },
): Promise<void> => {
  const lead = await db.selectFrom('leads').select(['name', 'email']).where('id', '=', leadId).executeTakeFirstOrThrow()
  const { fromName } = await db.selectFrom('settings').select('fromName').executeTakeFirstOrThrow()
  await queueProspectMessage(db, {
    leadId,
    channel: 'email',
    purpose: 'transactional',
    address: lead.email,
    ...mail,
    text: `Hello ${firstNameOf(lead.name)},\n\n${mail.text}\n\n${fromName}`,
  })
}

/** Mails the link of a confirmed fee; a second wish on the same day changes nothing. @throws state_conflict when nothing is to be paid */
export const sendFeeLink = (leadId: string): Promise<LeadSprint> =>
  withProspects(async (db) => {
    const row = await db.selectFrom('sprints').selectAll().where('leadId', '=', leadId).forUpdate().executeTakeFirst()
    if (!row) throw notFound('lead')
    if (row.feeStatus !== 'confirmed')
      throw conflict(`${closedMessage[row.feeStatus] ?? 'Confirm the fee first.'} Nothing was sent.`)
    const now = clock.iso()
    if (row.feeLinkSentAt?.slice(0, 10) === now.slice(0, 10)) return getLeadSprint(db, leadId)
    await mailLead(db, leadId, {
      subject: 'Your onboarding fee',
      text: `a step of your Setup Sprint was missed, so the onboarding fee of ${formatCents(row.feeCents)} is due. Pay it here, by card: ${await statusUrl(db, leadId)}\n\nIf you think this is a mistake, answer this mail.`,
      dedupeKey: `sprint:${row.id}:fee-link:${now.slice(0, 10)}`,
    })
    await db.updateTable('sprints').set({ feeLinkSentAt: now, updatedAt: now }).where('id', '=', row.id).execute()
    await auditProspects(db, 'owner', 'sprint.fee_link_sent', { type: 'lead', id: leadId }, {})
    return getLeadSprint(db, leadId)
  })

/** Back from the checkout. @throws not_found */
export const returnFromFee = async (token: string): Promise<Application> => {
  const { feeCheckoutId } = await withProspects((db) => openFee(db, token))
  if (feeCheckoutId) await syncFee(feeCheckoutId)
  return findApplication(token)
}

/** A waived fee cannot be paid any more: its open page ends. */
export const endFeeCheckout = async (leadId: string): Promise<void> => {
  const row = await withProspects((db) =>
    db.selectFrom('sprints').select(['feeCheckoutId', 'feeStatus']).where('leadId', '=', leadId).executeTakeFirst(),
  )
  if (row?.feeCheckoutId && row.feeStatus === 'waived') await expireCheckout(row.feeCheckoutId)
}

/** Works off a stored event of the payment provider: it names a checkout, the provider is asked for its state. */
export const processFeeEvent = async (event: StoredWebhook): Promise<void> => {
  const object = (event.payload as { data?: { object?: { id?: string; metadata?: { sprintId?: string } } } }).data
    ?.object
  if (event.account !== '' || !event.type.startsWith('checkout.session.')) return
  if (object?.id && object.metadata?.sprintId) await syncFee(object.id)
}
