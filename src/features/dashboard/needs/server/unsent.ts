import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { linkTo } from '../../../../shared/links.ts'
import { hubPath } from '../../../../shared/paths.ts'
import { cutAtWord } from '../../../../shared/plain-text.ts'
import { troubleWords } from '../../../messages/rules.ts'
import type { Need } from '../../contract.ts'

const mostShown = 20
/** So many of the newest that did not arrive are looked at: most of what nobody dismissed was sent again long ago, and all of it stays. */
const mostLookedAt = 400
const mostChars = 80
/** An offer that did not arrive is worth a look for so long; what is owed or asked, until somebody took care of it. */
const offersForMs = 3 * 24 * 3_600_000

type Lost = {
  id: string
  channel: string
  subject: string
  bodyText: string
  status: string
  reason: string | null
  customerId: string | null
  name: string | null
  address: string
  entityType: string | null
  entityId: string | null
  isShut: boolean
  isTheirs: boolean
}

/** Where it is mended: at the customer whose address is wrong, then at what is sent again. */
const wayOut = (row: Lost): { label: string; path: string } | null => {
  if (row.isShut && row.isTheirs && row.customerId)
    return {
      label: row.channel === 'sms' ? 'Open customer' : 'Correct the address',
      path: linkTo.customer(row.customerId),
    }
  if (row.isTheirs && !row.isShut) return null
  if (row.entityType === 'invoice' && row.entityId)
    return { label: 'Send it again', path: linkTo.invoice(row.entityId) }
  return row.isShut && row.customerId ? { label: 'Open customer', path: linkTo.customer(row.customerId) } : null
}

/**
 * What did not arrive, of the newest: until it or something newer about the same is sent, or somebody dismisses it.
 */
export const failedMessages = async (db: TenantDb): Promise<Need[]> => {
  const { rows } = await sql<Lost>`
    select m.id, m.channel, m.subject, m.body_text as "bodyText", m.status, m.reason, m.customer_id as "customerId", c.name, m.address,
      m.entity_type as "entityType", m.entity_id as "entityId",
      exists (select from suppressions s where s.business_id = m.business_id and s.channel = m.channel and s.address = m.address
        and (s.purpose = 'all' or m.purpose = 'marketing')) as "isShut",
      m.channel = 'sms' or c.id is null or lower(trim(c.email)) = m.address
        or exists (select from customer_contacts k where k.business_id = m.business_id and k.customer_id = m.customer_id
          and lower(trim(k.email)) = m.address) as "isTheirs"
    from (select * from messages where business_id = ${db.businessId} and direction = 'outbound' and status in ('failed', 'unknown')
      and dismissed_at is null order by id desc limit ${mostLookedAt}) m left join customers c on c.business_id = m.business_id and c.id = m.customer_id
    where m.stopped_reason is null
      and (m.purpose <> 'marketing' or m.updated_at > ${new Date(clock.nowMs() - offersForMs).toISOString()}::timestamptz)
      -- one look into an index each: as a join the planner reads every message there is
      and (select 1 from messages n where n.business_id = m.business_id and n.dedupe_key = 'resend:' || m.id limit 1) is null
      and (select 1 from messages n where n.business_id = m.business_id and n.entity_type = m.entity_type and n.entity_id = m.entity_id
        and n.id > m.id and n.channel = m.channel and n.direction = 'outbound' and n.customer_id = m.customer_id and n.status <> 'suppressed' limit 1) is null
    order by m.id desc limit ${mostShown + 1}`.execute(db)
  const needs = rows.slice(0, mostShown).map((row): Need => {
    const out = wayOut(row)
    return {
      id: `unsent:${row.id}`,
      kind: 'unsent',
      badge: row.status === 'unknown' ? 'May be unsent' : 'Not sent',
      tone: 'late',
      title: `${row.name ?? row.address}: ${cutAtWord(row.subject || row.bodyText, mostChars)}`,
      detail: row.reason === null ? '' : troubleWords(row.reason, row.address),
      amountCents: null,
      path: row.customerId ? linkTo.customer(row.customerId, { part: 'messages' }) : hubPath('customers', 'messages'),
      action: out ? { kind: 'open', ...out } : { kind: 'resend', label: 'Send again', messageId: row.id },
      dismisses: row.id,
    }
  })
  return rows.length > mostShown ? [...needs, theRest] : needs
}

/** More than are named here: all of them stand in the log. */
const theRest: Need = {
  id: 'unsent:more',
  kind: 'unsent',
  badge: 'Not sent',
  tone: 'late',
  title: 'More messages did not arrive',
  detail: `the ${mostShown} newest are named here`,
  amountCents: null,
  path: linkTo.messageLog({ outcome: 'stopped' }),
  action: { kind: 'open', label: 'See all', path: linkTo.messageLog({ outcome: 'stopped' }) },
}
