import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { signedFilePath } from '../../../../platform/links.ts'
import { type Day, dayOf, formatDay, formatTime } from '../../../../shared/dates.ts'
import { timeZoneOf } from '../../../businesses/server/queries.ts'
import { getContact } from '../../../customers/server/queries.ts'
import { invoiceName } from '../../../invoices/rules.ts'
import { showsOurWork } from '../../../visits/photos/server/queries.ts'
import { type EvidenceFacts, evidenceText } from '../rules.ts'

/** What the work left that a bank can be shown: at most so much of each. */
const [mostVisits, mostPhotos, mostMessages] = [20, 12, 20]
const longestMessage = 400

type VisitRow = {
  id: string
  day: Day
  place: string
  work: string
  startedAt: string | null
  finishedAt: string | null
  crew: string | null
  finishedBy: string | null
  note: string
}

/** @param openedOn the day of the dispute: work that a billing plan got later is no evidence of what was paid for */
const visitsOf = async (db: TenantDb, invoiceIds: readonly string[], openedOn: Day): Promise<VisitRow[]> => {
  const { rows } = await sql<VisitRow>`
    select v.id, v.day, p.street as place, string_agg(distinct l.description, ', ') as work, v.started_at, v.finished_at,
      c.name as crew, u.name as finished_by, v.note
    from (
      select visit_id, description from invoice_lines where business_id = ${db.businessId} and invoice_id = any(${[...invoiceIds]}::uuid[])
      union all
      -- a month of a billing plan is for work that stands on no line of its invoice
      select d.visit_id, s.name from billing_plan_months m
      join billing_plan_deliveries d on d.business_id = m.business_id and d.plan_id = m.plan_id and d.on_day <= ${openedOn}::date
      join visit_lines w on w.business_id = d.business_id and w.id = d.visit_line_id
      join services s on s.business_id = w.business_id and s.id = w.service_id
      where m.business_id = ${db.businessId} and m.invoice_id = any(${[...invoiceIds]}::uuid[])
    ) l join visits v on v.business_id = ${db.businessId} and v.id = l.visit_id
    join properties p on p.business_id = v.business_id and p.id = v.property_id
    left join crews c on c.business_id = v.business_id and c.id = v.crew_id
    left join users u on u.business_id = v.business_id and u.id = v.finished_by
    where v.day is not null
    group by v.id, v.day, p.street, v.started_at, v.finished_at, c.name, u.name, v.note
    order by v.day desc, v.id limit ${mostVisits}`.execute(db)
  return rows
}

/** Which mail with an invoice left, and to whom: the customer's address may be another by now. */
const mailsOf = async (db: TenantDb, invoiceIds: readonly string[]) => {
  const { rows } = await sql<{ invoiceId: string; address: string; sentAt: string }>`
    select distinct on (entity_id) entity_id as invoice_id, address, sent_at from messages
    where business_id = ${db.businessId} and entity_type = 'invoice' and entity_id = any(${[...invoiceIds]}::uuid[])
      and channel = 'email' and direction = 'outbound' and status in ('sent', 'delivered') and sent_at is not null
      and split_part(dedupe_key, ':', 3) = 'sent'
    order by entity_id, sent_at`.execute(db)
  return new Map(rows.map(({ invoiceId, ...mail }) => [invoiceId, mail]))
}

/** The crew's photos of visits, those of the finished work first; what the customer sent shows no work of ours. */
export const listPhotos = async (db: TenantDb, visitIds: readonly string[]) => {
  if (visitIds.length === 0) return []
  return db
    .selectFrom('visitPhotos')
    .innerJoin('files', (join) =>
      join.onRef('files.businessId', '=', 'visitPhotos.businessId').onRef('files.id', '=', 'visitPhotos.fileId'),
    )
    .where('visitPhotos.businessId', '=', db.businessId)
    .where('visitPhotos.visitId', 'in', [...visitIds])
    .where(showsOurWork('visit_photos'))
    .select([
      'visitPhotos.visitId',
      'visitPhotos.fileId',
      'visitPhotos.kind',
      'visitPhotos.takenAt',
      'files.storageKey',
    ])
    .orderBy(sql`visit_photos.kind = 'after'`, 'desc')
    .orderBy('visitPhotos.createdAt')
    .limit(mostPhotos)
    .execute()
}

