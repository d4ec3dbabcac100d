import { sql } from 'kysely'
import { type Actor, hasPermission } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { signedFilePath } from '../../../../platform/links.ts'
import { cashDiscountCents, discountLabel } from '../../../businesses/cashdiscount/rules.ts'
import { getCashDiscount, getTips } from '../../../businesses/server/queries.ts'
import { sumCredits } from '../../../invoices/corrections/server/queries.ts'
import { receiptName } from '../../../invoices/papers/rules.ts'
import { invoiceName } from '../../../invoices/rules.ts'
import type { FieldCash, HeldReceipt } from '../contract.ts'
import { type DoorFacts, maskedEmail, maskedPhone } from '../rules.ts'

/** What is open of a customer is looked at so far. */
const mostOpen = 200
/** What of it a phone shows. */
const mostShown = 6
/** The last receipts of a person for a customer. */
const mostReceipts = 5

/**
 * The open invoices of a customer, the oldest first, and those that money is on its way for after all others; what their bank is looking into is
 * nothing to take money for.
 */
export const listOpenOf = async (db: TenantDb, customerId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('invoices')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', customerId)
    .where('status', 'in', ['issued', 'partially_paid'])
    .where('disputed', '=', false)
    .orderBy((eb) => eb('pendingCents', '>', 0))
    .orderBy('dueOn')
    .orderBy('number')
    .limit(mostOpen)
    .execute()
  return rows.map(({ id }) => id)
}

/** Whether a person may take money at the door: the business wants it, and this person may. Never on the tour or for support. */
export const mayCollect = async (db: TenantDb, actor: Actor): Promise<boolean> => {
  if (actor.tour || actor.support || !hasPermission(actor, 'collect')) return false
  const { doorPayments } = await db
    .selectFrom('businesses')
    .select('doorPayments')
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  return doorPayments
}

type Open = { customerId: string; name: string; dueOn: string; cents: number }

/** What is to pay at the door: what is on its way from a bank is not asked for twice. */
const listOpen = async (db: TenantDb, customerIds: readonly string[]): Promise<Open[]> => {
  const { rows } = await sql<{ customerId: string; number: number; dueOn: string | null; cents: number }>`
    select customer_id, number, due_on, total_cents - paid_cents - pending_cents as cents from invoices
    where business_id = ${db.businessId} and customer_id = any(${[...customerIds]}::uuid[]) and status in ('issued', 'partially_paid') and not disputed
      and total_cents - paid_cents > pending_cents
    order by due_on, number`.execute(db)
  return rows.map(({ number, dueOn, ...row }) => ({ ...row, name: invoiceName(number), dueOn: dueOn ?? '' }))
}

/** The last receipts that a person wrote for each customer. */
const listOwnReceipts = async (db: TenantDb, actor: Actor, customerIds: readonly string[]) => {
  const { rows } = await sql<{
    customerId: string
    id: string
    checkNumber: string
    collectedAt: string
    method: string
    amountCents: number
    tipCents: number
    status: string
    receiptNumber: number | null
  }>`
    select * from (
      select p.customer_id, d.id, d.check_number, d.collected_at, p.method, p.amount_cents, p.tip_cents, p.status, p.receipt_number,
        row_number() over (partition by p.customer_id order by d.collected_at desc, d.id) as nth
      from door_receipts d join payments p on p.business_id = d.business_id and p.id = d.payment_id
      where d.business_id = ${db.businessId} and d.user_id = ${actor.userId} and p.customer_id = any(${[...customerIds]}::uuid[])
    ) latest where nth <= ${mostReceipts} order by customer_id, nth`.execute(db)
  return rows.map((row) => ({
    customerId: row.customerId,
    id: row.id,
    number: row.receiptNumber === null ? null : receiptName(row.receiptNumber),
    method: row.method === 'check' ? ('check' as const) : ('cash' as const),
    amountCents: row.amountCents,
    tipCents: Number(row.tipCents),
    checkNumber: row.checkNumber,
    at: row.collectedAt,
    voided: row.status === 'reversed',
  }))
}

/** What somebody who may take money needs to know at these stops, by customer. */
export const listDoorFacts = async (db: TenantDb, actor: Actor, visitIds: readonly string[]): Promise<DoorFacts[]> => {
  if (visitIds.length === 0) return []
  const asOf = clock.iso()
  const rows = await db
    .selectFrom('visits as v')
    .innerJoin('customers as c', (join) =>
      join.onRef('c.businessId', '=', 'v.businessId').onRef('c.id', '=', 'v.customerId'),
    )
    .select(['v.id as visitId', 'c.id', 'c.email', 'c.phone', 'c.language'])
    .where('v.businessId', '=', db.businessId)
    .where('v.id', 'in', [...visitIds])
    .orderBy('c.id')
    .execute()
  const customers = [...new Map(rows.map((row) => [row.id, row])).values()]
  const ids = customers.map(({ id }) => id)
  const open = Map.groupBy(await listOpen(db, ids), ({ customerId }) => customerId)
  const credits = await sumCredits(db, ids)
  const receipts = Map.groupBy(await listOwnReceipts(db, actor, ids), ({ customerId }) => customerId)
  const bps = await getCashDiscount(db)
  const takesTips = (await getTips(db)).kind !== 'off'
  return customers.map(({ id, email, phone, language }) => {
    const own = (open.get(id) ?? []).map(({ customerId: _, ...invoice }) => invoice)
    const offCents = own.reduce((sum, { cents }) => sum + cashDiscountCents(cents, bps), 0)
    return {
      visitIds: rows.flatMap((row) => (row.id === id ? row.visitId : [])),
      asOf,
      owedCents: own.reduce((sum, { cents }) => sum + cents, 0),
      withoutCard:
        offCents > 0
          ? { percent: discountLabel(bps), cents: own.reduce((sum, { cents }) => sum + cents, 0) - offCents }
          : null,
      takesTips,
      creditCents: credits.get(id) ?? 0,
      open: own.slice(0, mostShown),
      openCount: own.length,
      email: email ? maskedEmail(email) : null,
      phone: phone ? maskedPhone(phone) : null,
      language: language === 'es' ? 'es' : 'en',
      receipts: (receipts.get(id) ?? []).map(({ customerId: _, ...receipt }) => receipt),
    }
  })
}

