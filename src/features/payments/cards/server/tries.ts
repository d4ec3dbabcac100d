import type { Selectable } from 'kysely'
import type { SystemActor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import type { AutopayCharges, CheckoutSessions } from '../../../../platform/db/types.generated.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { log } from '../../../../platform/log.ts'
import type { Charge } from '../../../../platform/payments/provider.ts'
import { providerNamed } from '../../../../platform/payments/providers.ts'
import { linkTo } from '../../../../shared/links.ts'
import { isClosedTx } from '../../../businesses/server/queries.ts'
import { invoiceName, isOpen } from '../../../invoices/rules.ts'
import { type LockedInvoice, lockInvoiceTx } from '../../../invoices/server/commands.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import type { Method } from './commands.ts'
import { endAutopay, methodById, settle } from './settling.ts'

// Tries of autopay that were cut off before their answer came. They stay open, whatever became of the plan meanwhile, until the provider said what
// it knows of them.

type OpenTry = Selectable<CheckoutSessions>

/** A provider remembers a key for a day: an older try is not asked again, it could charge twice. */
const keyHours = 23
/** Whoever asks right now has their answer after so long at the latest. */
const quietMinutes = 10
const mostPerRun = 500

const isOlderThan = (at: string, minutes: number): boolean => Date.parse(at) < clock.nowMs() - minutes * 60_000

/** Whether a try may be asked again with its key: with the same card, over what is open, while the key is remembered. */
export const goesOn = (
  open: OpenTry,
  {
    charge,
    invoice,
    method,
  }: { charge: Selectable<AutopayCharges> | undefined; invoice: LockedInvoice; method: Method },
): boolean =>
  charge?.status === 'waiting' &&
  charge.methodId === open.methodId &&
  method.autopay &&
  method.removedAt === null &&
  isOpen(invoice.status) &&
  open.amountCents + open.discountCents === invoice.totalCents - invoice.paidCents &&
  !isOlderThan(open.createdAt, keyHours * 60)

/** Ends a try that charged nothing. @returns false when it was settled meanwhile */
export const failTryTx = async (db: TenantDb, attemptId: string): Promise<boolean> =>
  (await db
    .updateTable('checkoutSessions')
    .set({ status: 'failed', updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', attemptId)
    .where('status', '=', 'open')
    .returning('id')
    .executeTakeFirst()) !== undefined

/** The provider has no charge of a try: it never got there. What goes on as it began is asked again, the rest is over. */
const dropTry = (actor: SystemActor, open: OpenTry): Promise<void> =>
  withTenant(actor, async (db) => {
    const invoice = await lockInvoiceTx(db, open.invoiceId)
    const charge = await db
      .selectFrom('autopayCharges')
      .selectAll()
      .where('businessId', '=', db.businessId)
      .where('invoiceId', '=', open.invoiceId)
      .executeTakeFirst()
    const method = await methodById(db, open.methodId ?? '')
    if (goesOn(open, { charge, invoice, method }) && !(await isClosedTx(db))) return
    if (await failTryTx(db, open.id)) await publishChange(db, 'invoices', [open.invoiceId])
  })

/** Nobody says any more what became of a try: it is let go, and somebody of the office has to look. */
const giveUp = (actor: SystemActor, open: OpenTry): Promise<void> =>
  withTenant(actor, async (db) => {
    const { number } = await lockInvoiceTx(db, open.invoiceId)
    if (!(await failTryTx(db, open.id))) return
    const method = await methodById(db, open.methodId ?? '')
    const reason = `A charge for ${invoiceName(number)} got no answer. Look at the provider whether it went through before you charge again.`
    if (method.autopay && method.removedAt === null) await endAutopay(db, method, reason, open.invoiceId)
    else
      await notifyOffice(db, {
        type: 'invoice',
        title: `A charge for ${invoiceName(number)} got no answer`,
        content: reason,
        customerId: method.customerId,
        path: linkTo.invoice(open.invoiceId),
        dedupeKey: `autopay-unanswered:${open.id}`,
      })
    await publishChange(db, 'invoices', [open.invoiceId])
  })

const settleTry = async (actor: SystemActor, open: OpenTry): Promise<void> => {
  const provider = providerNamed(open.provider)
  const method = await withTenant(actor, (db) => methodById(db, open.methodId ?? ''))
  let found: Charge | null
  try {
    if (!provider) throw new Error(`The provider ${open.provider} is not set up any more.`)
    const asked = { customerId: method.providerCustomerId, checkoutSessionId: open.id, since: open.createdAt }
    found = await provider.findChargeOf(asked, method.accountId)
  } catch (error) {
    if (!isOlderThan(open.createdAt, keyHours * 60)) throw error
    log.error({ err: error, businessId: actor.businessId, attempt: open.id }, 'a charge that nobody answers for')
    await giveUp(actor, open)
    return
  }
  if (found) await settle(actor, open.invoiceId, open.id, found)
  else await dropTry(actor, open)
}

/** Asks the provider what became of every try of a business that was cut off. Nothing is charged by it. */
export const settleOpenTries = async (actor: SystemActor): Promise<void> => {
  const rows = await withTenant(actor, (db) =>
    db
      .selectFrom('checkoutSessions')
      .selectAll()
      .where('businessId', '=', db.businessId)
      .where('kind', '=', 'autopay')
      .where('status', '=', 'open')
      .where('methodId', 'is not', null)
      .where('updatedAt', '<', new Date(clock.nowMs() - quietMinutes * 60_000).toISOString())
      .orderBy('createdAt')
      .limit(mostPerRun)
      .execute(),
  )
  for (const open of rows)
    await settleTry(actor, open).catch((err: unknown) =>
      log.error({ err, businessId: actor.businessId, attempt: open.id }, 'a charge without an answer stays open'),
    )
}