const agreementsOf = async (db: TenantDb, customerId: string, visitIds: readonly string[], zone: string) => {
  const jobs = await sql<{ title: string; createdAt: string; startOn: Day }>`
    select distinct j.title, j.created_at, j.start_on from visits v join jobs j on j.business_id = v.business_id and j.id = v.job_id
    where v.business_id = ${db.businessId} and v.id = any(${[...visitIds]}::uuid[]) order by j.start_on limit 5`.execute(
    db,
  )
  const method = await db
    .selectFrom('paymentMethods')
    .select(['mandateText', 'mandateAt', 'mandateIp'])
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', customerId)
    .orderBy('mandateAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  const { invoiceTerms } = await db
    .selectFrom('businesses')
    .select('invoiceTerms')
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const on = (instant: string) => formatDay(dayOf(instant, zone), { year: true })
  return [
    ...jobs.rows.map(({ title, createdAt, startOn }) =>
      dayOf(createdAt, zone) <= startOn
        ? `${title}, agreed on ${on(createdAt)}, from ${formatDay(startOn, { year: true })} on.`
        : `${title}, from ${formatDay(startOn, { year: true })} on.`,
    ),
    ...(method
      ? [
          `The customer left their card on ${on(method.mandateAt)}${method.mandateIp ? ` from ${method.mandateIp}` : ''} and agreed: “${method.mandateText}”`,
        ]
      : []),
    ...(invoiceTerms ? [`Terms on the invoice: “${invoiceTerms}”`] : []),
  ]
}

/** What was booked as done later begins and ends in one moment: nobody clocked it, and a bank is told no times. */
const isClocked = (startedAt: string, finishedAt: string): boolean =>
  Date.parse(finishedAt) - Date.parse(startedAt) >= 60_000

/** All that is on file about a disputed payment: its invoices, the visits, the photos, what was agreed and what was written. */
export const collectEvidence = async (db: TenantDb, dispute: { id: string; paymentId: string; openedOn: Day }) => {
  const zone = await timeZoneOf(db)
  const payment = await db
    .selectFrom('payments')
    .select(['customerId', 'amountCents', 'receivedOn'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', dispute.paymentId)
    .executeTakeFirstOrThrow()
  const refunded = await db
    .selectFrom('refunds')
    .where('businessId', '=', db.businessId)
    .where('paymentId', '=', dispute.paymentId)
    .where('status', '!=', 'failed')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('amountCents'), eb.val(0)).as('cents'))
    .executeTakeFirstOrThrow()
  const customer = await getContact(db, payment.customerId)
  const { name: business } = await db
    .selectFrom('businesses')
    .select('name')
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const invoices = await db
    .selectFrom('disputeInvoices')
    .innerJoin('invoices', (join) =>
      join
        .onRef('invoices.businessId', '=', 'disputeInvoices.businessId')
        .onRef('invoices.id', '=', 'disputeInvoices.invoiceId'),
    )
    .where('disputeInvoices.businessId', '=', db.businessId)
    .where('disputeInvoices.disputeId', '=', dispute.id)
    .select(['invoices.id', 'number', 'issueOn', 'sentAt', 'viewedAt', 'totalCents', 'billTo'])
    .orderBy('number')
    .execute()
  const visits = await visitsOf(
    db,
    invoices.map(({ id }) => id),
    dispute.openedOn,
  )
  const mails = await mailsOf(
    db,
    invoices.map(({ id }) => id),
  )
  const visitIds = visits.map(({ id }) => id)
  const photos = await listPhotos(db, visitIds)
  const messages = await db
    .selectFrom('messages')
    .select(['id', 'createdAt', 'direction', 'bodyText'])
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', payment.customerId)
    .where((eb) => eb.or([eb('direction', '=', 'inbound'), eb('purpose', '=', 'reply')]))
    .where('reason', 'is', null)
    .orderBy('createdAt', 'desc')
    .limit(mostMessages)
    .execute()
  const facts: EvidenceFacts = {
    business,
    customer,
    payment: {
      amountCents: payment.amountCents,
      receivedOn: payment.receivedOn,
      refundedBeforeCents: Number(refunded.cents),
    },
    invoices: invoices.map(({ number, ...one }) => ({
      ...one,
      name: invoiceName(number),
      sentAt: mails.get(one.id)?.sentAt ?? null,
      mailedTo: mails.get(one.id)?.address ?? null,
    })),
    visits: visits.map(({ startedAt, finishedAt, ...visit }) => ({
      ...visit,
      times:
        startedAt && finishedAt && isClocked(startedAt, finishedAt)
          ? `${formatTime(startedAt, zone)} to ${formatTime(finishedAt, zone)}`
          : null,
      photos: photos
        .filter(({ visitId }) => visitId === visit.id)
        .map(({ fileId, kind }) => ({ url: signedFilePath(db.businessId, fileId), kind })),
    })),
    messages: messages.toReversed().map(({ id, createdAt, direction, bodyText }) => ({
      id,
      at: createdAt,
      fromCustomer: direction === 'inbound',
      text: bodyText.replace(/\s+/g, ' ').trim().slice(0, longestMessage),
    })),
    agreements: await agreementsOf(db, payment.customerId, visitIds, zone),
  }
  return {
    facts,
    photos,
    invoices,
    customerId: payment.customerId,
    draft: evidenceText(facts, (instant) => formatDay(dayOf(instant, zone), { year: true })),
  }
}
