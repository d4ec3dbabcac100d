import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Actor, hasPermission } from '../../../platform/actor.ts'
import { keyset } from '../../../platform/db/cursor.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { linkTo } from '../../../shared/links.ts'
import { timeZoneOf, todayOf } from '../../businesses/server/queries.ts'
import { requireCustomer } from '../../customers/server/queries.ts'
import { type Attachment, photosOf } from '../../messages/server/queries.ts'
import { quoteName } from '../../quotes/rules.ts'
import { type CallDirection, type CallOutcome, callTitle } from '../../tasks/rules.ts'
import { skipReasonLabel } from '../../visits/rules.ts'
import type { TimelineItem } from '../contract.ts'
import { moneyTitle, quoteEventTitle, type TimelineKind } from '../rules.ts'

type Row = {
  kind: TimelineKind
  id: string
  at: string
  a: string
  b: string
  text: string
  who: string | null
  cents: number | null
  ref: string | null
  number: number | null
  photos: Attachment[] | null
}

const titleOf = (row: Row): string => {
  if (row.kind === 'call') return callTitle(row.a as CallDirection, row.b as CallOutcome)
  if (row.kind === 'money') return moneyTitle(row.a, row.b, row.number)
  if (row.kind === 'note') return row.a === 'conversation' ? 'Note in the conversation' : 'Note'
  if (row.kind === 'quote') return `${quoteName(row.number ?? 0)}: ${quoteEventTitle[row.a] ?? row.a}`
  if (row.kind === 'message')
    return `${row.a === 'sms' ? 'Text' : row.a === 'portal' ? 'Message in the portal' : 'E-mail'} ${row.b === 'inbound' ? 'from them' : 'to them'}`
  const done = { completed: 'Done', skipped: 'Skipped', missed: 'Missed', canceled: 'Canceled' }[row.b] ?? 'Under way'
  return `${row.a}: ${done.toLowerCase()}`
}

const pathOf = (row: Row, customerId: string): string | null => {
  if (row.kind === 'visit') return row.ref ? linkTo.job(row.ref, { visitId: row.id }) : null
  if (row.kind === 'message' || (row.kind === 'note' && row.a === 'conversation'))
    return linkTo.customer(customerId, { part: 'messages' })
  if (row.kind === 'quote') return row.ref ? linkTo.quote(row.ref) : null
  if (row.kind === 'money')
    return row.b === 'invoice' && row.ref ? linkTo.invoice(row.ref) : linkTo.invoices({ customerId })
  return null
}

const itemOf = (row: Row, businessId: string, customerId: string): TimelineItem => ({
  id: row.id,
  kind: row.kind,
  at: row.at,
  dayOnly: row.kind === 'visit' || row.kind === 'money',
  title: titleOf(row),
  text: row.kind === 'visit' && row.b === 'skipped' && row.text ? skipReasonLabel(row.text as never) : row.text,
  who: row.who,
  amountCents: row.cents === null ? null : Number(row.cents),
  photos: photosOf(businessId, row.photos ?? []),
  path: pathOf(row, customerId),
})

type Query = { kind?: TimelineKind | undefined; cursor?: string | undefined; limit: number }

/**
 * One page of what happened with a customer. Each kind is read by its own index and no further than the page; what only has a day stands at noon of it.
 * @throws not_found
 */
