import { sql } from 'kysely'
import type { Actor, SystemActor, Who } from '../../../../platform/actor.ts'
import { userIdOf } from '../../../../platform/actor.ts'
import { audit, auditAll } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { nextNumber } from '../../../../platform/db/counters.ts'
import { inPieces } from '../../../../platform/db/rows.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { directly, type Once } from '../../../../platform/http/idempotency.ts'
import { newId } from '../../../../platform/ids.ts'
import { refuse } from '../../../../shared/can.ts'
import { formatDay, minuteOfDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { isReached, unreachedWords } from '../../../messages/paperways/rules.ts'
import { listPaperReach } from '../../../messages/paperways/server/queries.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import type { Invoice } from '../../contract.ts'
import { wasVoided } from '../../corrections/rules.ts'
import { endOpenPages } from '../../pending/server/pages.ts'
import { isBeingCharged, isCheckoutOpen } from '../../pending/server/queries.ts'
import { remindFromMinute, remindToMinute } from '../../reminders/rules.ts'
import { stopForAnswerTx } from '../../reminders/server/answered.ts'
import { forEachChunk } from '../../reminders/server/pages.ts'
import { listAnswered } from '../../reminders/server/queries.ts'
import { invoiceName, invoiceRefusals, invoiceTotals } from '../../rules.ts'
import { remindTx, voidFacts, voidTx } from '../../server/commands.ts'
import { getInvoice } from '../../server/queries.ts'
import {
  insertInvoicesTx,
  issueInvoicesTx,
  type LockedInvoice,
  lockInvoicesTx,
  lockInvoiceTx,
  setInvoiceTx,
} from '../../server/rows/commands.ts'
import { listReach } from '../../unreached/server/queries.ts'
import { remindedWith } from '../rules.ts'
import { tellOfKeptFeesTx } from './kept.ts'
import {
  type After,
  getLateFees,
  type LateFeePlan,
  listForFees,
  listRestingFees,
  nextFee,
  readCharged,
  readLateFeePlan,
} from './queries.ts'
import { countFromReachTx, reachedLater, releaseReached, restForUnreachedTx } from './unreached.ts'

/** Invoices that one transaction charges fees for. */
const chunkSize = 40

type Fee = { invoice: LockedInvoice; period: number; cents: number }

const lineOf = ({ invoice, cents }: Fee) => ({
  serviceOn: null,
  description: `Late fee: ${invoiceName(invoice.number)} was due ${formatDay(invoice.dueOn ?? '', { year: true })}`,
  quantity: 1,
  unitPriceCents: cents,
  taxCategory: 'none',
})

/** Writes the fees as invoices of their own, due at once: what was issued before never changes. */
const addFeesTx = async (db: TenantDb, who: Who, fees: readonly Fee[], { today }: LateFeePlan): Promise<void> => {
  const first = await nextNumber(db, 'invoice', fees.length)
  const ids = await insertInvoicesTx(
    db,
    userIdOf(who),
    fees.map((fee, i) => ({
      number: first + i,
      customerId: fee.invoice.customerId,
      termsDays: 0,
      message: '',
      billTo: fee.invoice.billTo as Record<string, string | null>,
      totals: invoiceTotals([lineOf(fee)]),
      lines: [lineOf(fee)],
    })),
  )
  for (const some of inPieces(fees.map((fee, i) => ({ ...fee, feeInvoiceId: ids[i] ?? '' })))) {
    await db
      .insertInto('lateFees')
      .values(
        some.map(({ invoice, period, cents, feeInvoiceId }) => ({
          businessId: db.businessId,
          id: newId(),
          invoiceId: invoice.id,
          feeInvoiceId,
          period,
          amountCents: cents,
          onDay: today,
          createdAt: clock.iso(),
        })),
      )
      .execute()
    await sql`
      update invoices i set reminders_stopped = r.stop from jsonb_to_recordset(${JSON.stringify(
        some.map(({ invoice, feeInvoiceId }) => ({
          fee_invoice_id: feeInvoiceId,
          stop: remindedWith(invoiceName(invoice.number)),
        })),
      )}::jsonb) as r(fee_invoice_id uuid, stop text)
      where i.business_id = ${db.businessId} and i.id = r.fee_invoice_id`.execute(db)
  }
  await issueInvoicesTx(db, ids)
  await auditAll(
    db,
    who,
    'invoice.lateFee',
    'invoice',
    fees.map(({ invoice, period, cents }, i) => ({
      id: ids[i] ?? null,
      after: { of: invoiceName(invoice.number), period, amountCents: cents },
    })),
  )
  await publishChange(db, 'invoices', [...ids, ...fees.map(({ invoice }) => invoice.id)])
}

/**
 * Charges what of these invoices is late enough for a fee, whatever the hour, and tells their customers with a reminder. Where a customer wrote
 * or paid a part since they were last asked, or never got the invoice, the fee rests; where the invoice came back and reached them later, its days of grace begin then.
 * @param byHand the office says that it is charged, however it reached them
 * @returns how many were charged
 */
const chargeFeesTx = async (db: TenantDb, who: Who, ids: readonly string[], byHand = false): Promise<number> => {
  // after the lock nobody else charges them: what a run beside this one did is seen here
  const locked = new Map((await lockInvoicesTx(db, ids)).map((invoice) => [invoice.id, invoice]))
  const plan = await readLateFeePlan(db)
  const still = (await listForFees(db, plan, { ids })).flatMap(({ id }) => locked.get(id) ?? [])
  const stillIds = still.map(({ id }) => id)
  const charged = await readCharged(db, stillIds)
  const answered = new Map((await listAnswered(db, stillIds)).map((one) => [one.id, one]))
  const reach = await listReach(db, stillIds)
  const fees: Fee[] = []
  for (const invoice of still) {
    const fee = nextFee(plan, invoice, charged.get(invoice.id))
    if (fee === null) continue
    const one = answered.get(invoice.id)
    const told = reach.get(invoice.id)
    // what still waits to leave is known within the day
    if (told?.state === 'waiting' && !byHand) continue
    const later =
      told?.lostBefore && told.reachedAt && !byHand ? reachedLater(invoice, told.reachedAt, plan.timeZone) : null
    if (later) await countFromReachTx(db, invoice, later)
    else if (told && (told.state === 'lost' || told.state === 'unknown'))
      await restForUnreachedTx(db, invoice, told, fee.cents)
    else if (!one || !(await stopForAnswerTx(db, invoice, one, plan.timeZone, fee.cents))) {
      fees.push({ invoice, ...fee })
      continue
    }
    await publishChange(db, 'invoices', [invoice.id])
  }
  if (fees.length === 0) return 0
  await addFeesTx(db, who, fees, plan)
  const reachOf = await listPaperReach(
    db,
    fees.map(({ invoice }) => invoice.customerId),
  )
  await remindTx(
    db,
    who,
    fees.flatMap(({ invoice }) => (isReached(reachOf(invoice.customerId)) ? [invoice] : [])),
  )
  for (const { invoice, cents, period } of fees) {
    const customer = { id: invoice.customerId, ...reachOf(invoice.customerId) }
    if (isReached(customer)) continue
    await notifyOffice(db, {
      type: 'invoice',
      title: `${customer.name} was charged a late fee of ${formatCents(cents)} and ${unreachedWords(customer)}`,
      content: `${invoiceName(invoice.number)} is late. Print the fee or call them, or waive it.`,
      customerId: customer.id,
      path: linkTo.invoice(invoice.id),
      dedupeKey: `late-fee:${invoice.id}:${period}`,
    })
  }
  return fees.length
}

/** Charges what of these invoices is late enough for a fee, whatever the hour. */
export const chargeFeesOf = (actor: SystemActor, ids: readonly string[]): Promise<void> =>
  withTenant(actor, async (db) => void (await chargeFeesTx(db, actor, ids)))

/**
 * Charges late fees where the business wants them, by day: their customers are told in the same moment.
 * @param pageSize so many are looked up at a time
 */
export const chargeLateFees = async (actor: SystemActor, pageSize?: number): Promise<void> => {
  await releaseReached(actor)
  const plan = await withTenant(actor, readLateFeePlan)
  const minute = minuteOfDay(clock.now(), plan.timeZone)
  if (plan.rule.kind === 'off' || minute < remindFromMinute || minute >= remindToMinute) return
  await forEachChunk(
    (after: After | null) =>
      withTenant(actor, (db) => listForFees(db, plan, { after, ...(pageSize ? { limit: pageSize } : {}) })),
    chunkSize,
    (ids) => chargeFeesOf(actor, ids),
  )
}

/**
 * Says what becomes of a late fee that rests because its customer answered: it is charged now, and reminders leave again; or it is let go, and
 * its invoice costs none until somebody reminds of it by itself again.
 */
export const settleFee = (actor: Actor, id: string, { charge }: { charge: boolean }): Promise<Invoice> =>
  withTenant(actor, async (db) => {
    const invoice = await lockInvoiceTx(db, id)
    const [resting] = await listRestingFees(db, 1, [id])
    const refusal = { number: invoice.number, restingFeeCents: resting?.cents ?? null }
    refuse(invoiceRefusals.settleFee(refusal))
    await setInvoiceTx(db, invoice, {
      answeredAt: null,
      ...(charge ? { remindersStopped: null, remindersFrom: clock.iso() } : {}),
    })
    await audit(
      db,
      actor,
      'invoice.settleFee',
      { type: 'invoice', id },
      { after: { charge, cents: resting?.cents ?? 0 } },
    )
    if (charge && (await chargeFeesTx(db, actor, [id], true)) === 0)
      refuse(invoiceRefusals.settleFee({ ...refusal, restingFeeCents: null }))
    await publishChange(db, 'invoices', [id])
    return getInvoice(db, actor, id)
  })

/** A late fee that is voided is waived, whichever way it was let go: it counts against no cap, and says that it was let go. */
const markWaivedTx = async (db: TenantDb, actor: Actor, feeInvoiceId: string, reason: string): Promise<void> => {
  await db
    .updateTable('lateFees')
    .set({ waivedOn: await todayOf(db), waivedReason: reason, waivedBy: actor.userId })
    .where('businessId', '=', db.businessId)
    .where('feeInvoiceId', '=', feeInvoiceId)
    .execute()
  await audit(db, actor, 'invoice.waiveFee', { type: 'invoice', id: feeInvoiceId }, { after: { reason } })
}

const waiveTx = async (db: TenantDb, actor: Actor, feeInvoiceId: string, reason: string): Promise<void> => {
  await voidTx(db, actor, feeInvoiceId, reason)
  await markWaivedTx(db, actor, feeInvoiceId, reason)
}

/** Lets a late fee go: its invoice is voided, and the same period is not charged again. @returns the fee's invoice */
export const waiveFee = async (
  actor: Actor,
  id: string,
  { reason }: { reason: string },
  once: Once = directly,
): Promise<Invoice> => {
  const check = async (db: TenantDb) => {
    const invoice = await lockInvoiceTx(db, id)
    const { lateFeeFor } = await getLateFees(db, id)
    const beingCharged = await isBeingCharged(db, id)
    refuse(invoiceRefusals.waiveFee({ ...invoice, isLateFee: lateFeeFor !== null, beingCharged }))
    return lateFeeFor
  }
  await withTenant(actor, check)
  await endOpenPages(actor.businessId, [id])
  return once(() =>
    withTenant(actor, async (db) => {
      const lateFeeFor = await check(db)
      await waiveTx(db, actor, id, reason)
      if (lateFeeFor) await publishChange(db, 'invoices', [lateFeeFor.id])
      return getInvoice(db, actor, id)
    }),
  )
}

/** Takes an invoice back that nobody paid on; its visits can be invoiced again, and its late fees go with it as far as nobody paid them. */
export const voidInvoice = async (
  actor: Actor,
  id: string,
  { reason = '' }: { reason?: string | undefined } = {},
  once: Once = directly,
): Promise<Invoice> => {
  const feeIds = await withTenant(actor, async (db) => {
    const invoice = await lockInvoiceTx(db, id)
    refuse(invoiceRefusals.void(await voidFacts(db, invoice)))
    return (await getLateFees(db, id)).lateFees.map((fee) => fee.id)
  })
  await endOpenPages(actor.businessId, [id, ...feeIds])
  return once(() =>
    withTenant(actor, async (db) => {
      // who charges a fee locks its late invoice first: read after the lock, none is written in between
      await lockInvoicesTx(db, [id])
      const { lateFees, lateFeeFor } = await getLateFees(db, id)
      const open = lateFees.filter(({ openCents, amountCents }) => openCents === amountCents)
      await lockInvoicesTx(
        db,
        open.map((fee) => fee.id),
      )
      const { number, customerId } = await voidTx(db, actor, id, reason)
      if (lateFeeFor) {
        await markWaivedTx(db, actor, id, 'Voided')
        await publishChange(db, 'invoices', [lateFeeFor.id])
      }
      const why = wasVoided(invoiceName(number))
      const waived = new Set<string>()
      for (const fee of open) {
        if (await isCheckoutOpen(db, fee.id)) continue
        await waiveTx(db, actor, fee.id, why)
        waived.add(fee.id)
      }
      const kept = lateFees.filter((fee) => fee.openCents > 0 && !waived.has(fee.id))
      await tellOfKeptFeesTx(db, why, customerId, kept)
      return getInvoice(db, actor, id)
    }),
  )
}