/** Who a receipt is for, and what it says; null when there is none. */
export const findReceiptContact = (db: TenantDb, receiptId: string) =>
  db
    .selectFrom('doorReceipts as d')
    .innerJoin('payments as p', (join) =>
      join.onRef('p.businessId', '=', 'd.businessId').onRef('p.id', '=', 'd.paymentId'),
    )
    .innerJoin('customers as c', (join) =>
      join.onRef('c.businessId', '=', 'p.businessId').onRef('c.id', '=', 'p.customerId'),
    )
    .select([
      'd.userId',
      'd.checkNumber',
      'p.id as paymentId',
      'p.status',
      'p.method',
      'p.amountCents',
      'p.receivedOn',
      'p.receiptNumber',
      'c.id as customerId',
      'c.name',
      'c.email',
      'c.phone',
      'c.language',
    ])
    .where('d.businessId', '=', db.businessId)
    .where('d.id', '=', receiptId)
    .executeTakeFirst()

/** What is still open on the invoices that a payment pays. */
export const sumOpenOf = async (db: TenantDb, paymentId: string): Promise<number> => {
  const { rows } = await sql<{ cents: number }>`select coalesce(sum(i.total_cents - i.paid_cents), 0)::float8 as cents
    from payment_allocations a join invoices i on i.business_id = a.business_id and i.id = a.invoice_id
    where a.business_id = ${db.businessId} and a.payment_id = ${paymentId} and i.status in ('issued', 'partially_paid')`.execute(
    db,
  )
  return rows[0]?.cents ?? 0
}

/** So many receipts and hand-ins are shown; the oldest receipts first, because they wait the longest. */
const mostHeld = 500
const mostHandIns = 30

/** Who holds what now, and what was handed in last. */
export const getFieldCash = async (db: TenantDb): Promise<FieldCash> => {
  const { doorPayments } = await db
    .selectFrom('businesses')
    .select('doorPayments')
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const { rows: held } = await sql<
    Omit<HeldReceipt, 'customer' | 'receipt' | 'photoUrl'> & {
      userId: string
      person: string
      customerId: string
      customerName: string
      receiptNumber: number
      photoFileId: string | null
    }
  >`
    select d.id, d.payment_id, d.reference, d.check_number, d.collected_at, d.photo_file_id, d.user_id, u.name as person,
      p.method, p.amount_cents, p.receipt_number, c.id as customer_id, c.name as customer_name, pr.street
    from door_receipts d
    join payments p on p.business_id = d.business_id and p.id = d.payment_id and p.status <> 'reversed'
    join customers c on c.business_id = p.business_id and c.id = p.customer_id
    join users u on u.business_id = d.business_id and u.id = d.user_id
    left join visits v on v.business_id = d.business_id and v.id = d.visit_id
    left join properties pr on pr.business_id = v.business_id and pr.id = v.property_id
    where d.business_id = ${db.businessId} and d.hand_in_id is null
    order by d.collected_at, d.id limit ${mostHeld}`.execute(db)
  const people = [...Map.groupBy(held, ({ userId }) => userId)].map(([userId, own]) => {
    const sumOf = (method: string) =>
      own.filter((row) => row.method === method).reduce((sum, { amountCents }) => sum + amountCents, 0)
    return {
      userId,
      name: own[0]?.person ?? '',
      cashCents: sumOf('cash'),
      checkCents: sumOf('check'),
      checkCount: own.filter(({ method }) => method === 'check').length,
      receipts: own.map(({ userId: _, person: __, customerId, customerName, receiptNumber, photoFileId, ...row }) => ({
        ...row,
        receipt: receiptName(receiptNumber),
        customer: { id: customerId, name: customerName },
        photoUrl: photoFileId ? signedFilePath(db.businessId, photoFileId) : null,
      })),
    }
  })
  const { rows: handIns } = await sql<
    Omit<FieldCash['handIns'][number], 'undone'> & { undoneOn: string | null; undoneReason: string | null }
  >`
    select h.id, u.name, h.on_day, h.cash_cents, h.counted_cents, h.check_cents, h.check_count, h.reason, h.undone_on, h.undone_reason,
      by_whom.name as confirmed_by
    from cash_hand_ins h
    join users u on u.business_id = h.business_id and u.id = h.user_id
    left join users by_whom on by_whom.business_id = h.business_id and by_whom.id = h.confirmed_by
    where h.business_id = ${db.businessId}
    order by h.on_day desc, h.created_at desc, h.id limit ${mostHandIns}`.execute(db)
  return {
    enabled: doorPayments,
    cashCents: people.reduce((sum, { cashCents }) => sum + cashCents, 0),
    checkCents: people.reduce((sum, { checkCents }) => sum + checkCents, 0),
    people,
    handIns: handIns.map(({ undoneOn, undoneReason, ...row }) => ({
      ...row,
      undone: undoneOn ? { onDay: undoneOn, reason: undoneReason ?? '' } : null,
    })),
  }
}