export const listTimeline = async (db: TenantDb, actor: Actor, customerId: string, query: Query) => {
  await requireCustomer(db, customerId)
  const [timeZone, today] = [await timeZoneOf(db), await todayOf(db)]
  const noon = (day: RawBuilder<unknown>) => sql`((${day} + time '12:00') at time zone ${timeZone}::text)`
  const keys = (at: RawBuilder<unknown>, id: RawBuilder<unknown>) =>
    keyset(
      [
        { of: at, type: 'instant' },
        { of: id, type: 'uuid' },
      ],
      { order: 'desc', cursor: query.cursor, limit: query.limit },
    )
  const whole = keys(sql`x.at`, sql`x.id`)
  // The day of the page before bounds what has only days, so that its index is entered where the page begins.
  const [from] = query.cursor ? (JSON.parse(Buffer.from(query.cursor, 'base64url').toString()) as string[]) : []
  const notAfter = (day: RawBuilder<unknown>): RawBuilder<SqlBool> =>
    from
      ? sql<SqlBool>`${day} <= (${from}::timestamptz at time zone ${timeZone}::text)::date`
      : sql<SqlBool>`${day} <= ${today}::date`
  const own = (alias: string) =>
    sql`${sql.ref(`${alias}.businessId`)} = ${db.businessId} and ${sql.ref(`${alias}.customerId`)} = ${customerId}`
  const sources: Record<TimelineKind, RawBuilder<unknown>> = {
    visit: sql`select 'visit' as kind, v.id, ${noon(sql`v.day`)} as at, j.title as a, v.status as b,
        coalesce(nullif(v.skip_reason, ''), '') as text, w.name as who, null::int8 as cents, v.job_id as ref, null::int as number, null::jsonb as photos
      from visits v join jobs j on j.business_id = v.business_id and j.id = v.job_id
      left join crews w on w.business_id = v.business_id and w.id = v.crew_id
      where ${own('v')} and v.status not in ('scheduled', 'unscheduled') and ${notAfter(sql`v.day`)}
        and ${keys(noon(sql`v.day`), sql`v.id`).beyond}
      order by v.day desc, v.id desc limit ${whole.limit}`,
    message: sql`select 'message', m.id, m.created_at, m.channel, m.direction,
        left(case when m.subject <> '' then m.subject else m.body_text end, 300), m.address, null, null, null,
        case when m.channel <> 'email' or m.direction = 'inbound' then m.attachments end
      from messages m where ${own('m')} and ${keys(sql`m.created_at`, sql`m.id`).beyond}
      order by m.created_at desc, m.id desc limit ${whole.limit}`,
    call: sql`select 'call', k.id, k.at, k.direction, k.outcome, k.note, u.name, null, null, null, null::jsonb
      from customer_calls k left join users u on u.business_id = k.business_id and u.id = k.user_id
      where ${own('k')} and ${keys(sql`k.at`, sql`k.id`).beyond}
      order by k.at desc, k.id desc limit ${whole.limit}`,
    quote: sql`select 'quote', e.id, e.at, e.kind, '', left(case when e.words <> '' then e.words else o.title end, 300), u.name, null, o.id, o.number, null::jsonb
      from quotes o join quote_events e on e.business_id = o.business_id and e.quote_id = o.id
      left join users u on u.business_id = e.business_id and u.id = e.user_id
      where ${own('o')} and e.kind not in ('created', 'archived') and ${keys(sql`e.at`, sql`e.id`).beyond}
      order by e.at desc, e.id desc limit ${whole.limit}`,
    money: sql`select 'money', l.id, ${noon(sql`l.on_day`)}, l.kind, l.ref_type, '', null, l.amount_cents, l.ref_id, i.number, null::jsonb
      from ledger_entries l
      left join invoices i on l.ref_type = 'invoice' and i.business_id = l.business_id and i.id = l.ref_id
      where ${own('l')} and ${notAfter(sql`l.on_day`)} and ${keys(noon(sql`l.on_day`), sql`l.id`).beyond}
      order by l.on_day desc, l.id desc limit ${whole.limit}`,
    note: sql`select * from (
      (select 'note', n.id, n.at, 'customer', '', n.body, u.name, null::int8, null::uuid, null::int, null::jsonb
        from customer_notes n left join users u on u.business_id = n.business_id and u.id = n.user_id
        where ${own('n')} and ${keys(sql`n.at`, sql`n.id`).beyond}
        order by n.at desc, n.id desc limit ${whole.limit})
      union all
      (select 'note', n.id, n.created_at, 'conversation', '', n.body, u.name, null, null, null, null
        from conversation_notes n left join users u on u.business_id = n.business_id and u.id = n.user_id
        where ${own('n')} and ${keys(sql`n.created_at`, sql`n.id`).beyond}
        order by n.created_at desc, n.id desc limit ${whole.limit})) notes`,
  }
  const money = hasPermission(actor, 'money')
  const wanted = (Object.keys(sources) as TimelineKind[]).filter(
    (kind) => (query.kind === undefined || query.kind === kind) && ((kind !== 'money' && kind !== 'quote') || money),
  )
  if (wanted.length === 0) return { items: [], nextCursor: null }
  // The names of the columns come from the first part.
  const named = sql`select null::text as kind, null::uuid as id, null::timestamptz as at, null::text as a, null::text as b,
    null::text as text, null::text as who, null::int8 as cents, null::uuid as ref, null::int as number, null::jsonb as photos where false`
  const parts = [named, ...wanted.map((kind) => sql`(${sources[kind]})`)]
  const { rows } = await sql<Row & { cursorKeys: string[] }>`
    select x.*, ${whole.values} as cursor_keys from (${sql.join(parts, sql` union all `)}) x
    order by ${whole.order} limit ${whole.limit}`.execute(db)
  const { items, nextCursor } = whole.page(rows)
  return { items: items.map((row) => itemOf(row as Row, db.businessId, customerId)), nextCursor }
}
